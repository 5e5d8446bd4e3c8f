"""The benchmark from Python: what may be asked, and what comes back."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from assay.bench import BenchmarkRunner
from assay.errors import DatasetError, JournalStale, RunStopped, SystemLoadError, UseError
from assay.jobs.legal.benchmark import sample_path
from assay.systems import ScriptedSystem
from tests.jobs.legal import script
from tests.jobs.legal.small import RIGHT, write_small


@pytest.fixture(scope="module")
def samples() -> BenchmarkRunner:
    """The sample benchmark, read and checked once."""
    return BenchmarkRunner(sample_path())


@pytest.mark.parametrize(
    ("system", "score"),
    [
        (script.gold, script.gold_score),
        (script.abstaining, script.abstaining_score),
        (script.inventing, script.inventing_score),
    ],
)
def test_the_totals_are_those_of_the_formulas(samples: BenchmarkRunner, system: Any, score: Any):
    """Gold, silence and invention come to what the formulas give by hand, in all, by type, by question."""
    said = script.replies(sample_path(), system)
    summary = samples.run_benchmark(lambda question: said[question])
    asked = script.raw_questions(sample_path())
    by_hand = {one["id"]: score(one) for one in asked}
    found = {one["id"]: one["score"] for one in summary["questions"]}
    assert found == pytest.approx(by_hand)
    assert summary["overall_percentage"] == pytest.approx(script.percentage(sample_path(), score))
    assert summary["counts"]["scored"] == len(by_hand)
    for kind, found_of_it in summary["by_type"].items():
        own = [score(one) for one in asked if one["type"] == kind]
        assert found_of_it["percentage"] == pytest.approx(100 * sum(own) / len(own)), kind


class Asked:
    """An object with ``query``, sync."""

    def query(self, question: str) -> Any:
        """A reply that scores in full."""
        return RIGHT[question]


class AskedAsync:
    """An object with ``query``, async."""

    async def query(self, question: str) -> Any:
        """A reply that scores in full."""
        await asyncio.sleep(0)
        return RIGHT[question]


async def ask_async(question: str) -> Any:
    """A reply that scores in full."""
    return RIGHT[question]


def test_whatever_can_be_asked(tmp_path: Path):
    """Objects and functions, sync and async, functions that return awaitables, and assay's systems."""
    runner = BenchmarkRunner(write_small(tmp_path))
    by_extra = {
        question: {"answer": one["answer"], "extra": {"citations": one["citations"]}}
        for question, one in RIGHT.items()
    }
    for system in (
        Asked(),
        AskedAsync(),
        RIGHT.get,
        ask_async,
        lambda question: ask_async(question),  # noqa: PLW0108 - a plain function is meant
        ScriptedSystem(by_extra),
    ):
        assert runner.run_benchmark(system)["overall_percentage"] == 100.0, system


def test_a_string_is_an_answer_too(tmp_path: Path):
    """Without citations the fact counts 0.7 and the evidence 0.8; pages in the text are citations."""
    runner = BenchmarkRunner(write_small(tmp_path))
    plain = {question: one["answer"] for question, one in RIGHT.items()}
    assert runner.run_benchmark(plain.get, "fact_exact")["overall_percentage"] == 70.0
    paged = runner.run_benchmark(lambda _: "£4,200 (p. 1)", "fact_exact")
    assert paged["overall_percentage"] == 100.0
    assert paged["questions"][0]["citations"] == [{"page": 1, "text": None}]


def test_inside_a_running_loop(tmp_path: Path):
    """A notebook's loop is no hindrance, and an error comes through it as it is."""
    runner = BenchmarkRunner(write_small(tmp_path))

    async def notebook() -> Any:
        with pytest.raises(UseError, match="no type of question"):
            runner.run_benchmark(RIGHT.get, "fact")
        with pytest.raises(SystemLoadError):
            runner.run_benchmark(42)
        return runner.run_benchmark(ask_async)

    assert asyncio.run(notebook())["overall_percentage"] == 100.0


