"""A quality run from files to results: scores, counts, resuming, judging anew."""

import json
from pathlib import Path

import pytest

from assay.errors import JournalStale, TransientError, UseError
from assay.jobs.quality.results_file import over_runs
from assay.jobs.spec import job_spec_of
from assay.journal.read import last_rows
from assay.journal.summary import read_summary, summary_path
from tests.jobs.quality.conftest import QUESTIONS, Bench, put_pdf, put_questions


def test_scores_by_hand(bench: Bench):
    """(1.0·3 + 0.8·1 + 0.0·1) / 5, with the three counts and every mean beside it."""
    result = bench.run()
    summary = bench.results()["summary"]
    assert result.is_complete
    assert summary["weighted_score"] == pytest.approx(3.8 / 5)
    assert summary["state"] == "complete"
    assert summary["counts"] == {
        "scored": 3,
        "failed": 0,
        "skipped": 0,
        "not_asked": 0,
        "total": 3,
    }
    assert summary["means"]["score"] == {"mean": pytest.approx(0.6), "n": 3}
    assert summary["means"]["safe_ok"]["mean"] == pytest.approx(2 / 3)
    assert summary["means"]["citation_ok"] == {"mean": 0.0, "n": 1}
    assert summary["means"]["citation_supported"] == {"mean": 1.0, "n": 1}
    assert len(summary["pdf_sha256"]) == len(summary["questions_sha256"]) == 64
    assert set(summary["versions"]) == {"assay", "python"}


def test_a_result_tells_all(bench: Bench):
    """Question, answer, metrics, what matched where, passages with pages, time."""
    bench.script["q1"] = {
        "answer": "The notice is 30 days (p. 2).",
        "passages": [
            {"id": "a", "text": "Rent", "page": 1},
            {"id": "b", "text": "Notice", "page": 2},
        ],
    }
    bench.run()
    first = bench.results()["results"][0]
    assert (first["id"], first["question"]) == ("q1", "How long is the notice?")
    assert first["metrics"]["score"] == 1.0
    assert first["matches"][0]["text"] == "30 days"
    assert first["cited_pages"] == [2]
    assert first["passages"] == [{"id": "a", "page": 1}, {"id": "b", "text": "Notice", "page": 2}]
    assert first["elapsed_s"] >= 0


def test_a_failure_is_no_zero(bench: Bench):
    """It is counted, left out of the score, and the state says so; the next run asks it again."""
    bench.script["q3"] = RuntimeError("down")
    bench.run()
    found = bench.results()
    assert found["summary"]["state"] == "partial"
    assert found["summary"]["counts"]["failed"] == 1
    assert found["summary"]["weighted_score"] == pytest.approx(3.8 / 4)
    failed = found["results"][2]
    assert failed["status"] == "failed"
    assert "metrics" not in failed
    assert "down" in failed["error"]
    bench.script["q3"] = "The tenant."
    bench.asked.clear()
    bench.run()
    assert bench.asked == ["q3"]
    assert bench.results()["summary"]["weighted_score"] == pytest.approx(4.8 / 5)
    assert bench.results()["summary"]["state"] == "complete"


def test_nothing_scored_has_no_score(bench: Bench):
    """A provider that is down gives no number at all, and the run says that it stopped."""
    bench.script = dict.fromkeys(bench.script, TransientError("refused"))
    result = bench.run()
    assert result.stopped is not None
    assert result.stopped.exit_code == 2
    assert bench.results()["summary"]["weighted_score"] is None
    assert bench.results()["summary"]["state"] == "partial"


def test_what_is_recorded_is_not_asked_again(bench: Bench):
    """A second run makes the same file without a question."""
    bench.run()
    first = bench.results()
    bench.asked.clear()
    bench.run()
    assert bench.asked == []
    assert bench.results() == first


def test_an_edited_expectation_judges_anew_and_asks_nobody(bench: Bench):
    """Phrases and weights may be corrected; rows, summary and results all follow."""
    bench.run()
    put_questions(
        bench.questions,
        [{**QUESTIONS[0], "must_include": ["60 days"], "weight": 1.0}, *QUESTIONS[1:]],
    )
    bench.asked.clear()
    bench.run()
    assert bench.asked == []
    assert bench.results()["summary"]["weighted_score"] == pytest.approx((0.3 + 0.8 + 0.0) / 3)
    journal = bench.out.with_name("base.rows.jsonl")
    row = last_rows(journal)["q1::quality::run=1"]
    assert row["metrics"]["score"] == 0.3
    assert row["expected"]["must_include"] == ["60 days"]
    summary = read_summary(summary_path(journal))
    assert summary is not None
    assert summary.results["variants"]["quality"]["score"] == pytest.approx(1.1 / 3)
    assert summary.questions_sha256 == bench.results()["summary"]["questions_sha256"]


def test_a_bill_is_not_doubled_by_judging_anew(bench: Bench):
    """The row that is written again does not say once more what the answer cost."""
    bench.script["q1"] = {"answer": "30 days", "usage": {"prompt_tokens": 5, "cost": 0.5}}
    bench.run()
    put_questions(bench.questions, [{**QUESTIONS[0], "must_include": ["x"]}, *QUESTIONS[1:]])
    bench.run()
    journal = bench.out.with_name("base.rows.jsonl")
    rows = [json.loads(one) for one in journal.read_text().splitlines()]
    assert [row["question_id"] for row in rows].count("q1") == 2
    assert [("usage" in row) for row in rows if row["question_id"] == "q1"] == [True, False]


