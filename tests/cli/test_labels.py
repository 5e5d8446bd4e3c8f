"""``assay labels``: agreement, export and import."""

import json
from pathlib import Path

import pytest

from assay.judge.label import Label
from assay.judge.label_store import append
from tests.support.page import write_study
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Program:
    write_study(tmp_path / "experiments" / "a.jsonl")
    monkeypatch.chdir(tmp_path)
    return program(capsys)


def label_some() -> None:
    """Two people label six answers and differ on one."""
    for number in range(6):
        for person in ("ann", "bo"):
            differs = number == 4 and person == "bo"
            append(
                Path("labels/a.jsonl"),
                Label(
                    run="experiments/a",
                    case_id=f"q{number}",
                    variant="on",
                    answer_hash="h",
                    labeller=person,
                    time="",
                    verdict="wrong" if number % 2 or differs else "right",
                ),
            )


def test_agreement_is_printed_with_intervals(assay: Program):
    """People, pairs, all together, and the answers on which they differ."""
    label_some()
    lines = assay("labels", "agreement", "a").out.splitlines()
    assert lines[0].endswith("labels/a.jsonl: 6 answers labelled")
    assert lines[1] == "  ann: 6 (right 3, partly 0, wrong 3, cannot tell 0)"
    assert lines[3].startswith("ann and bo: 5 of 6 answers the same, Cohen's kappa 0.667 [")
    assert lines[4].startswith("Krippendorff's alpha 0.686 [")
    assert lines[5:] == [
        "1 answer with different verdicts:",
        "  q4, on: ann right, bo wrong",
    ]
    fields = json.loads(assay("labels", "agreement", "a", "--json").out)
    assert fields["pairs"][0]["kappa"] == pytest.approx(2 / 3)
    assert len(fields["disagreements"]) == 1


def test_equal_answers_of_variants_count_once_and_are_said(assay: Program):
    """The number differs from that of the page and of an import, so the line says why."""
    for variant in ("on", "off"):
        label = Label(
            run="experiments/a",
            case_id="q0",
            variant=variant,
            answer_hash="h",
            labeller="ann",
            time="",
            verdict="right",
        )
        append(Path("labels/a.jsonl"), label)
    lines = assay("labels", "agreement", "a").out.splitlines()
    assert lines[0].endswith("1 answer labelled")
    said = "  equal answers of several variants count once; with all of them it is 2"
    assert lines[1] == said


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_labels_travel(assay: Program, tmp_path: Path, form: str):
    """Another workspace with the same run takes them; the second time there is nothing new."""
    label_some()
    assert assay("labels", "export", "a", "--format", form, "--out", f"out.{form}").code == 0
    write_study(tmp_path / "other" / "experiments" / "a.jsonl")
    words = ("labels", "import", "a", f"out.{form}", "--root", "other")
    assert "12 labels read, 12 new" in assay(*words).out
    assert "12 labels read, 0 new" in assay(*words).out
    shown = assay("labels", "export", "other/labels/a.jsonl", "--format", form).out
    assert shown == Path(f"out.{form}").read_text(encoding="utf-8")


def test_wrong_use_is_one_line(assay: Program):
    """No labels yet, no such run, no such file, no such format."""
    assert "nobody has labelled" in assay("labels", "agreement", "a").err
    assert "no run of that name" in assay("labels", "export", "b").err
    assert "cannot be read" in assay("labels", "import", "a", "none.csv").err
    label_some()
    assert "--format" in assay("labels", "export", "a", "--format", "xml").err
    ran = assay("labels", "export", "a", "--out", "labels/a.jsonl")
    assert (ran.code, "name another file" in ran.err) == (2, True)


def test_labels_of_another_run_are_told(assay: Program):
    """They are kept, for they may be about a part of the run, and a note says that they do not count."""
    label_some()
    lines = Path("labels/a.jsonl").read_text(encoding="utf-8")
    Path("other.jsonl").write_text(lines.replace("experiments/a", "experiments/zzz"), "utf-8")
    told = assay("labels", "import", "a", "other.jsonl")
    assert "12 labels read, 12 new" in told.out
    assert (
        "note: 12 labels of the file about other runs (experiments/zzz): they do not count"
        in told.err
    )
    Path("back.jsonl").write_text(lines.replace('"span":null', '"span":[5,2]'), encoding="utf-8")
    refused = assay("labels", "import", "a", "back.jsonl")
    assert refused.code == 2
    assert "back.jsonl: label 1: not a label: `span` is [5, 2]" in refused.err
