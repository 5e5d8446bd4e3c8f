"""Measures of correctness that moved the other way than the compared metric."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from assay.gate.compared_run import ComparedCase, ComparedRun, OtherMetric
from assay.gate.gate import Comparison, compare
from assay.gate.report import as_json, as_markdown, suites
from assay.gate.report_wording import as_text
from assay.records import Metric
from assay.report.junit import as_junit
from assay.words.language import Lang
from assay.words.message import text_of
from tests.support.program import program

F1 = Metric(name="answer_f1", field="scores.answer_f1")
CONTAINED = Metric(name="answer_contained", field="scores.answer_contained", kind="rate")
SLOW = Metric(name="avg_latency_s", field="elapsed_s", better="lower", unit="s")
CAREFUL = """
def careful(question):
    return "It is Anna de Vries." if "chairs" in question else "The document does not say."

def inventive(question):
    return "It is Anna de Vries."
"""
SYSTEM = """
def long(question):
    return "As section four of the handbook says in so many words, it is 12 crowns a day."

def short(question):
    return "20 crowns a day"
"""


def cases(values: Sequence[float | None]) -> dict[tuple[str, str], ComparedCase]:
    """The questions q0, q1 and so on with these values."""
    return {
        (f"q{number}", ""): ComparedCase(status="scored", value=value)
        for number, value in enumerate(values)
    }


def gate(
    before: tuple[Sequence[float | None], Sequence[float | None]],
    after: tuple[Sequence[float | None], Sequence[float | None]],
    *,
    metric: Metric = F1,
    stops_early: bool = False,
) -> Comparison:
    """Compare two runs by ``metric``; the second values are those of ``CONTAINED``."""
    base, cand = (
        ComparedRun(
            path=Path(name),
            job="ablation",
            metric=metric,
            items=cases(values),
            state="complete",
            others=(OtherMetric(metric=CONTAINED, items=cases(others)),),
            stops_early=stops_early,
        )
        for name, (values, others) in (("base", before), ("cand", after))
    )
    return compare(base, cand)


def test_a_passed_gate_says_that_answers_became_wrong():
    """All forms of the report name the metric with its values, before the figures."""
    comparison = gate(([0.3] * 8, [1.0] * 8), ([0.7] * 8, [0.0] * 8))
    assert comparison.passed
    expected = "answer_contained became worse by more than noise (1.0000 → 0.0000, p = 0.0039)"
    assert as_text(comparison).splitlines()[1].startswith(f"warning      {expected}")
    markdown = as_markdown(comparison)
    assert markdown.index("answer_contained became worse") < markdown.index("| --- |")
    content = json.loads(as_json(comparison))
    assert content["contrary"] == [
        {
            "metric": "answer_contained", "base": 1.0, "candidate": 0.0, "pairs": 8,
            "p": 0.00390625, "verdict": "worse",
        }
    ]  # fmt: skip
    assert content["warnings"][0].startswith(expected)
    junit = as_junit(suites(comparison), timestamp="2026-01-02T03:04:05Z")
    assert f'<skipped message="{expected}' in junit
    assert f'<property name="warning" value="{expected}' in junit


def test_a_loss_on_questions_that_the_metric_is_not_about_needs_no_test():
    """Three refusals became inventions, and the compared metric has no value for these questions."""
    before = ([1.0] * 8 + [None] * 3, [None] * 8 + [1.0] * 3)
    after = ([1.0] * 8 + [None] * 3, [None] * 8 + [0.0] * 3)
    comparison = gate(before, after)
    assert comparison.passed
    (warning,) = comparison.warnings
    expected = "answer_contained is worse (1.0000 → 0.0000, p = 0.1250), which noise may explain, and answer_f1 is not"
    assert str(warning).startswith(f"{expected} about these questions")
    assert not gate(after, before).warnings


def test_a_failed_gate_says_that_answers_became_right():
    """The other direction is a contradiction as well."""
    comparison = gate(([0.7] * 8, [0.0] * 8), ([0.3] * 8, [1.0] * 8))
    assert "became better by more than noise" in str(comparison.warnings[0])


def test_a_metric_that_did_not_change_hides_a_loss():
    """No gain and no loss of the compared metric, and right answers became wrong."""
    comparison = gate(([0.5] * 8, [1.0] * 8), ([0.5] * 8, [0.0] * 8))
    assert comparison.passed
    assert [each.metric for each in comparison.contrary] == ["answer_contained"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (([0.3] * 8, [0.0] * 8), ([0.7] * 8, [1.0] * 8)),  # both rise
        (([0.3] * 8, [1.0] * 8), ([0.7] * 8, [1.0] * 7 + [0.0])),  # noise may explain it
        (([0.3] * 8, [None] * 8), ([0.7] * 8, [None] * 8)),  # nothing is known
    ],
)
def test_no_warning_without_a_shown_contradiction(
    before: tuple[list[float], list[float | None]], after: tuple[list[float], list[float | None]]
):
    """What moves the same way, by chance or not at all says nothing."""
    assert not gate(before, after).warnings


def test_slower_and_better_is_no_contradiction():
    """Better answers may take longer; worse ones are told even where the latency is compared."""
    slower = gate(([1.0] * 8, [0.0] * 8), ([2.0] * 8, [1.0] * 8), metric=SLOW)
    faster = gate(([2.0] * 8, [1.0] * 8), ([1.0] * 8, [0.0] * 8), metric=SLOW)
    assert (len(slower.warnings), len(faster.warnings)) == (0, 1)


def test_runs_that_stopped_early_have_no_test():
    """The answers decided how many questions were asked, so nothing is shown."""
    assert not gate(([0.3] * 8, [1.0] * 8), ([0.7] * 8, [0.0] * 8), stops_early=True).warnings


def test_a_gate_by_right_answers_warns_of_invented_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Questions without an answer have no expected one, so only their abstention rate shows it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "careful_rag.py").write_text(CAREFUL, encoding="utf-8")
    rows = [
        {"id": "a", "question": "Who chairs the board?", "answer": "Anna de Vries"},
        {"id": "b", "question": "Who audits it?", "answerable": False},
    ]
    (tmp_path / "q.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assay = program(capsys)
    for name in ("careful", "inventive"):
        system = f"python:careful_rag:{name}"
        assay("run", "--questions", "q.jsonl", "--system", system, "--name", name, "--no-report")
    passed = assay("compare", "--base", "careful", "--cand", "inventive")
    assert passed.code == 0
    assert "warning      correct_abstention_rate is worse (1.0000 → 0.0000" in passed.out
    told = assay("compare", "--base", "careful", "--cand", "inventive", "--lang", "zh")
    assert "correct_abstention_rate 变差" in told.out


@pytest.mark.parametrize("lang", ["zh", "ru"])
def test_the_warning_is_translated(lang: Lang):
    """The numbers stay, the words change."""
    for values in ((0.3, 0.7), (0.7, 0.3)):
        right = [1.0 if value < 0.5 else 0.0 for value in values]
        sides = [([value] * 8, [each] * 8) for value, each in zip(values, right, strict=True)]
        (warning,) = gate(sides[0], sides[1]).warnings
        told = text_of(warning, lang)
        assert "noise" not in told
        assert "p = 0.0039" in told


def test_short_wrong_answers_do_not_pass_for_long_right_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Without gold the gate compares by what is right; by shared words it passes with a warning."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "contrary_rag.py").write_text(SYSTEM, encoding="utf-8")
    rows = "".join(f"What does boat {number} cost?,12 crowns a day\n" for number in range(8))
    (tmp_path / "q.csv").write_text(f"question,answer\n{rows}", encoding="utf-8")
    assay = program(capsys)
    for name in ("long", "short"):
        system = f"python:contrary_rag:{name}"
        assay("run", "--questions", "q.csv", "--system", system, "--name", name, "--no-report")
    failed = assay("compare", "--base", "long", "--cand", "short")
    assert failed.code == 1
    assert "metric       Answer right (answer_contained" in failed.out
    passed = assay("compare", "--base", "long", "--cand", "short", "--metric", "answer_f1")
    assert passed.code == 0
    assert "answer_contained became worse by more than noise (1.0000 → 0.0000" in passed.out
    as_xml = ("--metric", "answer_f1", "--format", "junit", "--lang", "ru")
    told = assay("compare", "--base", "long", "--cand", "short", *as_xml)
    assert "answer_contained: стало хуже" in told.out
    assert "внимание: answer_contained" in told.err
    summary = tmp_path / "experiments/long.json"
    summary.write_text(
        summary.read_text(encoding="utf-8").replace(
            '"headline": "answer_contained"', '"headline": "answer_f1"'
        ),
        encoding="utf-8",
    )
    earlier = assay("compare", "--base", "long", "--cand", "short")
    assert earlier.code == 1, "a baseline of an earlier version does not let shared words decide"
    assert "the main metric of the base is answer_f1, but answer_contained decides" in earlier.out