def test_another_question_system_or_document_is_stale(bench: Bench):
    """What was asked of what may not change under recorded answers; --fresh sets them aside."""
    bench.run()
    kept = bench.out.read_bytes()
    put_questions(bench.questions, [{**QUESTIONS[0], "question": "Another?"}, *QUESTIONS[1:]])
    with pytest.raises(JournalStale, match="q1"):
        bench.run()
    put_questions(bench.questions, QUESTIONS)
    bench.identity = "other"
    with pytest.raises(JournalStale, match="the system is now other"):
        bench.run()
    bench.identity = "scripted"
    put_pdf(bench.pdf, "Another document.")
    with pytest.raises(JournalStale, match="on pdf"):
        bench.run()
    assert bench.out.read_bytes() == kept
    bench.run(fresh=True)
    assert bench.results()["summary"]["state"] == "complete"
    olds = sorted(path.name.partition(".20")[0] for path in bench.out.parent.glob("*.old"))
    assert olds == ["base.json", "base.rows.json", "base.rows.jsonl"]


def test_a_renamed_document_is_the_same(bench: Bench):
    """Its content counts, not its name."""
    bench.run()
    bench.asked.clear()
    moved = bench.pdf.rename(bench.folder / "renamed.pdf")
    bench.run(bench.batch(pdf=moved))
    assert bench.asked == []


def test_the_file_says_running_from_the_first_question(bench: Bench):
    """A run that is killed does not leave an older run's score behind."""
    bench.run()
    seen = []

    def peek(question: object, settings: object) -> str:
        seen.append(bench.results()["summary"])
        return "tenant"

    bench.script = peek
    bench.run(fresh=True)
    assert {one["state"] for one in seen} == {"running"}
    assert {one["weighted_score"] for one in seen} == {None}


def test_repeated_runs(bench: Bench):
    """Each run has its score; mean and sample standard deviation over them, named as such."""
    said = iter(["30 days", "60 days"])
    bench.script["q1"] = None
    answers = dict(bench.script)
    bench.script = lambda question, settings: (
        next(said) if question.id == "q1" else answers[question.id]
    )
    bench.run(runs=2)
    found = bench.results()
    runs = found["summary"]["runs"]
    scores = sorted([(3 * 1.0 + 0.8) / 5, (3 * 0.3 + 0.8) / 5])
    assert sorted(runs["weighted_scores"]) == pytest.approx(scores)
    assert runs["mean"] == found["summary"]["weighted_score"] == pytest.approx(sum(scores) / 2)
    assert runs["standard_deviation"] == pytest.approx((scores[1] - scores[0]) / 2**0.5)
    assert runs["standard_deviation_kind"] == "sample (n - 1)"
    first = found["results"][0]
    assert first["metrics"]["score"] == pytest.approx(0.65)
    assert [one["run"] for one in first["runs"]] == [1, 2]
    assert len(found["results"]) == 3
    assert found["summary"]["counts"]["scored"] == 6


def test_more_runs_go_on_where_fewer_ended(bench: Bench):
    """The first run's answers are kept."""
    bench.run(runs=1)
    bench.asked.clear()
    bench.run(runs=2)
    assert sorted(bench.asked) == ["q1", "q2", "q3"]


def test_a_run_that_failed_in_part_still_has_its_mean(bench: Bench):
    """A question is scored over the runs it was answered in; the failure is counted."""
    said = iter([RuntimeError("down"), "tenant"])
    bench.script = lambda question, settings: next(said)
    put_questions(bench.questions, [QUESTIONS[2]])
    bench.run(runs=2)
    found = bench.results()
    assert found["results"][0]["metrics"]["score"] == 1.0
    assert found["summary"]["counts"] | {"total": 2} == {
        "scored": 1,
        "failed": 1,
        "skipped": 0,
        "not_asked": 0,
        "total": 2,
    }
    assert found["summary"]["state"] == "partial"
    assert found["summary"]["runs"]["standard_deviation"] is None


def test_spread_by_hand():
    """Of 0.5, 0.7 and 0.9: mean 0.7, sample deviation 0.2; of one, none."""
    spread = over_runs([0.5, 0.7, 0.9])
    assert spread["mean"] == pytest.approx(0.7)
    assert spread["standard_deviation"] == pytest.approx(0.2)
    assert over_runs([0.5])["standard_deviation"] is None


def test_the_limit_takes_the_first_questions(bench: Bench):
    """In file order."""
    bench.run(limit=2)
    assert [one["id"] for one in bench.results()["results"]] == ["q1", "q2"]
    assert bench.results()["summary"]["limit"] == 2


def test_recorded_answers_can_be_rescored(bench: Bench):
    """``assay score`` gets the same scores from a row; what needs the pages is kept."""
    bench.run()
    journal = bench.out.with_name("base.rows.jsonl")
    kind = job_spec_of(read_summary(summary_path(journal)))
    assert kind.headline == "score"
    for row in last_rows(journal).values():
        for name, value in kind.rescore(row).items():
            assert row[name] == value


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("runs", "is a folder"),
        ("base.jsonl", "one JSON object"),
        ("lease.pdf", "no results file of assay quality"),
    ],
)
def test_nothing_else_is_written_over(bench: Bench, name: str, said: str):
    """A folder, a file of lines and a stranger's file are refused before anything is read."""
    (bench.folder / "runs").mkdir(exist_ok=True)
    with pytest.raises(UseError, match=said):
        bench.batch(out=bench.folder / name)


def test_what_is_missing_is_said(bench: Bench):
    """A document without questions, the reverse, and both ways at once."""
    for given, said in (
        ({"pdf": None}, "--pdf is missing"),
        ({"questions": None}, "--questions is missing"),
        ({"config": Path("c.json")}, "not both"),
    ):
        with pytest.raises(UseError, match=said):
            bench.batch(**given)
