from pathlib import Path

import pytest

from assay.judge.label import Label, text_hash
from assay.judge.label_store import append, labels_path
from assay.study.analysis import analyse_run
from assay.study.labelled import LABEL_METRIC, analyse_labelled_run
from assay.study.page import write_report
from tests.support.page import write_study


def say(journal: Path, case: str, variant: str, verdict: str, **fields: object) -> None:
    """Label the present answer of a case."""
    known = {"labeller": "ann", "answer_hash": text_hash(f"{variant} on {case} [1].")} | fields
    label = Label(run="a", case_id=case, variant=variant, time="", verdict=verdict, **known)  # type: ignore[arg-type]
    append(labels_path(journal), label)


@pytest.fixture(name="journal")
def _journal(tmp_path: Path) -> Path:
    return write_study(tmp_path / "experiments" / "a.jsonl")


def test_labels_are_a_metric_beside_the_others(journal: Path):
    """With their number, an interval, and the difference between variants."""
    for number in range(8):
        say(journal, f"q{number}", "on", "right")
        say(journal, f"q{number}", "off", "wrong" if number < 7 else "partly")
    findings = analyse_labelled_run(journal)
    on, off = findings.analysis.variants
    assert (on.cells["label"].value, on.cells["label"].n) == (1.0, 8)
    assert (off.cells["label"].value, off.cells["label"].n) == (0.0625, 8)
    assert off.cells["label"].interval is not None
    (effect,) = [each for each in findings.analysis.effects if each.metric == "label"]
    assert effect.difference == pytest.approx(-0.9375)
    assert findings.metrics[-1] == LABEL_METRIC
    page = write_report(findings, charts=None).page.read_text(encoding="utf-8")
    assert "Labels of people: 16 of 20 answers are labelled" in page


def test_people_are_averaged_and_what_nobody_can_tell_has_no_value(journal: Path):
    """Two people who differ give a half; "cannot tell" is left out."""
    say(journal, "q0", "on", "right")
    say(journal, "q0", "on", "wrong", labeller="bo")
    say(journal, "q1", "on", "unclear")
    cell = analyse_labelled_run(journal).analysis.variants[0].cells["label"]
    assert (cell.value, cell.n) == (0.5, 1)


def test_labels_of_another_version_do_not_count(journal: Path):
    """The answer was asked again and is another one now; nor do unknown cases and variants."""
    say(journal, "q0", "on", "right", answer_hash="0123456789abcdef")
    say(journal, "gone", "on", "right")
    say(journal, "q0", "third", "right")
    plain, labelled = analyse_run(journal), analyse_labelled_run(journal)
    assert labelled.metrics == plain.metrics
    assert labelled.analysis.effects == plain.analysis.effects
