"""Labels correct a check that is unsure of some answers, and a judge can settle these."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.cli.judge_text import calibration_text
from assay.config.workspace import Workspace
from assay.judge.calibration import Calibration, TrueRate
from assay.judge.draw import read_drawn
from assay.judge.labelled_answers import LabelCounts
from assay.judge.workbench import check_judge, labels_of, open_run, scores_of
from assay.study.labelled import analyse_labelled_run
from assay.study.recorded import RecordedRun
from assay.study.table import tables
from assay.words.language import speaking
from tests.support.judged import (
    FIRST,
    checked,
    drawn_labels,
    is_right,
    serve,
    write_checked,
    write_labels,
    write_verdicts,
    write_workspace,
)
from tests.support.program import Program

QUESTIONS = 140
SILENT = "http://127.0.0.1:9"
"""Nobody answers there."""


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return write_checked(write_workspace(tmp_path, SILENT, questions=QUESTIONS))


def unsure(variant: str = "on") -> set[str]:
    """The questions with an answer that the check is unsure of."""
    return {f"q{number}" for number in range(QUESTIONS) if checked(number, variant)[1]}


def label_drawn(assay: Program, journal: Path, count: int, *words: object) -> list[dict[str, Any]]:
    """Draw answers with the default of ``assay labels plan``, and label them as they are."""
    root = journal.parent.parent
    sheet, own = root / f"sheet-{count}.jsonl", root / "labels" / "trial.jsonl"
    given = ("labels", "plan", "trial", "--root", root, "--draw", count, "--out", sheet)
    ran = assay(*given, *words)
    assert ran.code == 0, ran.err
    earlier = [json.loads(line) for line in own.read_text().splitlines()] if own.exists() else []
    rows = [*earlier, *drawn_labels(sheet)]
    write_labels(root, rows)
    return rows


def found(journal: Path, judge: str | None = None, metric: str | None = None) -> Calibration:
    """What assay judge check finds."""
    run = open_run(Workspace.find(start=journal.parent), str(journal))
    chosen = scores_of(run, judge, metric)
    return check_judge(run, chosen, labels_of(run, None, chosen.rubric))


def test_without_a_judge_the_check_of_answers_is_corrected(assay: Program, journal: Path):
    """Answers that it is unsure of are likelier to be drawn, with the reason, and strata of their own."""
    label_drawn(assay, journal, 60)
    drawn = read_drawn(journal)
    chances = {row.why: row.probability for row in drawn}
    assert chances["the check is unsure"] == pytest.approx(2 * chances[""])
    assert {row.case_id for row in drawn if row.why} <= unsure()
    calibration = found(journal)
    assert calibration.judge == "answer_contained"
    sure, doubtful = calibration.certainty
    assert (sure.group, doubtful.group) == ("sure", "unsure")
    assert sure.errors.false_alarms == sure.errors.misses == 0
    assert doubtful.errors.false_alarms + doubtful.errors.misses > 0
    for rate in calibration.rates:
        truth = sum(is_right(n, rate.variant) for n in range(QUESTIONS)) / QUESTIONS
        interval = rate.corrected.interval
        assert interval is not None
        assert interval.low <= truth <= interval.high
        raw = sum(checked(n, rate.variant)[0] for n in range(QUESTIONS)) / QUESTIONS
        assert rate.corrected.raw == pytest.approx(raw)
    assert calibration.suggested is None  # a yes/no check has one threshold


@pytest.mark.parametrize("labels", [20, 60])
def test_a_check_is_not_called_a_judge(assay: Program, journal: Path, labels: int):
    """In all that is said about it, in three languages; JSON has its name under another key."""
    label_drawn(assay, journal, labels)
    calibration = found(journal)
    unequal = TrueRate(answers=60, is_guess=True)
    rates = [
        replace(rate, rogan_gladen_of_unlabelled_answers=unequal) for rate in calibration.rates
    ]
    said = [
        replace(calibration, errors_differ=p, rates=tuple(rates), counts=LabelCounts(unjudged=2))
        for p in (None, 0.001)
    ]
    for lang, word, alone in (
        ("en", "judge", "check alone"),
        ("zh", "评判", "仅检查"),
        ("ru", "судь", "только проверка"),
    ):
        with speaking(lang):
            text = "\n".join(line for each in said for line in calibration_text(each))
        assert word not in text
        assert alone in text
    words = ("trial", "--root", journal.parent.parent, "--json")
    checked_json = json.loads(assay("judge", "check", *words).out)
    planned = json.loads(assay("labels", "plan", *words).out)["plan"]
    for facts in (checked_json, planned):
        assert next(iter(facts.items())) == ("check", "answer_contained")
        assert "judge" not in facts


def test_judge_plan_is_the_same_command(assay: Program, journal: Path):
    """Its name of before gives the same plan."""
    words = ("plan", "trial", "--root", journal.parent.parent)
    assert assay("judge", *words).out == assay("labels", *words).out
    assert "answer_contained: labels for" in assay("labels", *words).out


def test_abstention_is_labelled_with_a_file_of_its_own(assay: Program, journal: Path):
    """The labels of the workspace say whether answers are right, so they do not count for it."""
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    for number, row in enumerate(rows):
        row["abstained"] = number % 3 == 0
        row.pop("at_least", None)
        if number % 9 == 0:
            row["at_least"] = {"abstained": 0.0}
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    labels = label_drawn(assay, journal, 50, "--metric", "abstained")
    assert {row.why for row in read_drawn(journal)} == {"", "the check is unsure"}
    words = ("judge", "check", "trial", "--root", journal.parent.parent, "--metric", "abstained")
    assert "give --labels FILE with labels about this metric" in assay(*words).err
    own = journal.parent.parent / "own.jsonl"
    own.write_text("".join(json.dumps(row) + "\n" for row in labels))
    assert "abstained against 100 labelled answers" in assay(*words, "--labels", own).out


def test_reports_say_the_corrected_rate_beside_that_of_the_check(assay: Program, journal: Path):
    """One line for each variant, if enough of the drawn answers have labels."""
    label_drawn(assay, journal, 20)
    cells = [
        each.cells["answer_contained"] for each in analyse_labelled_run(journal).analysis.variants
    ]
    assert [cell.corrected for cell in cells] == [None, None]
    label_drawn(assay, journal, 60)
    findings = analyse_labelled_run(journal)
    for variant in findings.analysis.variants:
        corrected = variant.cells["answer_contained"].corrected
        assert corrected is not None
        assert corrected.labelled == 60
    notes = " ".join(note for table in tables(findings) for note in table.notes)
    assert "the mean of the labels is no rate of all answers; the corrected rate is one" in notes
    assert "Answer right, on, corrected by 60 labels of people: 0." in notes


def test_a_damaged_file_of_labels_costs_a_run_nothing(assay: Program, journal: Path):
    """The figures of the run are there without the corrected rate."""
    label_drawn(assay, journal, 60)
    recorded = RecordedRun(journal, "ablation").findings.analysis.variants
    assert recorded[0].cells["answer_contained"].corrected is not None
    (journal.parent.parent / "labels" / "trial.jsonl").write_text("no label\n{}\n")
    recorded = RecordedRun(journal, "ablation").findings.analysis.variants
    assert recorded[0].cells["answer_contained"].corrected is None


def test_the_gate_decides_by_the_corrected_difference(assay: Program, journal: Path):
    """Both sides have drawn labels; without them, or with too few, the check alone decides."""

    def compare(*words: object) -> Any:
        return assay(
            "compare", "--base", journal, "--cand", journal, "--base-variant", "off",
            "--variant", "on", "--metric", "answer_contained", "--max-regressions", 50, *words,
        )  # fmt: skip

    assert "corrected" not in compare().out
    label_drawn(assay, journal, 20)
    assert "corrected    none: the check alone decides (20 labels of randomly" in compare().out
    label_drawn(assay, journal, 60)
    facts = json.loads(compare("--format", "json").out)
    assert facts["correction"]["used"] == "corrected"
    assert facts["delta"] == pytest.approx(facts["correction"]["difference"]["estimate"])
    assert facts["delta"] == pytest.approx(0.2, abs=0.12)
    assert "decides (120 labels" in compare().out
    failed = compare("--min-delta", 0.6)
    assert failed.code == 1
    assert "answer_contained, corrected by labels, became better by only" in failed.out


def test_a_corrected_metric_that_is_better_when_lower_keeps_its_direction(
    assay: Program, journal: Path
):
    """More refusals are worse, whatever the sign of the difference says."""
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    for row in rows:
        number = int(row["question_id"].removeprefix("q"))
        row["scores"]["wrong_abstention"] = is_right(number, row["config"])
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    labels = label_drawn(assay, journal, 60)
    own = journal.parent.parent / "own.jsonl"
    own.write_text("".join(json.dumps(row) + "\n" for row in labels))
    ran = assay(
        "compare", "--base", journal, "--cand", journal, "--base-variant", "off", "--variant",
        "on", "--metric", "wrong_abstention", "--max-regressions", 50, "--labels", own,
    )  # fmt: skip
    assert ran.code == 1
    assert "wrong_abstention, corrected by labels, became worse by" in ran.out


def test_a_judge_is_asked_about_unsure_answers_only(assay: Program, tmp_path: Path):
    """The others are counted, an estimate has these calls only, and the rate is settled."""
    with serve(lambda body: json.dumps({"reason": "r", "verdict": truth(body)})) as server:
        journal = write_checked(write_workspace(tmp_path, server.base_url, questions=QUESTIONS))
        words = ("judge", "trial", "--judge", "correct", "--root", tmp_path, "--unsure")
        estimate = assay(*words, "--dry-run")
        assert server.completed.calls == 0
        count = len(unsure("on")) + len(unsure("off"))
        sure = f"not judged: {2 * QUESTIONS - count} answers: the check is sure of it"
        assert sure in estimate.out
        ran = assay(*words)
        assert f"{count} of {count} judged" in ran.out
    assert "answer_contained, settled by judge correct: off 0.600, on 0.800" in ran.out
    label_drawn(assay, journal, 60, "--metric", "answer_contained")
    settled = found(journal, "correct", "answer_contained")
    assert settled.judge == "answer_contained+judge.correct"
    assert settled.certainty == ()
    assert [rate.corrected.raw for rate in settled.rates] == [0.6, 0.8]


def truth(body: dict[str, Any]) -> str:
    """The verdict of a judge that never errs."""
    text = body["messages"][1]["content"]
    number = int(text.split("has case ")[1].split("?")[0])
    return "right" if f"It is {number} days." in text else "wrong"


def test_a_judge_settles_only_what_it_is_asked(assay: Program, journal: Path):
    """A judge of correctness cannot say whether an answer abstains."""
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    journal.write_text("".join(json.dumps({**row, "abstained": False}) + "\n" for row in rows))
    write_verdicts(journal, FIRST)
    words = ("judge", "check", "trial", "--root", journal.parent.parent, "--judge", "correct")
    assert (
        "its rubric, correctness, asks something else" in assay(*words, "--metric", "abstained").err
    )