def test_the_summary(tmp_path: Path):
    """Each question says what it scored and why; groups are by type, category and difficulty."""
    runner = BenchmarkRunner(write_small(tmp_path))
    replies = {**RIGHT, "Who witnessed the sale?": "Marcus Hale did, on 9 May 1994."}
    summary = runner.run_benchmark(replies.get)
    gap = next(one for one in summary["questions"] if one["id"] == "gap")
    assert gap["score"] == 0.0
    assert gap["passed"] is False
    assert gap["terms"]["no_hallucination"] is False
    assert {"Marcus Hale", "9 May 1994"} <= {one["text"] for one in gap["invented"]}
    assert any("does not abstain" in one for one in gap["why"])
    assert gap["missing"] == ["“Who witnessed it I no longer remember”"]
    assert summary["by_difficulty"]["hard"]["percentage"] == 50.0
    assert list(summary["by_difficulty"]) == ["easy", "hard"]
    assert summary["by_category"]["unspecified"]["percentage"] == 0.0
    assert summary["by_type"]["fact_exact"]["terms"]["exact_match"] == {"mean": 1.0, "n": 1}
    assert summary["overall_percentage"] == pytest.approx(200 / 3)
    assert summary["severity_total"] > 0
    assert json.loads(json.dumps(summary)) == summary


def test_a_failure_is_no_zero(tmp_path: Path):
    """A question the system raises on, or answers unreadably, is counted as failed beside the mean."""

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
        "questions": 3, "scored": 1, "failed": 2, "skipped": 0, "not_asked": 0, "passed": 1,
    }  # fmt: skip
    errors = [one["error"] for one in summary["questions"] if one["status"] == "failed"]
    assert any("ledger" in one for one in errors)
    assert any("citations are str, not a list" in one for one in errors)


def test_a_provider_that_is_down_is_no_score(tmp_path: Path):
    """Where nothing answers at all there is no summary, but the error that says so."""

    def down(_: str) -> str:
        raise ConnectionError("refused")

    runner = BenchmarkRunner(write_small(tmp_path), timeout_s=0.2)
    with pytest.raises(RunStopped, match="refused"):
        runner.run_benchmark(down)


def test_recorded_answers_are_not_asked_again(tmp_path: Path):
    """With an ``out_dir`` a second run asks nobody, and judges by the gold as it is now."""
    asked: list[str] = []

    def system(question: str) -> Any:
        asked.append(question)
        return RIGHT[question]

    bench = write_small(tmp_path / "bench")
    kept = tmp_path / "kept"
    assert BenchmarkRunner(bench, out_dir=kept).run_benchmark(system)["overall_percentage"] == 100.0
    assert len(asked) == 3
    write_small(bench, expected={"amount_total": 4300})
    again = BenchmarkRunner(bench, out_dir=kept).run_benchmark(system)
    assert len(asked) == 3
    assert again["overall_percentage"] == pytest.approx(100 * (0.3 + 1 + 1) / 3)


def test_another_version_is_not_given_the_olds_answers(tmp_path: Path):
    """An object's ``VERSION`` stands for its code: recorded answers of another are refused."""
    system = Asked()
    system.VERSION = "1"  # type: ignore[attr-defined]
    runner = BenchmarkRunner(write_small(tmp_path / "bench"), out_dir=tmp_path / "kept")
    runner.run_benchmark(system)
    system.VERSION = "2"  # type: ignore[attr-defined]
    with pytest.raises(JournalStale):
        runner.run_benchmark(system)


def test_an_object_stays_its_owners(tmp_path: Path):
    """It is reset before each question where it can be, and never closed."""

    class Conversation(Asked):
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
    bench = write_small(tmp_path, expected={"amount_totl": 4200}, required_evidence=[])
    with pytest.raises(DatasetError, match="amount_totl"):
        BenchmarkRunner(bench)
    with pytest.raises(DatasetError, match="no such file"):
        BenchmarkRunner(tmp_path / "nowhere")


def test_a_type_that_a_file_lacks(tmp_path: Path):
    """Asking for another type of question is said to be in vain."""
    runner = BenchmarkRunner(write_small(tmp_path) / "fact_exact.json")
    with pytest.raises(UseError, match="no questions of the type evidence_set"):
        runner.run_benchmark(RIGHT.get, "evidence_set")


def test_a_class_is_not_asked_for_its_object(tmp_path: Path):
    """Who forgets the brackets is told, and not given a run of failures."""

    class Rag:
        def query(self, question: str) -> str:
            return question

    with pytest.raises(SystemLoadError, match=r"Rag is a class: give an object of it, .* Rag\(\)"):
        BenchmarkRunner(write_small(tmp_path / "small")).run_benchmark(Rag)
