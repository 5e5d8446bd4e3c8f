"""Recorded answers judged again: no call, new gold, nothing overwritten."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import JournalLocked, UseError
from assay.runs.write import locked_journal
from assay.study.history import past_runs
from assay.study.rescore import rescore, rescored_path
from tests.support import harbour


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    """A finished run of fourteen berths, one of them skipped."""
    harbour.write_harbour(tmp_path, questions=14)
    run = harbour.prepare_experiment(tmp_path)
    harbour.run_silently(run)
    return run.journal


@pytest.fixture(autouse=True)
def _nobody_is_asked(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise AssertionError("the clerk was asked")

    monkeypatch.setattr(harbour, "ask", refuse)


def rows(path: Path) -> list[dict[str, Any]]:
    """All rows of a journal."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def summary(path: Path) -> dict[str, Any]:
    """The summary beside a journal."""
    made: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return made


def test_unchanged_rules_change_no_byte(journal: Path):
    """Rows and summary beside the old ones are their equals; the old ones are untouched."""
    before = {path.name: path.read_bytes() for path in journal.parent.glob("berths.json*")}
    done = rescore(journal)
    assert (done.judged, done.passed_over, done.changed) == (26, 2, {})
    assert done.journal == rescored_path(journal) == journal.with_name("berths.rescored.jsonl")
    assert done.journal.read_bytes() == before["berths.jsonl"]
    assert done.journal.with_suffix(".json").read_bytes() == before["berths.json"]
    for name, content in before.items():
        assert (journal.parent / name).read_bytes() == content


def test_a_second_time_gives_the_same_bytes(journal: Path):
    """Judging what was judged is no change, and the earlier judgement is kept."""
    first = rescore(journal).journal.read_bytes()
    again = rescore(journal)
    assert again.journal.read_bytes() == first
    kept = list(journal.parent.glob("berths.rescored.jsonl.*.old"))
    assert [path.read_bytes() for path in kept] == [first]


def test_corrected_gold_changes_scores_and_summary(journal: Path):
    """The gold of a file is taken for the questions it holds; the rest keeps its own."""
    questions = journal.parents[1] / "corrected.jsonl"
    corrected = [
        {**harbour.question(1), "gold_chunk_ids": ["fee-1", "elsewhere"]},
        {"id": "berth-002", "question": "What?", "answerable": False},
        {"id": "berth-003", "question": "What?"},
    ]
    questions.write_text("".join(json.dumps(one) + "\n" for one in corrected))
    done = rescore(journal, questions=questions)
    assert done.changed["gold_metrics"] == done.changed["gold_chunk_ids"] == 2 * 3
    assert "answer" not in done.changed
    by_key = {row["key"]: row for row in rows(done.journal)}
    first = by_key["berth-001::lookup_on::topk=3"]
    assert first["gold_metrics"]["gold_coverage"] == 0.5
    assert first["gold_chunk_ids"] == ["fee-1", "elsewhere"]
    second = by_key["berth-002::lookup_on::topk=3"]
    assert second["answerable"] is False
    assert second["scores"]["gold_coverage"] is None
    assert second["scores"]["abstained_when_unanswerable"] is False
    assert "answerable" not in by_key["berth-003::lookup_on::topk=3"]
    assert by_key["berth-004::lookup_on::topk=3"]["scores"]["gold_coverage"] == 1.0
    made, was = summary(done.journal), summary(journal)
    assert made["results"]["questions_without_gold"] == 2
    assert made["results"]["unanswerable_questions"] == 1
    assert made["results"]["variants"]["lookup_on"]["avg_gold_coverage"] == pytest.approx(10.5 / 11)
    assert was["results"]["variants"]["lookup_on"]["avg_gold_coverage"] == 1.0
    assert made["extra"]["gold_path"] == str(questions)
    assert len(made["extra"]["gold_sha256"]) == 64
    assert (made["questions_sha256"], made["started_at"]) == (
        was["questions_sha256"],
        was["started_at"],
    )


@pytest.mark.parametrize("job", ["quality", "review", "bench", "depth"])
def test_gold_of_another_job_is_refused_with_the_command_that_judges_it(journal: Path, job: str):
    """A file of questions is not read as another job's gold, and nothing is written."""
    path = journal.with_suffix(".json")
    path.write_text(json.dumps({**summary(journal), "job": job}), encoding="utf-8")
    with pytest.raises(UseError, match=f"of assay {job}; run assay {job} again"):
        rescore(journal, questions=journal.parents[1] / "questions" / "questions.jsonl")
    assert not rescored_path(journal).exists()


def test_in_place_the_old_file_is_set_aside(journal: Path):
    """Neither rows nor summary are lost."""
    lines = rows(journal)
    lines[0]["cite_ok"] = "edited by hand"
    journal.write_text("".join(json.dumps(row) + "\n" for row in lines))
    edited = journal.read_bytes()
    done = rescore(journal, in_place=True)
    assert done.journal == journal
    assert done.changed == {"cite_ok": 1}
    assert rows(journal)[0]["cite_ok"] is True
    (kept,) = journal.parent.glob("berths.jsonl.*.old")
    assert kept.read_bytes() == edited
    assert len(list(journal.parent.glob("berths.json.*.old"))) == 1
    assert summary(journal)["state"] == "complete"


def test_rows_without_an_answer_are_passed_over(journal: Path):
    """Failed and skipped rows stay as they are, in their places."""
    with journal.open("a") as file:
        file.write('{"key":"x::lookup_on::topk=3","status":"failed","error":"e","answer":"a"}\n')
    done = rescore(journal)
    assert done.passed_over == 3
    assert [row["key"] for row in rows(done.journal)] == [row["key"] for row in rows(journal)]
    assert rows(done.journal)[-1] == rows(journal)[-1]


def test_what_was_judged_again_is_listed_by_its_file(journal: Path):
    """Two runs of one name can be distinguished, and each be reported."""
    rescore(journal)
    assert {run.name for run in past_runs(journal.parent)} == {"berths", "berths.rescored"}


def test_nothing_is_judged_while_a_run_writes(journal: Path):
    """Who holds the file is told, and a file that is not there is one line."""
    with locked_journal(journal), pytest.raises(JournalLocked):
        rescore(journal)
    with pytest.raises(UseError, match="no such file"):
        rescore(journal.with_name("gone.jsonl"))
    assert not rescored_path(journal).exists()
