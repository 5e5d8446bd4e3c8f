"""A quality run from files to results: scores, counts, resuming and scoring again."""

import json
from pathlib import Path

import pytest

from assay.errors import JournalStale, TransientError, UseError
from assay.gate.gate import Limits, compare
from assay.gate.run_file import read_run
from assay.jobs.quality.results_file import over_runs
from assay.results.job import job_spec_of
from assay.runs.read import last_row_fields
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from tests.jobs.quality.conftest import QUESTIONS, Bench, put_pdf, put_questions
from tests.support.installed import install_package


def test_scores_by_hand(bench: Bench):
    """The weighted score is (1.0·3 + 0.8·1 + 0.0·1) / 5; the summary has counts and means."""
    result = bench.run()
    summary = bench.results()["summary"]
    assert result.is_complete
    assert summary["weighted_score"] == pytest.approx(3.8 / 5)
    assert summary["state"] == "complete"
    assert summary["counts"] == {
        "scored": 3,
        "answered": 0,
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
    """A result has the question, the answer, metrics, matches, passages with pages, and time."""
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
    assert [passage["text"] for passage in first["passages"]] == ["Rent", "Notice"]
    assert first["elapsed_s"] >= 0


def test_a_failure_is_no_zero(bench: Bench):
    """A failed case is counted but left out of the score, and the next run asks it again."""
    bench.script["q3"] = RuntimeError("down")
    bench.run()
    content = bench.results()
    assert content["summary"]["state"] == "partial"
    assert content["summary"]["counts"]["failed"] == 1
    assert content["summary"]["weighted_score"] == pytest.approx(3.8 / 4)
    failed = content["results"][2]
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
    """If the provider is down, there is no score, and the result says that the run stopped."""
    bench.script = dict.fromkeys(bench.script, TransientError("refused"))
    result = bench.run()
    assert result.stopped is not None
    assert result.stopped.exit_code == 2
    assert bench.results()["summary"]["weighted_score"] is None
    assert bench.results()["summary"]["state"] == "partial"


def test_what_is_recorded_is_not_asked_again(bench: Bench):
    """A second run writes the same file and asks no question."""
    bench.run()
    first = bench.results()
    bench.asked.clear()
    bench.run()
    assert bench.asked == []
    assert bench.results() == first


def test_an_edited_expectation_is_scored_again_without_asking(bench: Bench):
    """If phrases and weights are edited, rows, summary and results change without a question."""
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
    row = last_row_fields(journal)["q1::quality::run=1"]
    assert row["metrics"]["score"] == 0.3
    assert row["expected"]["must_include"] == ["60 days"]
    summary = read_summary(summary_path(journal))
    assert summary is not None
    assert summary.results["variants"]["quality"]["score"] == pytest.approx(1.1 / 3)
    assert summary.questions_sha256 == bench.results()["summary"]["questions_sha256"]


def test_a_bill_is_not_doubled_by_scoring_again(bench: Bench):
    """A row that is appended because its scores changed does not repeat the usage."""
    bench.script["q1"] = {"answer": "30 days", "usage": {"prompt_tokens": 5, "cost": 0.5}}
    bench.run()
    put_questions(bench.questions, [{**QUESTIONS[0], "must_include": ["x"]}, *QUESTIONS[1:]])
    bench.run()
    journal = bench.out.with_name("base.rows.jsonl")
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [row["question_id"] for row in rows].count("q1") == 2
    assert [("usage" in row) for row in rows if row["question_id"] == "q1"] == [True, False]


def test_another_question_system_or_document_is_stale(bench: Bench):
    """A changed question, system or PDF is refused; ``--resume fresh`` sets the old results aside."""
    bench.run()
    before = bench.out.read_bytes()
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
    assert bench.out.read_bytes() == before
    bench.run(resume="fresh")
    assert bench.results()["summary"]["state"] == "complete"
    olds = sorted(path.name.partition(".20")[0] for path in bench.out.parent.glob("*.old"))
    assert olds == ["base.json", "base.rows.json", "base.rows.jsonl", "base.rows.plan.jsonl"]


def test_a_renamed_document_is_the_same(bench: Bench):
    """A renamed PDF asks no question again, because only its content counts."""
    bench.run()
    bench.asked.clear()
    moved = bench.pdf.rename(bench.folder / "renamed.pdf")
    bench.run(bench.batch(pdf=moved))
    assert bench.asked == []


def test_the_file_says_running_from_the_first_question(bench: Bench):
    """During a run the file has no score, so a killed run does not show the score of another."""
    bench.run()
    summaries = []

    def note_summary(question: object, settings: object) -> str:
        summaries.append(bench.results()["summary"])
        return "tenant"

    bench.script = note_summary
    bench.run(resume="fresh")
    assert {summary["state"] for summary in summaries} == {"running"}
    assert {summary["weighted_score"] for summary in summaries} == {None}


def test_repeated_runs(bench: Bench):
    """The summary has the score of each run, their mean and their sample standard deviation."""
    replies = iter(["30 days", "60 days"])
    bench.script["q1"] = None
    answers = dict(bench.script)
    bench.script = lambda question, settings: (
        next(replies) if question.id == "q1" else answers[question.id]
    )
    bench.run(runs=2)
    content = bench.results()
    runs = content["summary"]["runs"]
    scores = sorted([(3 * 1.0 + 0.8) / 5, (3 * 0.3 + 0.8) / 5])
    assert sorted(runs["weighted_scores"]) == pytest.approx(scores)
    assert runs["mean"] == content["summary"]["weighted_score"] == pytest.approx(sum(scores) / 2)
    assert runs["standard_deviation"] == pytest.approx((scores[1] - scores[0]) / 2**0.5)
    assert runs["standard_deviation_kind"] == "sample (n - 1)"
    first = content["results"][0]
    assert first["metrics"]["score"] == pytest.approx(0.65)
    assert [run["run"] for run in first["runs"]] == [1, 2]
    assert len(content["results"]) == 3
    assert content["summary"]["counts"]["scored"] == 6


def test_more_runs_go_on_where_fewer_ended(bench: Bench):
    """If ``runs`` is raised from 1 to 2, only the second run asks."""
    bench.run(runs=1)
    bench.asked.clear()
    bench.run(runs=2)
    assert sorted(bench.asked) == ["q1", "q2", "q3"]


def test_a_run_that_failed_in_part_still_has_its_mean(bench: Bench):
    """A question's score is the mean over the runs that answered it; the failure is counted."""
    replies = iter([RuntimeError("down"), "tenant"])
    bench.script = lambda question, settings: next(replies)
    put_questions(bench.questions, [QUESTIONS[2]])
    bench.run(runs=2)
    content = bench.results()
    assert content["results"][0]["metrics"]["score"] == 1.0
    assert content["summary"]["counts"] | {"total": 2} == {
        "scored": 1,
        "answered": 0,
        "failed": 1,
        "skipped": 0,
        "not_asked": 0,
        "total": 2,
    }
    assert content["summary"]["state"] == "partial"
    assert content["summary"]["runs"]["standard_deviation"] is None


@pytest.mark.parametrize("options", [{"limit": 2}, {"runs": 1}])
def test_a_run_from_before_a_metric_existed_goes_on(bench: Bench, options: dict[str, int]):
    """The metric is undefined for the older rows, and has the mean of the others."""
    bench.run(**options)
    journal = bench.out.with_suffix(".rows.jsonl")
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    for row in rows:
        del row["metrics"]["safe_ok"]
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    bench.run(**({"runs": 2} if "runs" in options else {}))
    results = bench.results()
    assert results["summary"]["counts"]["scored"] == (6 if "runs" in options else 3)
    expected = (2 / 3, 3) if "runs" in options else (0.0, 1)
    means = results["summary"]["means"]["safe_ok"]
    assert (means["mean"], means["n"]) == (pytest.approx(expected[0]), expected[1])


def test_spread_by_hand():
    """The mean of 0.5, 0.7 and 0.9 is 0.7, the deviation 0.2; one score has no deviation."""
    spread = over_runs([0.5, 0.7, 0.9])
    assert spread["mean"] == pytest.approx(0.7)
    assert spread["standard_deviation"] == pytest.approx(0.2)
    assert over_runs([0.5])["standard_deviation"] is None


def test_the_limit_takes_the_first_questions(bench: Bench):
    """``limit`` chooses the first questions of the file."""
    bench.run(limit=2)
    assert [entry["id"] for entry in bench.results()["results"]] == ["q1", "q2"]
    assert bench.results()["summary"]["limit"] == 2


def test_recorded_answers_can_be_rescored(bench: Bench):
    """``assay score`` gets the same scores from a row; metrics that need the pages are kept."""
    bench.run()
    journal = bench.out.with_name("base.rows.jsonl")
    spec = job_spec_of(read_summary(summary_path(journal)))
    assert spec.headline == "score"
    for row in last_row_fields(journal).values():
        for name, value in spec.rescore(row).items():
            assert row[name] == value


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("runs", "is a folder"),
        ("base.jsonl", "one JSON object"),
        ("lease.pdf", "not a results file of assay quality"),
    ],
)
def test_nothing_else_is_written_over(bench: Bench, name: str, message: str):
    """``--out`` refuses a folder, a ``.jsonl`` file and a file that is not a results file."""
    (bench.folder / "runs").mkdir(exist_ok=True)
    with pytest.raises(UseError, match=message):
        bench.batch(out=bench.folder / name)


