"""Versions of a set, and how large a difference a set can show."""

import json
from pathlib import Path

import pytest

from assay.questions.gold import diff_questions
from assay.questions.power import Basis, power
from tests.support.program import program


def put(path: Path, *rows: dict[str, object]) -> Path:
    """A file of questions."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_diff_names_what_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Added, removed and changed questions are listed, with the fields that differ."""
    old = put(tmp_path / "old.jsonl", {"id": "a", "question": "x"}, {"id": "b", "question": "y"})
    new = put(
        tmp_path / "new.jsonl",
        {"id": "b", "question": "y", "answer": "5", "gold_chunk_ids": ["c"]},
        {"id": "d", "question": "z"},
    )
    found = diff_questions(old, new)
    assert (found.added, found.removed, found.same) == (("d",), ("a",), 0)
    assert found.changed[0].fields == ("gold", "answer", "answerable")
    ran = program(capsys)("questions", "diff", str(old), str(new))
    assert ran.code == 1
    assert "1 added, 1 removed, 1 changed, 0 the same" in ran.out
    assert "+ d: z\n- a: x\n~ b: y (gold, answer, answerable)\n    – → 5\n" in ran.out
    assert program(capsys)("questions", "diff", str(old), str(old)).code == 0


@pytest.mark.parametrize("is_rate", [True, False])
def test_the_needed_number_just_shows_the_difference(is_rate: bool):
    """With the number of questions that is given, the difference is shown; with fewer it is not."""
    basis = Basis(metric="m", is_rate=is_rate, changed=0.2, spread=0.4)
    needed = power(100, basis).needed
    assert needed["2"] > needed["5"] > needed["10"]  # type: ignore[operator]
    for points, count in needed.items():
        assert count is not None
        assert power(count, basis).detectable <= float(points) / 100 + 1e-9  # type: ignore[operator]
        before = power(count - 1, basis).detectable
        assert before is None or before > float(points) / 100 - 1e-3


def test_more_variants_and_more_power_need_more_questions():
    """A difference that one of five variants must show more surely takes more questions."""
    alone = Basis(metric="m", is_rate=True, changed=0.2)
    five = Basis(metric="m", is_rate=True, changed=0.2, variants=5)
    usual = power(100, alone, delta=0.05).needed["5"]
    together = power(100, five, delta=0.05).needed["5"]
    surer = power(100, five, delta=0.05, share=0.95).needed["5"]
    assert usual is not None
    assert together is not None
    assert surer is not None
    assert usual < together < surer


@pytest.mark.parametrize("is_rate", [True, False])
def test_a_margin_is_planned_for_one_comparison(is_rate: bool):
    """The gate compares two variants, so the questions for a margin do not depend on others."""
    alone = Basis(metric="m", is_rate=is_rate, changed=0.2, spread=0.4, is_assumed=True)
    five = Basis(metric="m", is_rate=is_rate, changed=0.2, spread=0.4, variants=5)
    needed = [power(100, basis, margin=0.3).for_margin for basis in (alone, five)]
    assert needed[0] == needed[1] is not None
    smaller = power(100, alone, margin=0.05).for_margin
    assert smaller is not None
    assert smaller > 20 * needed[0]
    assert power(100, alone).for_margin is None


def test_nothing_changes_needs_no_number():
    """Without any spread there is nothing to compute."""
    found = power(10, Basis(metric="m", is_rate=False, spread=0.0))
    assert (found.detectable, found.needed["5"]) == (None, None)


def test_the_assumption_and_the_answer_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """If a fifth of the questions change, no difference of more than 20 points is possible."""
    path = tmp_path / "q.csv"
    rows = "".join(f"How long {number}?,{number} days\n" for number in range(12))
    path.write_text(f"question,answer\n{rows}Why?,\n", encoding="utf-8")
    assay = program(capsys)
    shown = assay("questions", "power", str(path)).out
    assert "12 questions, answer_contained" in shown, "the metric that run would use"
    assert "1 of 13 have no value of it" in shown
    assert "none; if 20 % change, a difference is at most 20 points" in shown
    small = assay("questions", "power", str(path), "--changed", "0.05").out
    assert "questions in all for a difference of 10 points: not possible" in small
    found = json.loads(assay("questions", "power", str(path), "--json").out)
    assert found["detectable"] is None
    more = ("--changed", str(found["beyond"]), "--json")
    enough = json.loads(assay("questions", "power", str(path), *more).out)
    assert enough["detectable"] <= found["beyond"]
    wrong = assay("questions", "power", str(path), "--metric", "anser_f1")
    assert wrong.code == 2
    assert "--metric anser_f1: no such mean or rate" in wrong.err


