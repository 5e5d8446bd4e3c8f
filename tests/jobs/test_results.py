"""A journal in columns: the same numbers that a plain reading of its rows gives."""

import json
import math
import random
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from assay.data import jsonl
from assay.errors import JournalCorrupt, UseError
from assay.records import Metric, Tally
from assay.results import results as results_module
from assay.results.column import SkippedStage
from assay.results.results import Results, read_results
from assay.results.run_cases import RunCases
from assay.stats.analysis import analyse
from tests.support.journal import answered, failed, judged, row, skipped, write_header, write_rows

COVERAGE = Metric(name="coverage", field="scores.gold_coverage")
CITED = Metric(name="cited", field="scores.cite_ok", kind="rate")
LATENCY = Metric(name="latency", field="elapsed_s", better="lower", unit="s")
METRICS = (COVERAGE, CITED, LATENCY)


def read(path: Path) -> Results:
    """The three metrics of a journal."""
    return read_results(path, METRICS, flags=("answerable",))


def cell(results: Results, metric: Metric, variant: str, item: str) -> float:
    """One value; NaN where there is none."""
    scores = results.scores
    place = scores.variants.index(variant), scores.items.index(item)
    return float(scores.values[metric.field][place])


def test_columns_equal_a_plain_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Thousands of rows in disorder, failures asked again: value by value, over many blocks."""
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", 1 << 16)
    dice = random.Random(3)
    rows: list[dict[str, Any]] = []
    for number in range(600):
        for variant in ("on", "off", "third"):
            made = judged(f"q{number}", variant, dice.random(), elapsed_s=dice.random())
            made["scores"]["cite_ok"] = dice.random() < 0.5
            made["source"] = f"d{number % 7}"
            made |= {"cost": dice.random(), "usage": {"calls": 2, "prompt_tokens": number}}
            ending = dice.choice([answered, failed, skipped, None, None, None])
            rows.append(ending(f"q{number}", variant) if ending else made)
            if dice.random() < 0.2:
                rows.append(made)
    dice.shuffle(rows)
    path = write_rows(tmp_path / "a.jsonl", rows)
    found = read(path)
    assert len(found.blocks) > 5
    last = {(one["config"], one["question_id"]): one for one in rows}
    assert set(found.scores.items) == {one["question_id"] for one in rows}
    assert found.rows == len(rows)
    assert found.replaced == len(rows) - len(last)
    statuses = {"scored": 1, "failed": 2, "skipped": 3, "answered": 4}
    for v, variant in enumerate(found.scores.variants):
        for i, item in enumerate(found.scores.items):
            one = last[variant, item]
            assert found.scores.status[v, i] == statuses[one["status"]]
            for metric in METRICS:
                value: Any = one if one["status"] == "scored" else {}
                for step in metric.field.split("."):
                    value = value.get(step, {})
                seen = float(found.scores.values[metric.field][v, i])
                assert math.isnan(seen) if value == {} else seen == pytest.approx(float(value))
        mine = [one for one in rows if one["config"] == variant]
        bill = found.bills[variant]
        assert bill.calls == sum(one.get("usage", {}).get("calls", 0) for one in mine)
        assert bill.cost == pytest.approx(sum(one.get("cost", 0) for one in mine))
        assert bill.paid is None


def test_the_order_of_rows_changes_no_digit(tmp_path: Path):
    """What was answered first is chance: items, clusters and every statistic are the same."""
    dice = random.Random(5)
    rows = [
        judged(
            f"q{number}",
            variant,
            dice.random(),
            elapsed_s=dice.random(),
            source=f"d{number % 20}" if number % 5 else None,
            cost=dice.random() / 7,
        )
        for number in range(150)
        for variant in ("on", "off")
    ]
    analyses = []
    for turn in range(3):
        dice.shuffle(rows)
        journal = write_rows(tmp_path / f"{turn}.jsonl", rows)
        write_header(journal, ["on", "off"])
        found = read(journal)
        analyses.append((analyse(found.scores, METRICS, baseline="on"), found.bills))
        assert found.scores.clusters is not None
    assert analyses[0] == analyses[1] == analyses[2]
    assert analyses[0][0].unit == "document"


def test_the_last_row_of_a_key_wins(tmp_path: Path):
    """A failure that was asked again is one case, scored; its cost is counted all the same."""
    path = write_rows(
        tmp_path / "a.jsonl",
        [
            failed("q", "on", cost=0.25, usage={"calls": 1}),
            judged("q", "on", 0.5, cost=0.5, usage={"calls": 1, "replayed_calls": 1}),
            judged("r", "on", 0.5),
            failed("r", "on"),
        ],
    )
    found = read(path)
    assert found.scores.tally("on") == Tally(scored=1, failed=1)
    assert cell(found, COVERAGE, "on", "q") == 0.5
    assert math.isnan(cell(found, COVERAGE, "on", "r"))
    assert (found.rows, found.replaced) == (4, 2)
    bill = found.bills["on"]
    assert (bill.calls, bill.replayed_calls, bill.cost) == (2, 1, 0.75)


def test_what_has_no_score_is_undefined_not_zero(tmp_path: Path):
    """Failed and skipped rows are NaN, even where they carry a number; so are null and absent."""
    rows = [
        failed("a", "on", elapsed_s=9.0, scores={"gold_coverage": 1.0}),
        skipped("b", "on"),
        judged("c", "on", None),
        row("d", "on"),
    ]
    found = read(write_rows(tmp_path / "a.jsonl", rows))
    for item in "abcd":
        assert math.isnan(cell(found, COVERAGE, "on", item))
    assert np.isnan(found.scores.values["elapsed_s"]).tolist() == [[True, True, False, True]]
    assert found.scores.tally("on") == Tally(scored=2, failed=1, skipped=1)
    assert found.bills["on"].cost is None


def test_a_torn_end_is_left_out(tmp_path: Path):
    """A line without its newline is not yet a row, whether it could be read or not."""
    for end in ('{"key": "r::on', json.dumps(judged("r", "on", 1.0))):
        found = read(write_rows(tmp_path / "a.jsonl", [judged("q", "on", 0.5)], end=end))
        assert found.scores.items == ("q",)


@pytest.mark.parametrize("bad", ["{oops", '"text"', '{"question_id": "no key"}'])
def test_a_corrupt_line_is_named(tmp_path: Path, bad: str):
    """Exactly the line is told, and nothing is guessed."""
    path = write_rows(tmp_path / "a.jsonl", [judged("q", "on", 0.5)], end=f"\n{bad}\n")
    with pytest.raises(JournalCorrupt, match=r"a\.jsonl:3: "):
        read(path)


@pytest.mark.parametrize("value", [7.5, -1, 10**400], ids=["large", "negative", "huge"])
def test_a_share_that_cannot_exist_is_refused(tmp_path: Path, value: float):
    """A coverage of 7.5 enters no mean; the message has the key and the value."""
    path = tmp_path / "a.jsonl"
    write_rows(path, [judged("q", "on", 1.0), judged("r", "on", value)])
    with pytest.raises(
        JournalCorrupt, match=r"r::on::\S+: scores.gold_coverage is \S+, but it is a"
    ):
        read(path)


def test_a_first_line_of_metadata_is_no_row(tmp_path: Path):
    """Other programs begin their files with a header."""
    path = write_rows(tmp_path / "a.jsonl", [{"made_by": "x"}, judged("q", "on", 0.5)])
    found = read(path)
    assert (found.rows, found.scores.variants, found.scores.items) == (1, ("on",), ("q",))


def test_variants_are_in_the_header_s_order_and_unknown_ones_after(tmp_path: Path):
    """A variant that is not in the summary any more is shown; one without a row is empty."""
    path = write_rows(tmp_path / "a.jsonl", [judged("q", "gone", 0.5), judged("q", "on", 1.0)])
    write_header(path, ["off", "on"])
    found = read(path)
    assert found.scores.variants == ("off", "on", "gone")
    assert found.scores.tally("off") == Tally()
    assert cell(found, COVERAGE, "gone", "q") == 0.5


def test_placements_that_vary_are_items_of_their_own(tmp_path: Path):
    """A question at two placements is paired with itself at the same placement."""
    rows = [
        judged("q", variant, value, top_k=top_k)
        for variant in ("on", "off")
        for top_k, value in ((10, 1.0), (5, 0.25))
    ]
    found = read(write_rows(tmp_path / "a.jsonl", rows))
    assert found.scores.items == ("q::topk=10", "q::topk=5")
    assert cell(found, COVERAGE, "off", "q::topk=5") == 0.25
    assert found.questions == 1
    assert found.scores.questions is not None
    assert found.scores.questions.tolist() == [0, 0]
    turned = read(write_rows(tmp_path / "b.jsonl", rows[::-1]))
    assert turned.scores.items == found.scores.items  # whichever row came first
    alone = read_results(tmp_path / "a.jsonl", METRICS, cases=RunCases(placements={"topk=5"}))
    assert alone.scores.items == ("q",)
    assert alone.scores.questions is None


def test_the_question_of_each_item_is_known(tmp_path: Path):
    """Also if an id contains what separates it from the placement; the order changes nothing."""
    rows = [judged(name, "on", 1.0, top_k=k) for name in ("q::b", "q", "a") for k in (10, 5, 2)]
    random.Random(1).shuffle(rows)
    found = read(write_rows(tmp_path / "a.jsonl", rows))
    assert found.questions == 3
    assert found.scores.questions is not None
    groups: dict[int, set[str]] = {}
    for item, question in zip(found.scores.items, found.scores.questions.tolist(), strict=True):
        groups.setdefault(question, set()).add(item.rpartition("::")[0])
    assert sorted(map(sorted, groups.values())) == [["a"], ["q"], ["q::b"]]


def test_items_without_a_source_stand_for_themselves(tmp_path: Path):
    """Documents are numbered as they come; no source anywhere means no clusters."""
    rows = [
        judged(name, "on", 1.0, source=source)
        for name, source in (("a", "x"), ("b", None), ("c", "y"), ("d", "x"), ("e", None))
    ]
    found = read(write_rows(tmp_path / "a.jsonl", rows))
    assert found.scores.clusters is not None
    a, b, c, d, e = found.scores.clusters.tolist()
    assert a == d
    assert len({a, b, c, e}) == 4
    bare = read(write_rows(tmp_path / "b.jsonl", [judged("a", "on", 1.0)]))
    assert bare.scores.clusters is None


def test_an_empty_journal_has_no_items(tmp_path: Path):
    """A run that was just begun can be read; one that is not there cannot."""
    path = tmp_path / "a.jsonl"
    path.touch()
    write_header(path, ["on", "off"])
    found = read(path)
    assert (found.scores.items, found.scores.variants) == ((), ("on", "off"))
    with pytest.raises(UseError, match="no such file"):
        read(tmp_path / "b.jsonl")


def test_a_replayed_latency_is_remembered(tmp_path: Path):
    """One row that was partly replayed is enough for the note below the table."""
    rows = [judged("q", "on", 1.0), judged("r", "on", 1.0, latency_replayed=True)]
    assert read(write_rows(tmp_path / "a.jsonl", rows)).replayed_latency
    assert not read(write_rows(tmp_path / "b.jsonl", rows[:1])).replayed_latency


def test_an_answer_that_is_not_judged_yet_is_counted_separately(tmp_path: Path):
    """It has no value, even if a row of it carries numbers, and it is no failure."""
    rows = [
        judged("q", "on", 1.0),
        answered("q", "on", elapsed_s=3.0),
        answered("r", "on"),
        judged("r", "on", 0.5),
    ]
    found = read(write_rows(tmp_path / "a.jsonl", rows))
    assert found.scores.tally("on") == Tally(scored=1, answered=1)
    assert math.isnan(cell(found, COVERAGE, "on", "q"))
    assert math.isnan(cell(found, LATENCY, "on", "q"))
    assert cell(found, COVERAGE, "on", "r") == 0.5


def test_the_cost_of_judges_is_separate(tmp_path: Path):
    """What judging costs is added up by itself; without judges the bill does not mention it."""
    rows = [
        answered("q", "on", cost=0.5, usage={"calls": 1}),
        judged("q", "on", 1.0, judge_cost=0.25, judge_paid=0.125),
        judged("q", "off", 1.0),
    ]
    bills = read(write_rows(tmp_path / "a.jsonl", rows)).bills
    assert (bills["on"].calls, bills["on"].cost) == (1, 0.5)
    assert (bills["on"].judge_cost, bills["on"].judge_paid) == (0.25, 0.125)
    assert "judge_cost" not in msgspec.to_builtins(bills["off"])


def test_the_rows_of_a_job_come_from_the_same_reading(tmp_path: Path):
    """The last row of each key is kept in the job's own type; other placements are left out."""

    class Verdict(msgspec.Struct):
        key: str = ""
        schema_version: int = 0
        answer: str = ""

    rows = [
        {"made_by": "x"},
        judged("q", "on", 0.0, answer="first"),
        judged("q", "on", 1.0, answer="last"),
        judged("q", "on", 1.0, top_k=5, answer="elsewhere"),
    ]
    path = write_rows(tmp_path / "a.jsonl", rows)
    results = read_results(path, METRICS, cases=RunCases(placements={"topk=10"}), job_row=Verdict)
    assert {key: row.answer for key, row in results.job_rows.items()} == {"q::on::topk=10": "last"}
    assert results.scores.items == ("q",)


