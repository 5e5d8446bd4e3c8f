"""The questions along the novel: how many each stretch has, and how well they are answered.

All stretches have the same length in tokens, and their ends are rounded down. The length of the
novel is taken from the file; if the file does not have it, it is the end of the last evidence.
"""

import itertools
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct

from assay.data.foreign_value import as_whole_number, without_secrets
from assay.errors import UseError
from assay.jobs.depth.map.mean import View, counted_replies, mean_score, score_interval
from assay.jobs.depth.map.results import AskedQuestion, ModelResults, Reply
from assay.jobs.depth.map.row import MOST_QUESTION, cut, data_set_name
from assay.jobs.depth.question import read_question_file
from assay.stats.interval import Interval

STRETCHES: Final = 40


class Stretch(Struct, frozen=True, kw_only=True):
    """Part of the novel from token ``start`` to ``end``.

    ``questions`` is the number of questions whose evidence begins in the stretch. ``covered`` is
    the share of its tokens that belong to any evidence. ``coverage`` is the number of evidence
    tokens in it, counted for each question, relative to the stretch that has the most, as in
    published maps; it is None if there is no evidence. ``accuracy`` is the mean score of the
    ``n`` answers to its questions, None without answers.
    """

    start: int
    end: int
    questions: int
    covered: float
    coverage: float | None
    accuracy: float | None
    n: int
    unparsed: int
    interval: Interval | None


def stretches(
    results: ModelResults, view: View = "all", *, number: int = STRETCHES, tokens: int | None = None
) -> list[Stretch]:
    """The novel in ``number`` stretches; questions without a position are not counted."""
    total = tokens or novel_tokens([results])
    edges = [total * index // number for index in range(number + 1)]
    replies: list[list[Reply]] = [[] for _ in range(number)]
    questions: list[set[int]] = [set() for _ in range(number)]
    for reply in results.replies:
        position = results.questions[reply.question].position
        if position is not None:
            replies[stretch_of(position[0], edges[:-1])].append(reply)
    counted = {*results.unanswered, *(reply.question for reply in results.replies)}
    for question in counted:
        position = results.questions[question].position
        if position is not None:
            questions[stretch_of(position[0], edges[:-1])].add(question)
    spans = sorted(
        position
        for question in counted
        if (position := results.questions[question].position) is not None
    )
    most = max((_overlap(spans, *ends) for ends in itertools.pairwise(edges)), default=0)
    return [
        _stretch(ends, spans, most, len(questions[index]), replies[index], view)
        for index, ends in enumerate(itertools.pairwise(edges))
    ]


def novel_tokens(models: Sequence[ModelResults], stated: int | None = None) -> int:
    """The length of the novel in tokens: ``stated``, else what the files say.

    Raises:
        UseError: No row has a position, or a position is after the stated end.
    """
    longest = 0
    for results in models:
        last = max((q.position[1] for q in results.questions if q.position), default=0)
        if not last:
            raise UseError(
                f"{results.path}: its rows have no position in the novel; use --mode depth instead"
            )
        if stated is not None and last > stated:
            raise UseError(
                f"--total-tokens {stated}: {results.path} has evidence up to token {last}"
            )
        longest = max(longest, last, _stated_tokens(results.metadata))
    return stated or longest


def stretch_of(token: int, starts: Sequence[int]) -> int:
    """The index of the stretch with a token; a token past the end belongs to the last stretch.

    >>> stretch_of(10, [0, 10, 20]), stretch_of(99, [0, 10, 20])
    (1, 2)
    """
    return max(0, bisect_right(starts, token) - 1)


def _stated_tokens(metadata: Mapping[str, Any]) -> int:
    inner = metadata.get("question_set_metadata")
    for holder in (metadata, inner if isinstance(inner, Mapping) else {}):
        # if there are both, positions are counted by another tokenizer than the run's
        for name in ("total_tokens", "novel_tokens"):
            tokens = as_whole_number(holder.get(name))
            if tokens:
                return tokens
    return 0


def _stretch(
    ends: tuple[int, int],
    spans: Sequence[tuple[int, int]],
    most: int,
    questions: int,
    replies: Sequence[Reply],
    view: View,
) -> Stretch:
    counted = counted_replies(replies, view)
    scores = np.array([reply.score for reply in counted], dtype=np.float64)
    size = ends[1] - ends[0]
    return Stretch(
        start=ends[0],
        end=ends[1],
        questions=questions,
        covered=_union(spans, *ends) / size if size else 0.0,
        coverage=_overlap(spans, *ends) / most if most else None,
        accuracy=mean_score(scores),
        n=len(scores),
        unparsed=sum(not reply.parsed for reply in replies),
        interval=score_interval(scores, np.array([reply.question for reply in counted])),
    )


def _overlap(spans: Sequence[tuple[int, int]], start: int, end: int) -> int:
    return sum(max(0, min(stop, end) - max(begin, start)) for begin, stop in spans)


def _union(spans: Sequence[tuple[int, int]], start: int, end: int) -> int:
    """The number of tokens from ``start`` to ``end`` that any of the sorted spans covers."""
    total, reached = 0, start
    for begin, stop in spans:
        begin, stop = max(begin, reached), min(stop, end)  # noqa: PLW2901 - only new tokens count
        if stop > begin:
            total += stop - begin
            reached = stop
    return total


# A question file as a row of a coverage map: where in the novel its questions are.


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