def test_missing_options_are_named(bench: Bench):
    """An error names the missing option, or says that two ways were mixed."""
    for options, message in (
        ({"pdf": None}, "--pdf is missing"),
        ({"questions": None}, "--questions is missing"),
        ({"config": Path("c.json")}, "not both"),
    ):
        with pytest.raises(UseError, match=message):
            bench.batch(**options)


def test_registered_scores_are_in_the_results_file(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Each result has them beside its metrics, as a mean over runs, and the gate compares them."""
    source = (
        "from assay.checks.scorer import Scorer\n"
        "WORDS = Scorer(name='batch_words', title='W', title_zh='词', title_ru='сл', formula='f',\n"
        "    undefined='never', better='lower', unit='words',\n"
        "    function=lambda subject: len(subject.row['expected']))\n"
    )
    entry = "[assay.scorers]\nbatch_words = batch_scorer:WORDS\n"
    install_package(
        monkeypatch, tmp_path / "site", entry_points=entry, modules={"batch_scorer": source}
    )
    bench.run(runs=2)
    assert [entry["scores"] for entry in bench.results()["results"]] == [{"batch_words": 4.0}] * 3
    run = read_run(bench.out, metric="batch_words")
    assert (run.metric.better, run.items["q1", ""].value) == ("lower", 4.0)
    assert "batch_words" in (run.metric_names or ())


def test_another_form_of_phrases_is_another_judging(bench: Bench):
    """A run with ``--exact-form`` is not compared with one without, unless the user allows it."""
    paths = bench.out, bench.out.with_name("exact.json")
    bench.run()
    bench.run(out=paths[1], exact=True)
    base, cand = map(read_run, paths)
    difference = "exact_form differs: base none, candidate True"
    with pytest.raises(UseError, match=difference):
        compare(base, cand)
    assert difference in [*map(str, compare(base, cand, Limits(strict_hashes=False)).notes)]