def test_more_items_than_the_summary_promises_are_read(tmp_path: Path):
    """The summary says how much room is needed; rows beyond that are rows all the same."""
    rows = [judged(f"q{n:04}", variant, 0.5) for n in range(1500) for variant in ("on", "new")]
    path = write_rows(tmp_path / "a.jsonl", rows)
    write_header(path, ["on"])
    found = read(path)
    assert found.scores.tally("on") == found.scores.tally("new") == Tally(scored=1500)


@pytest.mark.parametrize("seconds", [10**400, 2**70])
def test_a_time_that_no_float_can_hold_is_refused(tmp_path: Path, seconds: int):
    """An integer of 400 digits is no time either."""
    rows = [judged("q", "on", 1.0, elapsed_s=seconds)]
    with pytest.raises(JournalCorrupt, match="a time is not above"):
        read(write_rows(tmp_path / "a.jsonl", rows))


@pytest.mark.parametrize("seconds", [-5, -0.001])
def test_a_negative_time_is_refused(tmp_path: Path, seconds: float):
    """A mean over it would be no time; the message has the key of the row."""
    rows = [judged("q", "on", 1.0), judged("r", "on", 1.0, elapsed_s=seconds)]
    path = write_rows(tmp_path / "a.jsonl", rows)
    with pytest.raises(
        JournalCorrupt, match=r"r::on::\S+: elapsed_s is \S+, but a time is not below 0"
    ):
        read(path)


