"""``--scorer``: from a user's file to rows, summary, reports and scoring again."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.runs.own_scorer import read_scorers
from tests.support.program import Program, program

CHECKS = """\
import assay
from my_words import WORD

@assay.scorer
def polite(answer, question) -> bool:
    return WORD in answer

@assay.scorer(better="lower", unit="words")
def length(answer):
    return len(answer.split())

def undecorated(answer):
    raise ValueError("not today")
"""
RAG = """\
def ask(question):
    return "Thirty days, please." if "notice" in question else "The handbook does not say."
"""
ASKED = ("run", "--questions", "q.csv", "--system", "python:my_rag:ask", "--charts", "none")


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Program:
    """The program in a folder with a system, two questions and a file of scorers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("my_rag", "my_words", "my_checks"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / "my_rag.py").write_text(RAG)
    (tmp_path / "my_words.py").write_text('WORD = "please"\n')
    (tmp_path / "my_checks.py").write_text(CHECKS)
    (tmp_path / "q.csv").write_text("question\nHow long is the notice period?\nWho pays?\n")
    return program(capsys)


def scores(name: str, run: str = "run-q") -> list[Any]:
    """The last value of each case."""
    rows = map(json.loads, Path(f"experiments/{run}.jsonl").read_text().splitlines())
    last = {row["key"]: row for row in rows}
    return [row["scores"].get(name, "none") for row in last.values()]


def declared(run: str = "run-q") -> dict[str, Any]:
    """What the summary says about the scorers."""
    summary = json.loads(Path(f"experiments/{run}.json").read_text())
    return {each["name"]: each for each in summary["extra"].get("scorers", [])}


def test_a_whole_file_scores_a_run_and_reports_need_it_no_more(assay: Program):
    """All decorated functions are in rows and tables; report, list and compare work without the file."""
    ran = assay(*ASKED, "--scorer", "my_checks.py", "--primary", "polite")
    assert ran.code == 0, ran.err
    assert scores("polite") == [True, False]
    assert scores("length") == [3, 5]
    assert "undecorated" not in declared()
    assert declared()["polite"]["kind"] == "rate"
    Path("my_checks.py").unlink()
    report = assay("report", "run-q", "--format", "markdown")
    assert report.code == 0, report.err
    assert "Polite" in report.out
    assert "Polite (polite) 0.500" in assay("list").out
    ran = assay("compare", "--base", "run-q", "--cand", "run-q", "--metric", "polite")
    assert "Polite (polite; higher is better)" in ran.out, ran.err


def test_an_edited_scorer_scores_the_recorded_answers_again_and_asks_nothing(assay: Program):
    """The same run continues; nothing is scored again by an unchanged file."""
    chosen = ("--scorer", "my_checks.py:polite", "--no-report")
    assert assay(*ASKED, *chosen).code == 0
    Path("my_rag.py").write_text(RAG + "# the answers are recorded\n")
    Path("my_checks.py").write_text(CHECKS.replace("WORD in", '"handbook" in'))
    before = declared()["polite"]["version"]
    ran = assay(*ASKED, *chosen, "--resume", "keep")
    assert ran.code == 0, ran.err
    assert "2 recorded answers were judged, without asking again" in ran.err
    assert scores("polite") == [False, True]
    assert declared()["polite"]["version"] not in {before, ""}
    ran = assay(*ASKED, *chosen, "--resume", "keep")
    assert "judged" not in ran.err


def test_scoring_again_without_the_file_keeps_the_values_and_says_so(assay: Program):
    """With the file they are computed anew; a scorer that is new gets its values."""
    assert assay(*ASKED, "--scorer", "my_checks.py:polite", "--no-report").code == 0
    ran = assay("score", "run-q")
    assert "the scorer polite is not given: its recorded scores are kept" in ran.err
    assert scores("polite", "run-q.rescored") == [True, False]
    ran = assay("score", "run-q", "--in-place", "--scorer", "my_checks:length")
    assert ran.code == 0, ran.err
    assert scores("length") == [3, 5]
    assert list(declared()) == ["polite", "length"]


def test_a_scorer_that_raises_is_counted_and_its_answers_have_no_score(assay: Program):
    """The cases are scored, nothing is 0, and the error is shown once."""
    ran = assay(*ASKED, "--scorer", "my_checks.py:undecorated", "--no-report")
    assert ran.code == 0, ran.err
    assert scores("undecorated") == ["none", "none"]
    said = "the scorer undecorated failed for 2 of 2 answers"
    assert said in ran.err
    assert ran.err.count("not today") == 1


def test_a_run_that_continues_without_its_scorer_keeps_it(assay: Program):
    """Its declaration and values stay, and a line says that it is not given."""
    assert assay(*ASKED, "--scorer", "my_checks.py:polite", "--limit", "1", "--no-report").code == 0
    ran = assay(*ASKED, "--no-report")
    assert "the scorer polite is not given" in ran.err
    assert scores("polite") == [True, "none"]
    ran = assay(*ASKED, "--scorer", "my_checks.py:polite", "--no-report")
    assert scores("polite") == [True, False], ran.err


