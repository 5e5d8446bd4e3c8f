"""Files of ``assay bench``: their own check knows their structure and their quotations."""

from pathlib import Path
from typing import get_args

import msgspec

from assay.data.jsonl import UNREADABLE
from assay.data.legal import BenchQuestion, FactQuestion, GapQuestion, QuestionType, check_benchmark
from assay.jobs.questions.check.finding import Finding
from assay.jobs.questions.check.item import Item

_TYPES = frozenset(get_args(QuestionType))


def is_bench_file(path: Path) -> bool:
    """Whether a file is one of ``assay bench``: its questions have one of its types."""
    if path.suffix.lower() != ".json":
        return False
    try:
        content = msgspec.json.decode(path.read_bytes())
    except (OSError, *UNREADABLE):
        return False
    if not isinstance(content, dict) or not isinstance(content.get("questions"), list):
        return False
    types = [content.get("benchmark_type")]
    types += [each.get("type") for each in content["questions"] if isinstance(each, dict)]
    return any(isinstance(name, str) and name in _TYPES for name in types)


def read_bench_items(path: Path) -> tuple[list[Item], list[Finding]]:
    """The questions of a file of ``assay bench``, and what its own check finds.

    A quotation that is not at its place is gold that does not exist; every other problem is one
    of the file. With a problem that blocks the file, its questions are not read.
    """
    checked = check_benchmark(path)
    findings = [
        Finding(
            kind="file_problem" if problem.blocks else "gold_missing",
            what=f"{problem.path}: {problem.message}",
            line=problem.line,
        )
        for problem in checked.problems
    ]
    if checked.benchmark is None:
        return [], findings
    lines = dict(checked.ids)
    return [_item(each, lines.get(each.id, 0)) for each in checked.benchmark.questions], findings


def _item(question: BenchQuestion, line: int) -> Item:
    answers: tuple[str | None, ...] = ()
    if isinstance(question, FactQuestion):
        answers = (question.expected.text_answer or question.expected.entity,)
    is_gap = isinstance(question, GapQuestion) and question.must_abstain
    return Item(
        id=question.id,
        line=line,
        text=question.question,
        answers=tuple(answer for answer in answers if answer),
        answerable=not is_gap,
        kind=question.type,
        has_own_check=True,
    )
