"""The list of answers that are not right, as a run prints it."""

from pathlib import Path
from typing import Any

import pytest

from assay.jobs.answers.failed_question import failed_lines, faults
from assay.records import RunHeader, Variant
from assay.results.job import job_spec
from assay.words.language import Lang, speaking
from tests.support.journal import failed, row, write_rows

HEADER = RunHeader(
    job="ablation",
    name="a",
    system="s",
    variants=(Variant(name="on"),),
    total=5,
    started_at="2024-01-01T00:00:00Z",
)
METRIC = job_spec("ablation").metric("answer_contained")


def unsure(question: str, *, leans_right: bool, why: str) -> dict[str, Any]:
    """The row of an answer that the check is unsure of."""
    return row(
        question,
        "on",
        answer="Bern",
        question=f"{question}?",
        scores={"answer_contained": leans_right},
        reasons={"answer_contained": why},
        at_least={"answer_contained": 0.0},
        at_most={"answer_contained": 1.0},
    )


def mixed(folder: Path) -> Path:
    """A journal with answers of all kinds."""
    wrong = {"scores": {"answer_contained": False}, "answer": "Bern"}
    rows = [
        row("q1", "on", **wrong, reasons={"answer_contained": "another name"}),
        failed("q2", "on"),
        unsure("q3", leans_right=False, why="no word of the expected answer is in it"),
        row("q4", "on", scores={"answer_contained": True}, answer="Paris"),
        unsure("q5", leans_right=True, why="the last part of the name"),
    ]
    return write_rows(folder / "a.jsonl", rows)


def test_answers_that_the_check_is_unsure_of_come_first(tmp_path: Path):
    """A person can decide them, also those that count as right; the others keep the order of the run."""
    found, asked = faults(mixed(tmp_path), HEADER, METRIC)
    assert [(each["question_id"], str(reason)) for each, reason in found] == [
        ("q3", "unsure, leans wrong: no word of the expected answer is in it"),
        ("q5", "unsure, leans right: the last part of the name"),
        ("q1", "another name"),
        ("q2", "failed (error)"),
    ]
    assert asked == 5


def test_it_is_unsure_whether_an_answer_abstains(tmp_path: Path):
    """Without an expected answer the abstention is in doubt; beside one, only what it decides."""
    doubt = {
        "answer": "It does not say, however …",
        "at_least": {"abstained_when_unanswerable": 0.0},
        "at_most": {"abstained_when_unanswerable": 1.0},
    }
    rows = [
        row("q1", "on", scores={"abstained_when_unanswerable": True}, **doubt),
        row("q2", "on", scores={"abstained_when_unanswerable": False}, **doubt),
        row(
            "q3", "on",
            scores={"abstained_when_unanswerable": True, "answer_contained": True}, **doubt,
        ),
    ]  # fmt: skip
    found, _ = faults(write_rows(tmp_path / "a.jsonl", rows), HEADER, METRIC)
    assert [(each["question_id"], str(reason)) for each, reason in found] == [
        ("q1", "unsure, leans right: whether it abstains"),
        ("q2", "unsure, leans wrong: whether it abstains"),
    ]


@pytest.mark.parametrize(
    ("lang", "head", "line"),
    [
        ("en", "2 of 5 cases unsure, 2 wrong or failed:", "q5  unsure, leans right: "),
        ("zh", "5 个用例中有 2 个不确定，2 个不对或失败：", "q5  不确定，倾向正确："),
        ("ru", "неясных: 2 из 5, неверных или неудавшихся: 2:", "q5  неясно, скорее верно: "),
    ],
)
def test_the_list_says_which_way_an_answer_leans(tmp_path: Path, lang: Lang, head: str, line: str):
    """In three languages, with unsure answers counted separately from wrong ones."""
    with speaking(lang):
        lines = failed_lines(mixed(tmp_path), HEADER, METRIC)
    assert lines[1] == head
    assert lines[3].strip().startswith(line)
