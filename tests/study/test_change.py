"""Which questions flipped, in which order, with both answers."""

import json
from pathlib import Path

import pytest

from assay.data import jsonl
from assay.records import Metric
from assay.results.results import Results, read_results
from assay.study.finding import changed_questions
from tests.support.journal import failed, judged, write_header, write_rows

COVERAGE = Metric(name="coverage", field="scores.gold_coverage")
LATENCY = Metric(name="latency", field="elapsed_s", better="lower")


def results(path: Path, rows: list[dict[str, object]]) -> Results:
    """The results of rows whose baseline is ``on``."""
    write_header(write_rows(path, rows), ["on", "off"])
    return read_results(path, (COVERAGE, LATENCY))


PAIRS = {"same": (1.0, 1.0), "lost": (1.0, 0.0), "half": (1.0, 0.5), "won": (0.0, 1.0)}


def rows() -> list[dict[str, object]]:
    """Four questions: alike, lost, half lost, won."""
    return [
        judged(name, variant, value, elapsed_s=value)
        for name, pair in PAIRS.items()
        for variant, value in zip(("on", "off"), pair, strict=True)
    ]


def test_losses_come_first_the_worst_before_the_rest(tmp_path: Path):
    """Unchanged questions are not there; both answers and both values are."""
    changes, total = changed_questions(results(tmp_path / "a.jsonl", rows()), COVERAGE, "off", "on")
    assert [one.question_id for one in changes] == ["lost", "half", "won"]
    assert total == 3
    assert (changes[0].before, changes[0].after) == (1.0, 0.0)
    assert changes[0].question == "What of lost?"
    assert changes[0].answer_before == "on on lost [1]."
    assert changes[0].answer_after == "off on lost [1]."


def test_a_longer_time_is_a_loss(tmp_path: Path):
    """Where lower is better, the greatest rise is the worst loss."""
    changes, _ = changed_questions(results(tmp_path / "a.jsonl", rows()), LATENCY, "off", "on")
    assert [one.question_id for one in changes] == ["won", "half", "lost"]


@pytest.mark.parametrize(("most", "shown"), [(1, 1), (2, 2), (0, 3), (20, 3)])
def test_as_many_are_listed_as_are_wanted(tmp_path: Path, most: int, shown: int):
    """The number of all is told whatever is shown; 0 shows all."""
    changes, total = changed_questions(
        results(tmp_path / "a.jsonl", rows()), COVERAGE, "off", "on", most=most
    )
    assert (len(changes), total) == (shown, 3)


def test_undefined_pairs_are_no_change(tmp_path: Path):
    """A question that failed in one variant has neither won nor lost."""
    made = [judged("q", "on", 1.0), failed("q", "off"), judged("r", "on", 1.0)]
    assert changed_questions(results(tmp_path / "a.jsonl", made), COVERAGE, "off", "on") == ([], 0)


def test_the_answers_are_those_of_the_row_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Of a question that was asked again the last answer is shown, though blocks lie between."""
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", 1 << 16)
    made: list[dict[str, object]] = [judged("q", "on", 0.5, answer="first"), judged("q", "off", 1)]
    made += [judged(f"r{n}", "on", 1.0, answer="x" * 500) for n in range(300)]
    made += [judged("q", "on", 0.0, answer="second")]
    found = results(tmp_path / "a.jsonl", made)
    assert len(found.blocks) > 2
    (change,), _ = changed_questions(found, COVERAGE, "off", "on")
    assert (change.before, change.answer_before) == (0.0, "second")


def test_a_placement_has_its_own_answers(tmp_path: Path):
    """A question at two placements is two items, each with what was answered there."""
    made = [
        judged("q", variant, value, top_k=top_k, answer=f"{variant} at {top_k}")
        for top_k in (10, 5)
        for variant, value in (("on", 1.0), ("off", 0.0))
    ]
    changes, _ = changed_questions(results(tmp_path / "a.jsonl", made), COVERAGE, "off", "on")
    assert [(one.question_id, one.answer_before, one.answer_after) for one in changes] == [
        ("q::topk=10", "on at 10", "off at 10"),
        ("q::topk=5", "on at 5", "off at 5"),
    ]


def test_rows_of_other_programs_may_lack_texts(tmp_path: Path):
    """An answer that is null or absent is shown as none, not as an error."""
    made = rows()
    made[2]["answer"] = None
    del made[3]["answer"], made[3]["question"]
    assert json.loads(json.dumps(made[2]))["answer"] is None
    changes, _ = changed_questions(results(tmp_path / "a.jsonl", made), COVERAGE, "off", "on")
    assert (changes[0].answer_before, changes[0].answer_after) == ("", "")
    assert changes[0].question == "What of lost?"