def test_stages_that_failed_are_counted_by_variant(tmp_path: Path):
    """A stage that was switched off and a row that was replaced do not count."""
    off = [{"name": "rerank", "elapsed_s": 0.0, "skipped": "llm_rerank_enabled is off"}]
    bad = [{"name": "rerank", "elapsed_s": 0.1, "skipped": 'no grades: one "two"'}]
    other = [{"name": "rerank", "elapsed_s": 0.1, "skipped": "no grades: 'three'"}]
    rows = [
        judged("a", "off", 1.0, stages=off),
        judged("a", "on", 1.0, stages=bad),
        judged("b", "on", 1.0, stages=bad),
        judged("c", "on", 1.0, stages=other),
        judged("b", "on", 1.0, stages=[{"name": "rerank", "elapsed_s": 0.1}]),
        failed("d", "on", stages=bad),
    ]
    expected = SkippedStage(variant="on", stage="rerank", cases=2, reason="no grades")
    assert read(write_rows(tmp_path / "a.jsonl", rows)).skipped_stages == (expected,)


def test_only_the_last_row_says_whether_an_answer_was_cut_off(tmp_path: Path):
    """A failed case and an answer that was asked again do not count."""
    rows = [
        judged("a", "on", 1.0, finish_reason="length"),
        judged("b", "on", 1.0, finish_reason="length"),
        judged("c", "on", 1.0, finish_reason="stop"),
        judged("b", "on", 1.0, finish_reason="stop"),
        failed("d", "on", finish_reason="length"),
    ]
    assert read(write_rows(tmp_path / "a.jsonl", rows)).cut == 1