def test_questions_of_one_document_count_as_they_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Where whole documents change, eight questions of a document tell as much as one."""
    monkeypatch.chdir(tmp_path)
    assay = program(capsys)
    lines = [
        {"id": f"d{document}-{number}", "question": f"What is {document}-{number}?", "answer": "yes",
         "source": f"doc{document}.txt"}
        for document in range(12)
        for number in range(8)
    ]  # fmt: skip
    put(tmp_path / "set.jsonl", *lines)
    (tmp_path / "docwise.py").write_text(
        "def one(question, settings, top_k): return {'answer': 'yes'}\n"
        "def other(question, settings, top_k):\n"
        "    number = int(question.split()[-1].split('-')[0])\n"
        "    return {'answer': 'no' if number % 3 == 0 else 'yes'}\n"
    )
    systems = ("--system", "python:docwise:one", "--system", "python:docwise:other")
    ran = assay("run", "--questions", "set.jsonl", *systems, "--name", "docs",
                "--primary", "answer_exact", "--charts", "none")  # fmt: skip
    assert ran.code == 0
    found = json.loads(assay("questions", "power", "set.jsonl", "--run", "docs", "--json").out)
    assert found["basis"]["design"] == pytest.approx(8)
    alone = power(96, Basis(metric="m", is_rate=True, changed=1 / 3)).detectable
    assert alone is not None
    assert found["detectable"] is None or found["detectable"] > 2 * alone


@pytest.mark.parametrize("systems", [1, 2])
def test_a_run_without_differences_says_nothing_about_power(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    systems: int,
):
    """Where nothing differs, no number of questions follows; the message says what to use."""
    monkeypatch.chdir(tmp_path)
    assay = program(capsys)
    put(
        tmp_path / "set.jsonl",
        *(
            {"id": f"q{number}", "question": f"Is it {number}?", "answer": "yes"}
            for number in range(4)
        ),
    )
    (tmp_path / "alike.py").write_text(
        "def one(question): return {'answer': 'yes'}\ndef two(question): return {'answer': 'yes'}\n"
    )
    asked = [
        word for name in ("one", "two")[:systems] for word in ("--system", f"python:alike:{name}")
    ]
    ran = assay("run", "--questions", "set.jsonl", *asked, "--name", "same", "--charts", "none")
    assert ran.code == 0, ran.err
    said = assay("questions", "power", "set.jsonl", "--run", "same")
    assert said.code == 2
    assert "does not tell how much answers change" in said.err
    assert "--changed 0.2" in said.err


def test_a_run_is_planned_for_the_variant_that_varies_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """One variant changes a tenth of the answers, the other half of them: the half counts, for both."""
    monkeypatch.chdir(tmp_path)
    assay = program(capsys)
    put(tmp_path / "set.jsonl",
        *({"id": f"q{n}", "question": f"Is it {n}?", "answer": "yes"} for n in range(40)))  # fmt: skip
    (tmp_path / "three.py").write_text(
        "def one(question): return {'answer': 'yes'}\n"
        "def few(question): return {'answer': 'no' if int(question[6:-1]) % 10 == 0 else 'yes'}\n"
        "def many(question): return {'answer': 'no' if int(question[6:-1]) % 2 == 0 else 'yes'}\n"
    )
    systems = [
        word for name in ("one", "few", "many") for word in ("--system", f"python:three:{name}")
    ]
    ran = assay("run", "--questions", "set.jsonl", *systems, "--name", "three",
                "--primary", "answer_exact", "--charts", "none")  # fmt: skip
    assert ran.code == 0, ran.err
    asked = ("questions", "power", "set.jsonl", "--run", "three")
    found = json.loads(assay(*asked, "--json").out)
    assert (found["basis"]["changed"], found["basis"]["variants"]) == (0.5, 2)
    shown = assay(
        *asked, "--variants", "5", "--delta", "0.1", "--power", "0.9", "--margin", "0.1"
    ).out
    assert "three.many against three.one" in shown
    assert "5 variants, each against the baseline, corrected together" in shown
    assert "smallest difference that is found in 90 % of runs" in shown
    assert "questions in all for a difference of 10 points" in shown
    assert "leaves out a loss of 10 points" in shown
    assert "difference of  2 points" not in shown
