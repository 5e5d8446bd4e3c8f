"""A question file as a row of a coverage map: where in the novel its questions are."""

from pathlib import Path

from assay.data.novel import read_question_file
from assay.data.secret_field import without_secrets
from assay.jobs.depth.map.metadata import data_set_name
from assay.jobs.depth.map.results import AskedQuestion, ModelResults
from assay.jobs.depth.map.row import MOST_QUESTION, cut


def read_question_set(path: Path) -> ModelResults:
    """Read the questions of a file with their positions; there are no answers.

    Raises:
        DatasetError: the file cannot be read, or is not a question file.
    """
    file = read_question_file(path)
    questions = [
        AskedQuestion(
            id=None if row.id is None else str(row.id),
            text=cut(row.question or row.text or "", MOST_QUESTION),
            position=None
            if row.position is None
            else (row.position.start_pos, row.position.end_pos),
        )
        for _, row in file.rows
    ]
    metadata = without_secrets(file.metadata)
    return ModelResults(
        path=path,
        model=path.stem,
        data_set=data_set_name(metadata),
        metadata=metadata,
        lengths=(),
        depth_bins=(),
        questions=questions,
        replies=(),
        failed={},
        skipped={},
        unanswered=tuple(range(len(questions))),
    )