@pytest.mark.parametrize("block_bytes", [1, 1 << 12, 1 << 18])
@pytest.mark.parametrize("batch", [1, 3, 2048])
def test_blocks_and_batches_change_no_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block_bytes: int, batch: int
):
    """Rows of other placements, variants and questions are distinguished in any block of the file."""
    dice = random.Random(8)
    rows = [
        judged(f"q{dice.randrange(9)}", dice.choice(("on", "off", "old")), dice.random(), top_k=k)
        for k in (*[10] * 60, *[5, 10] * 10)
    ]
    path = write_rows(tmp_path / "a.jsonl", rows)
    wanted = {f"q{number}" for number in range(7)}
    cases = RunCases(names=wanted, variants={"on", "off"}, placements={"topk=10", "topk=5"})
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", block_bytes)
    monkeypatch.setattr(results_module, "BATCH", batch)
    found = read_results(path, METRICS, cases=cases)
    mine = [one for one in rows if one["key"] in cases]
    assert (found.rows, found.outside) == (
        len(mine),
        len({one["key"] for one in rows if one["key"] not in cases}),
    )
    last = {one["key"]: one["scores"]["gold_coverage"] for one in mine}
    for item in found.scores.items:
        question, placement = item.split("::")
        for variant in ("on", "off"):
            value = last.get(f"{question}::{variant}::{placement}", math.nan)
            assert cell(found, COVERAGE, variant, item) == pytest.approx(value, nan_ok=True)