def test_parts_of_a_run_are_merged_with_their_scorer(assay: Program):
    """The declaration of the parts is that of the whole run."""
    for part in ("1/2", "2/2"):
        ran = assay(*ASKED, "--scorer", "my_checks.py:polite", "--shard", part, "--no-report")
        assert ran.code == 0, ran.err
    ran = assay("merge", *map(str, sorted(Path("experiments").glob("*.shard-*.jsonl"))))
    assert ran.code == 0, ran.err
    assert sorted(scores("polite")) == [False, True]
    assert declared()["polite"]["version"]


def test_runs_of_two_versions_of_a_scorer_are_not_compared(assay: Program):
    """What differs may be the scorer."""
    chosen = ("--scorer", "my_checks.py:polite", "--no-report")
    assert assay(*ASKED, *chosen, "--name", "one").code == 0
    Path("my_checks.py").write_text(CHECKS.replace("WORD in", "WORD not in"))
    assert assay(*ASKED, *chosen, "--name", "two").code == 0
    ran = assay("compare", "--base", "one", "--cand", "two", "--metric", "polite")
    assert ran.code == 2
    assert "the scorer polite differs" in ran.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("my_checks.py:polit", "no function 'polit'; did you mean 'polite'?"),
        ("no_file.py", "cannot be read"),
        ("no_module:polite", "there is no Python module 'no_module'"),
        ("my_rag.py", "no function there has @assay.scorer above it"),
        ("broken.py:f", "could not be imported: NameError"),
        ("clash.py:answer_f1", "has the name of a registered scorer"),
        ("clash.py:cite_ok_rate", "has the name of a metric"),
        ("clash.py:elapsed_s", "has the name of a field of the rows"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line_before_anything_is_asked(
    assay: Program, given: str, said: str
):
    """There is no row and no summary afterwards."""
    Path("broken.py").write_text("f = unknown\n")
    names = ("answer_f1", "cite_ok_rate", "elapsed_s")
    Path("clash.py").write_text("".join(f"def {name}(answer): return 1\n" for name in names))
    ran = assay(*ASKED, "--scorer", given)
    assert ran.code == 2
    assert said in ran.err
    assert not list(Path().glob("experiments/*.json*"))


@pytest.mark.usefixtures("assay")
def test_only_what_is_named_is_imported():
    """A scorer is read from its file alone, and a second name of the same is the same scorer."""
    Path("bystander.py").write_text("raise SystemExit\n")
    (one,) = read_scorers(["my_checks.py:polite", "my_checks.py:polite"])
    assert one.name == "polite"
    Path("other.py").write_text("def polite(answer): return 1\n")
    with pytest.raises(UseError, match="two scorers have the name 'polite'"):
        read_scorers(["my_checks.py:polite", "other.py:polite"])


@pytest.mark.filterwarnings("default::assay.registry.NameNote")
def test_names_of_other_tools_are_taken_with_a_note(assay: Program):
    """As the primary metric, as the compared one and as a scorer; what is judged says how."""
    Path("q.csv").write_text("question,answer\nHow long is the notice period?,30 days\n")
    asked = (*ASKED, "--no-report", "--primary", "factuality", "--scorer", "CitationRecall")
    ran = assay(*asked, "--scorer", "context_recall")
    assert ran.code == 0, ran.err
    assert "note: factuality is answer_contained here" in ran.err
    assert "note: CitationRecall is citation_recall here" in ran.err
    assert "note: context_recall is avg_gold_coverage here" in ran.err
    assert list(declared()) == ["citation_recall"]
    ran = assay("compare", "--base", "run-q", "--cand", "run-q", "--metric", "AnswerCorrectness")
    assert "metric       Answer right" in ran.out, ran.err
    assert ran.err.count("AnswerCorrectness is answer_contained here") == 1
    for given in ("--scorer", "--primary"):
        ran = assay(*ASKED, given, "FaithfulnessMetric")
        assert ran.code == 2
        assert (
            "a model judges it: assay judge RUN --judge NAME, with rubric: faithfulness" in ran.err
        )


def test_citation_rates_score_recorded_answers_when_they_are_named(assay: Program):
    """They have their titles in the language, and bounds where words alone tell."""
    passages = '[{"id": "1", "text": "Notice is given thirty days ahead."}]'
    Path("my_rag.py").write_text(
        f"def ask(question):\n    return {{'answer': 'Notice is given 30 days ahead [1].', 'passages': {passages}}}\n"
    )
    assert assay(*ASKED, "--no-report").code == 0
    names = ("--scorer", "citation_recall", "--scorer", "citation_precision")
    ran = assay("score", "run-q", *names, "--in-place")
    assert ran.code == 0, ran.err
    assert scores("citation_recall") == scores("citation_precision") == [1.0, 1.0]
    assert "引用召回率" in assay("report", "run-q", "--format", "markdown", "--lang", "zh").out
