"""Labels of people as one more metric of a run, and the rates that they correct.

A label counts only for the version of the answer that it was given to. If several people labelled
an answer, its value is the mean of theirs. If answers were drawn for labelling, the rate of right
answers by the check is corrected by their labels.
"""

import shutil
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from assay.checks.correctness import CHECK
from assay.config.workspace import Workspace
from assay.errors import AssayError, JournalTooNew
from assay.judge.label import WORTH, Label, current, text_hash
from assay.judge.label_store import labels_path, read_labels
from assay.records import Estimand, Metric
from assay.results.job import JobSpec, job_spec_of
from assay.results.results import CasePlace, Results, case_lines
from assay.runs.read import migrate, parse_head
from assay.runs.write import draw_path, order_path, plan_path, summary_path, verdicts_path
from assay.study.analysis import analyse_results, read_run
from assay.study.finding import RunFindings
from assay.study.table import LABELS

LABEL_METRIC: Final = Metric(
    name=LABELS,
    field=LABELS,
    title="Labels of people",
    title_zh="人工标注",
    title_ru="Оценки людей",
    formula="the mean of the labels of an answer: right 1, partly 0.5, wrong 0",
    undefined="nobody labelled this version of the answer, or nobody could tell",
)


def analyse_labelled_run(journal: Path, documents: Estimand | None = None) -> RunFindings:
    """Read and analyse a journal, with the labels of its answers as a metric if there are any."""
    return analyse_labelled(read_run(journal), documents)


def analyse_labelled(results: Results, documents: Estimand | None = None) -> RunFindings:
    """Analyse the rows of a run, with the labels of its answers as a metric if there are any.

    ``documents`` is what the analysis is about, in place of what the run says.
    """
    job = job_spec_of(results.summary)
    labels = read_labels(labels_path(results.path))
    return with_corrected(analyse_results(*with_labels(results, job, labels), documents))


def with_corrected(findings: RunFindings) -> RunFindings:
    """The findings with the rates that labels of drawn answers correct; unchanged if none do.

    A damaged file of labels must not cost a run its summary: ``assay judge check`` names what is
    wrong with it.
    """
    journal = findings.results.path
    has_labels = draw_path(journal).is_file() and labels_path(journal).is_file()
    if not has_labels or all(metric.name != CHECK for metric in findings.metrics):
        return findings
    # imported here because few runs have drawn labels, and judges take long to import
    from assay.judge.workbench import corrected_rates, open_run  # noqa: PLC0415

    try:
        rates = corrected_rates(open_run(Workspace.find(start=journal.parent), str(journal)), CHECK)
    except AssayError:
        return findings
    variants = tuple(
        replace(
            variant,
            cells={
                **variant.cells,
                CHECK: replace(variant.cells[CHECK], corrected=rates.get(variant.name)),
            },
        )
        for variant in findings.analysis.variants
    )
    return replace(findings, analysis=replace(findings.analysis, variants=variants))


def with_labels(results: Results, job: JobSpec, labels: Sequence[Label]) -> tuple[Results, JobSpec]:
    """The results and the job with the metric of labels; unchanged if no label counts."""
    known = valid_labels(results, labels)
    worths = {
        case: values
        for case, said in known.items()
        if (values := [worth for label in said if (worth := WORTH[label.verdict]) is not None])
    }
    if not worths or any(metric.name == LABEL_METRIC.name for metric in job.metrics):
        return results, job
    column = np.full(results.scores.status.shape, np.nan)
    for (item, variant), values in worths.items():
        column[variant, item] = sum(values) / len(values)
    scores = replace(results.scores, values={**results.scores.values, LABEL_METRIC.field: column})
    return replace(results, scores=scores), replace(job, metrics=(*job.metrics, LABEL_METRIC))


def valid_labels(results: Results, labels: Iterable[Label]) -> dict[CasePlace, list[Label]]:
    """The labels that count, by the case whose present answer they are about."""
    cases = labelled_cases(results, labels)
    hashes = answer_hashes(results, cases)
    valid: dict[CasePlace, list[Label]] = {}
    for case, said in cases.items():
        about = [label for label in said if label.answer_hash == hashes.get(case)]
        if about:
            valid[case] = about
    return valid


def labelled_cases(results: Results, labels: Iterable[Label]) -> dict[CasePlace, list[Label]]:
    """The labels by case, also those of earlier versions of its answer."""
    items = {name: number for number, name in enumerate(results.scores.items)}
    variants = {name: number for number, name in enumerate(results.scores.variants)}
    cases: dict[CasePlace, list[Label]] = {}
    for label in current(labels):
        item, variant = items.get(label.case_id), variants.get(label.variant)
        if item is not None and variant is not None:
            cases.setdefault((item, variant), []).append(label)
    return cases


def answer_hashes(results: Results, cases: Collection[CasePlace]) -> dict[CasePlace, str]:
    """The hashes of the answers of these cases; a case without an answer has none."""
    rows = {
        case: migrate(msgspec.json.decode(line, type=dict[str, Any]))
        for case, line in case_lines(results, cases).items()
    }
    answers = {case: row_answer(row) for case, row in rows.items()}
    return {case: text_hash(text) for case, text in answers.items() if text is not None}


def row_answer(row: Mapping[str, Any]) -> str | None:
    """The answer of a row, also if it is not judged yet."""
    text = row.get("answer")
    recorded = row.get("recorded")
    if text is None and isinstance(recorded, dict) and isinstance(recorded.get("answer"), dict):
        text = recorded["answer"].get("text")
    return text if isinstance(text, str) else None


# A run whose file has lines that are no rows, read without them.
#
# Commands that write to the file or judge by it refuse it. What only shows a run shows the other
# rows and says what is left out.

MOST_NAMED: Final = 20


def broken_lines(journal: Path) -> tuple[int, ...]:
    """The numbers of the lines that are no rows; an incomplete last line is none of them."""
    try:
        return tuple(number for number, _, kind in _lines(journal) if kind == "broken")
    except JournalTooNew:
        return ()


def _lines(journal: Path) -> Iterator[tuple[int, bytes, Literal["row", "other", "broken"]]]:
    """The number, the content and the kind of each line; other are metadata and empty lines."""
    with journal.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # it may still be written
            head = parse_head(journal, line) if line.strip() else None
            if head and head.key:
                yield number, line, "row"
            else:
                is_metadata = number == 1 and head is not None
                yield number, line, "other" if is_metadata or not line.strip() else "broken"


class Repaired:
    """A copy of a run without its broken lines, which lasts as long as this object.

    ``lines`` are the numbers of the broken lines; ``has_rows`` is whether any row is left.
    """

    def __init__(self, journal: Path) -> None:
        folder = mkdtemp(prefix="assay-repaired-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.journal = Path(folder) / journal.name
        self.has_rows = False
        broken: list[int] = []
        with self.journal.open("wb") as copy:
            for number, line, kind in _lines(journal):
                if kind == "broken":
                    broken.append(number)
                else:
                    copy.write(line)
                    self.has_rows |= kind == "row"
        self.lines = tuple(broken)
        for path_of in (summary_path, plan_path, order_path, verdicts_path, labels_path):
            if path_of(journal).is_file():
                path_of(self.journal).parent.mkdir(exist_ok=True)
                shutil.copyfile(path_of(journal), path_of(self.journal))

    @property
    def named(self) -> str:
        """The numbers of the first lines that are left out."""
        listed = ", ".join(map(str, self.lines[:MOST_NAMED]))
        return f"{listed}…" if len(self.lines) > MOST_NAMED else listed
