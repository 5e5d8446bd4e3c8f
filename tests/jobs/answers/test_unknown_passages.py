"""What was retrieved may be unknown: the gold metrics are then undefined, not zero."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.study.analysis import analyse_run
from assay.study.rescore import rescore
from assay.study.table import quality_table
from assay.systems.reply import to_answer
from tests.support.harbour import prepare_experiment, run_silently, write_harbour
from tests.support.json_server import JsonServer
from tests.support.program import program

GOLD = ("gold_hit_any", "gold_hit_all", "gold_coverage", "gold_precision", "gold_mrr", "gold_ndcg")


def ask_plainly(_: str) -> str:
    """A chat model that answers and retrieves nothing that it could name."""
    return "Sixty crowns."


def ask_with_citation(_: str) -> str:
    """A chat model that writes a number in brackets."""
    return "Sixty crowns [1]."


def ask_in_vain(_: str) -> dict[str, Any]:
    """A pipeline that retrieved nothing."""
    return {"answer": "Sixty crowns.", "passages": []}


def ask_with_null(_: str) -> dict[str, Any]:
    """A pipeline whose reply says null."""
    return {"answer": "Sixty crowns.", "passages": None}


def run(root: Path, function: str, **options: Any) -> tuple[Path, list[dict[str, Any]]]:
    """Ask a function of this module two questions; the journal and its rows."""
    system = f"python:tests.jobs.answers.test_unknown_passages:{function}"
    write_harbour(root, system=system)
    prepared = prepare_experiment(root, limit=2, **options)
    assert run_silently(prepared).tally.scored == 4
    lines = prepared.journal.read_text().splitlines()
    return prepared.journal, [json.loads(line) for line in lines]


@pytest.mark.parametrize("function", ["ask_plainly", "ask_with_null"])
def test_absent_passages_leave_the_gold_metrics_undefined(tmp_path: Path, function: str):
    """Rows, table and summary have no value, and a note says why."""
    journal, rows = run(tmp_path, function)
    for row in rows:
        assert "passages" not in row
        assert row["retrieved_chunk_ids"] is None
        assert [row["scores"][name] for name in GOLD] == [None] * 6
        assert [row["gold_metrics"][name] for name in GOLD] == [None] * 6
    findings = analyse_run(journal)
    cells = findings.analysis.variants[0].cells
    assert (cells["avg_gold_coverage"].value, cells["avg_gold_coverage"].n) == (None, 0)
    assert (findings.unknown_passages, findings.unlabelled) == (4, 0)
    notes = quality_table(findings).notes
    assert any("4 answers do not say which passages were retrieved" in note for note in notes)
    assert not any("have no gold" in note for note in notes)


def test_an_empty_list_of_passages_is_a_miss(tmp_path: Path):
    """A system that retrieved nothing scores 0."""
    journal, rows = run(tmp_path, "ask_in_vain")
    assert all(row["passages"] == [] and row["retrieved_chunk_ids"] == [] for row in rows)
    assert all(row["scores"]["gold_coverage"] == row["scores"]["gold_mrr"] == 0 for row in rows)
    findings = analyse_run(journal)
    assert findings.analysis.variants[0].cells["avg_gold_coverage"].value == 0.0
    assert findings.unknown_passages == 0


@pytest.mark.parametrize("function", ["ask_plainly", "ask_with_citation"])
def test_citations_of_unknown_passages_are_undefined(tmp_path: Path, function: str):
    """Whether an answer cites or not: rows have no value, and a note says why."""
    journal, rows = run(tmp_path, function)
    assert {row["cite_ok"] for row in rows} == {row["scores"]["cite_ok"] for row in rows} == {None}
    findings = analyse_run(journal)
    assert "cite_ok_rate" not in {metric.name for metric in findings.metrics}
    notes = quality_table(findings).notes
    assert any("their gold metrics and citation scores are undefined" in note for note in notes)


def test_a_metric_in_which_no_answer_takes_part_is_not_shown(tmp_path: Path):
    """Rows say that nothing is cited; a run in which no answer cites does not speak of citations."""
    journal, rows = run(tmp_path, "ask_in_vain")
    assert {row["cite_ok"] for row in rows} == {row["cites"] for row in rows} == {False}
    assert "cite_ok_rate" not in {metric.name for metric in analyse_run(journal).job.metrics}
    rows[0]["answer"] = "It is 57 [9]."
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rescored = rescore(journal).journal
    cell = analyse_run(rescored).analysis.variants[0].cells["cite_ok_rate"]
    assert (cell.value, cell.n) == (0.0, 2)


def test_scoring_again_keeps_unknown_and_empty_separate(tmp_path: Path):
    """``assay score`` computes the same from the recorded rows."""
    for function, expected in (("ask_plainly", None), ("ask_in_vain", 0.0)):
        journal, _ = run(tmp_path / function, function)
        result = rescore(journal)
        rows = [json.loads(line) for line in result.journal.read_text().splitlines()]
        assert {row["scores"]["gold_coverage"] for row in rows} == {expected}
        assert not result.changed


def test_rows_of_other_programs_are_scored_by_the_ids_they_have(tmp_path: Path):
    """A row without passages has the ids of what was retrieved, or nothing is known."""
    journal, rows = run(tmp_path, "ask_in_vain")
    for row, ids in zip(rows, (["fee-1"], None, ["fee-2"], None), strict=True):
        row.pop("passages")
        row["retrieved_chunk_ids"] = ids
        row["gold_chunk_ids"] = ["fee-1"]
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scored = [json.loads(line) for line in rescore(journal).journal.read_text().splitlines()]
    assert [row["scores"]["gold_coverage"] for row in scored] == [1.0, None, 0.0, None]


def test_a_recorded_answer_is_replayed_with_what_is_known(tmp_path: Path):
    """A replay of rows without passages does not know them either."""
    journal, _ = run(tmp_path, "ask_plainly")
    replayed = prepare_experiment(
        tmp_path, limit=2, system=f"replay:{journal}", out=tmp_path / "again"
    )
    assert run_silently(replayed).tally.scored == 4
    rows = [json.loads(line) for line in replayed.journal.read_text().splitlines()]
    assert {row["scores"]["gold_coverage"] for row in rows} == {None}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("text", None),
        ({"answer": "text"}, None),
        ({"answer": "text", "passages": None}, None),
        ({"answer": "text", "passages": []}, ()),
    ],
)
def test_a_reply_says_nothing_or_that_nothing_was_retrieved(reply: Any, expected: Any):
    """Only a list says what was retrieved, even if it is empty."""
    assert to_answer(reply).passages == expected


@pytest.mark.parametrize(
    ("reply", "expression", "expected"),
    [
        ({"answer": "a"}, None, None),
        ({"answer": "a"}, "hits", None),
        ({"answer": "a", "hits": []}, "hits", 0.0),
        ({"answer": "a", "hits": [{"id": "fee-1"}, {"id": "fee-2"}]}, "hits", 1.0),
    ],
)
def test_a_service_says_nothing_or_that_nothing_was_retrieved(
    tmp_path: Path, reply: dict[str, Any], expression: str | None, expected: float | None
):
    """Without an expression, or without a value at it, what was retrieved is not known."""
    with JsonServer(lambda _: reply) as server:
        passages = f"passages: {expression}" if expression else ""
        more = f"systems:\n  service:\n    kind: http\n    url: {server.url}\n"
        more += f"    {passages}\n" if passages else ""
        write_harbour(tmp_path, system="service", more=more)
        prepared = prepare_experiment(tmp_path, limit=2)
        assert run_silently(prepared).tally.scored == 4
    rows = [json.loads(line) for line in prepared.journal.read_text().splitlines()]
    assert {row["scores"]["gold_coverage"] for row in rows} == {expected}


def test_the_log_line_of_an_answer_without_passages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """It says that nothing is known."""
    write_harbour(tmp_path, system=f"python:{__name__}:ask_plainly")
    monkeypatch.chdir(tmp_path)
    ran = program(capsys)("ablate", "-e", "berths", "--limit", "1", "--log-lines")
    assert "gold_any=None" in ran.out
    assert "2 answers do not say which passages were retrieved" in ran.out


def ask_with_texts(_: str) -> dict[str, Any]:
    """A pipeline of one's own that cites one of its two passages."""
    passages = [{"id": "a", "text": "Sixty crowns."}, {"id": "b", "text": "Two berths."}]
    return {"answer": "Sixty crowns [1].", "passages": [*passages, {"id": "c"}]}


def test_the_passages_of_a_foreign_system_are_recorded_with_their_texts(tmp_path: Path):
    """The corpus does not have them, and the page and the judges need them; also uncited ones."""
    _, rows = run(tmp_path, "ask_with_texts")
    expected = [{"id": "a", "text": "Sixty crowns."}, {"id": "b", "text": "Two berths."}]
    assert rows[0]["passages"] == [*expected, {"id": "c"}]
