"""The benchmark from Python: which systems it accepts and what it returns."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from assay.bench import BenchmarkRunner
from assay.data.samples.sample import sample_benchmark
from assay.errors import DatasetError, JournalStale, RunStopped, SystemLoadError, UseError
from assay.models.limit import Backoff
from assay.systems.scripted import ScriptedSystem
from tests.jobs.legal import script
from tests.jobs.legal.small import RIGHT, write_small


@pytest.fixture(scope="module")
def samples() -> BenchmarkRunner:
    """The sample benchmark, read and checked once."""
    return BenchmarkRunner(sample_benchmark())


@pytest.mark.parametrize(
    ("system", "score"),
    [
        (script.gold, script.gold_score),
        (script.abstaining, script.abstaining_score),
        (script.inventing, script.inventing_score),
    ],
)
def test_the_totals_are_those_of_the_formulas(samples: BenchmarkRunner, system: Any, score: Any):
    """The scores of three scripted systems agree with formulas computed in the test."""
    replies = script.replies(sample_benchmark(), system)
    summary = samples.run_benchmark(lambda question: replies[question])
    questions = script.raw_questions(sample_benchmark())
    expected = {question["id"]: score(question) for question in questions}
    scores = {question["id"]: question["score"] for question in summary["questions"]}
    assert scores == pytest.approx(expected)
    assert summary["overall_percentage"] == pytest.approx(
        script.percentage(sample_benchmark(), score)
    )
    assert summary["counts"]["scored"] == len(expected)
    for kind, group in summary["by_type"].items():
        of_kind = [score(question) for question in questions if question["type"] == kind]
        assert group["percentage"] == pytest.approx(100 * sum(of_kind) / len(of_kind)), kind


class SyncRag:
    """An object with a synchronous ``query`` method."""

    def query(self, question: str) -> Any:
        """A reply that scores in full."""
        return RIGHT[question]


class AsyncRag:
    """An object with an async ``query`` method."""

    async def query(self, question: str) -> Any:
        """A reply that scores in full."""
        await asyncio.sleep(0)
        return RIGHT[question]


async def ask_async(question: str) -> Any:
    """A reply that scores in full."""
    return RIGHT[question]


def test_all_kinds_of_systems(tmp_path: Path):
    """Objects, functions, functions that return awaitables, and systems of assay are accepted."""
    runner = BenchmarkRunner(write_small(tmp_path))
    by_extra = {
        question: {"answer": reply["answer"], "extra": {"citations": reply["citations"]}}
        for question, reply in RIGHT.items()
    }
    for system in (
        SyncRag(),
        AsyncRag(),
        RIGHT.get,
        ask_async,
        lambda question: ask_async(question),  # noqa: PLW0108 - a plain function is meant
        ScriptedSystem(by_extra),
    ):
        assert runner.run_benchmark(system)["overall_percentage"] == 100.0, system


def test_a_string_is_an_answer_too(tmp_path: Path):
    """A string is an answer without citations; a page named in its text is a citation."""
    runner = BenchmarkRunner(write_small(tmp_path))
    plain = {question: reply["answer"] for question, reply in RIGHT.items()}
    assert runner.run_benchmark(plain.get, "fact_exact")["overall_percentage"] == 70.0
    paged = runner.run_benchmark(lambda _: "£4,200 (p. 1)", "fact_exact")
    assert paged["overall_percentage"] == 100.0
    assert paged["questions"][0]["citations"] == [{"page": 1, "text": None}]


def test_inside_a_running_loop(tmp_path: Path):
    """A run inside a running event loop works, and errors reach the caller unchanged."""
    runner = BenchmarkRunner(write_small(tmp_path))

    async def notebook() -> Any:
        with pytest.raises(UseError, match="is not a type of question"):
            runner.run_benchmark(RIGHT.get, "fact")
        with pytest.raises(SystemLoadError):
            runner.run_benchmark(42)
        return runner.run_benchmark(ask_async)

    assert asyncio.run(notebook())["overall_percentage"] == 100.0


def test_the_summary(tmp_path: Path):
    """The summary has scores with reasons, and groups by type, category and difficulty."""
    runner = BenchmarkRunner(write_small(tmp_path))
    replies = {**RIGHT, "Who witnessed the sale?": "Marcus Hale did, on 9 May 1994."}
    summary = runner.run_benchmark(replies.get)
    gap = next(question for question in summary["questions"] if question["id"] == "gap")
    assert gap["score"] == 0.0
    assert gap["passed"] is False
    assert gap["terms"]["no_hallucination"] is False
    assert {"Marcus Hale", "9 May 1994"} <= {detail["text"] for detail in gap["invented"]}
    assert any("does not abstain" in reason for reason in gap["why"])
    assert gap["missing"] == ["“Who witnessed it I no longer remember”"]
    assert summary["by_difficulty"]["hard"]["percentage"] == 50.0
    assert list(summary["by_difficulty"]) == ["easy", "hard"]
    assert summary["by_category"]["unspecified"]["percentage"] == 0.0
    assert summary["by_type"]["fact_exact"]["terms"]["exact_match"] == {"mean": 1.0, "n": 1}
    assert summary["overall_percentage"] == pytest.approx(200 / 3)
    assert summary["severity_total"] > 0
    assert json.loads(json.dumps(summary)) == summary


def test_a_failure_is_no_zero(tmp_path: Path):
    """A question without a usable reply is counted as failed and not scored as zero."""

    def moody(question: str) -> Any:
        if question == "What was the price?":
            raise KeyError("ledger")
        if question == "Who witnessed the sale?":
            return {"answer": "–", "citations": "page two"}
        return RIGHT[question]

    summary = BenchmarkRunner(write_small(tmp_path)).run_benchmark(moody)
    assert summary["overall_percentage"] == 100.0
    assert summary["percentage_if_failed_are_zero"] == pytest.approx(100 / 3)
    assert summary["counts"] == {
        "questions": 3, "scored": 1, "answered": 0, "failed": 2, "skipped": 0, "not_asked": 0, "passed": 1,
    }  # fmt: skip
    errors = [row["error"] for row in summary["questions"] if row["status"] == "failed"]
    assert any("ledger" in error for error in errors)
    assert any("citations of the reply are of type str, not a list" in error for error in errors)


def test_a_provider_that_is_down_is_no_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """If no question is answered, the run raises an error instead of giving a summary."""
    monkeypatch.setattr("assay.runs.active_run.Backoff", lambda: Backoff(base_s=0.0))

    def down(_: str) -> str:
        raise ConnectionError("refused")

    runner = BenchmarkRunner(write_small(tmp_path), timeout_s=0.2)
    with pytest.raises(RunStopped, match="refused"):
        runner.run_benchmark(down)


def test_recorded_answers_are_not_asked_again(tmp_path: Path):
    """With ``out`` a second run asks nothing and scores with the current gold values."""
    asked: list[str] = []

    def system(question: str) -> Any:
        asked.append(question)
        return RIGHT[question]

    bench = write_small(tmp_path / "bench")
    kept = tmp_path / "kept"
    assert BenchmarkRunner(bench, out=kept).run_benchmark(system)["overall_percentage"] == 100.0
    assert len(asked) == 3
    write_small(bench, expected={"amount_total": 4300})
    again = BenchmarkRunner(bench, out=kept).run_benchmark(system)
    assert len(asked) == 3
    assert again["overall_percentage"] == pytest.approx(100 * (0.3 + 1 + 1) / 3)


def test_recorded_answers_of_another_version_are_refused(tmp_path: Path):
    """If the ``VERSION`` of an object changes, its recorded answers are stale."""
    system = SyncRag()
    system.VERSION = "1"  # type: ignore[attr-defined]
    runner = BenchmarkRunner(write_small(tmp_path / "bench"), out=tmp_path / "kept")
    runner.run_benchmark(system)
    system.VERSION = "2"  # type: ignore[attr-defined]
    with pytest.raises(JournalStale):
        runner.run_benchmark(system)


def test_an_object_of_the_caller_is_not_closed(tmp_path: Path):
    """An object is reset before each question, if it has ``reset``, and never closed."""

    class Conversation(SyncRag):
        resets = 0

        def reset(self) -> None:
            self.resets += 1

        def close(self) -> None:
            raise AssertionError("closed by a stranger")

    system = Conversation()
    runner = BenchmarkRunner(write_small(tmp_path))
    assert runner.run_benchmark(system)["overall_percentage"] == 100.0
    assert runner.run_benchmark(system, "conflict_gap")["overall_percentage"] == 100.0
    assert system.resets == 4


def test_a_file_with_problems_is_refused(tmp_path: Path):
    """Every problem is named before anything is asked."""
    bench = write_small(tmp_path, expected={"amount_total": ["many"]}, required_evidence=[])
    with pytest.raises(DatasetError, match="amount_total: must be a number"):
        BenchmarkRunner(bench)
    with pytest.raises(DatasetError, match="no such file"):
        BenchmarkRunner(tmp_path / "nowhere")


def test_a_type_that_a_file_lacks(tmp_path: Path):
    """Asking for a type that the file does not contain is an error."""
    runner = BenchmarkRunner(write_small(tmp_path) / "fact_exact.json")
    with pytest.raises(UseError, match="no questions of the type evidence_set"):
        runner.run_benchmark(RIGHT.get, "evidence_set")


def test_a_class_is_not_asked_for_its_object(tmp_path: Path):
    """Passing a class instead of an object is an error that names the remedy."""

    class Rag:
        def query(self, question: str) -> str:
            return question

    with pytest.raises(
        SystemLoadError, match=r"Rag is a class: pass an instance of it, .* Rag\(\)"
    ):
        BenchmarkRunner(write_small(tmp_path / "small")).run_benchmark(Rag)


def test_the_old_name_of_the_folder_works_and_warns(tmp_path: Path):
    """The answers are recorded there; two folders that differ are refused."""
    bench, kept = write_small(tmp_path / "bench"), tmp_path / "kept"
    with pytest.warns(DeprecationWarning, match=r"BenchmarkRunner\(out=…\) now"):
        runner = BenchmarkRunner(bench, out_dir=kept)
    runner.run_benchmark(lambda _: "unknown")
    assert list(kept.glob("*.jsonl"))
    with pytest.raises(UseError, match="contradict each other"):
        BenchmarkRunner(bench, out=tmp_path, out_dir=kept)


def test_the_summary_has_the_names_of_the_first_runner(tmp_path: Path):
    """A script that reads them goes on working; the results are those of ``questions``."""
    summary = BenchmarkRunner(write_small(tmp_path)).run_benchmark(SyncRag())
    count = len(summary["questions"])
    assert (summary["total_tests"], summary["passed_tests"]) == (count, count)
    assert (summary["pass_rate"], summary["overall_percentage"]) == (1.0, 100.0)
    assert summary["overall_score"] == summary["max_score"]
    assert summary["individual_results"] == summary["questions"]
    assert summary["timestamp"].endswith("Z")
