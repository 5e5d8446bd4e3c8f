import json
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assay.config.experiment import RunSettings
from assay.data.foreign_value import without_secrets
from assay.errors import UseError
from assay.jobs.depth.handler import CUT_BELOW, CUT_BELOW_SAME, DepthHandler, cut_below
from assay.jobs.depth.map.results import read_cells
from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.plan import DEPTHS, DepthLayout, DepthTest
from assay.jobs.depth.preparation import (
    depth_estimate,
    plan_test,
    prepare_depth,
    read_known_questions,
)
from assay.jobs.depth.reader import WindowedReader
from assay.jobs.estimate import estimate_lines
from assay.jobs.prepared import PreparedRun, run_prepared
from assay.records import Answer, Question, Usage
from assay.results.job import job_spec_of
from assay.results.results import read_results
from assay.runs.summary import RunResult, read_summary
from assay.runs.write import summary_path
from assay.study.rescore import rescore
from assay.systems.protocol import System
from assay.systems.replay import ReplaySystem
from assay.systems.scripted import ScriptedSystem

LENGTHS = (1_000, 4_000)
SETTINGS = RunSettings(concurrency=4)


class Prepared(NamedTuple):
    """A planned test, and a way to prepare its runs."""

    test: DepthTest
    runs: Callable[[], Iterator[PreparedRun]]


def prepared(
    novel_data: NovelData,
    folder: Path,
    load: Callable[[], System] = lambda: WindowedReader(2_000),
    *,
    closed_book: bool = False,
    **layout: Any,
) -> Prepared:
    """A test with few cases; its layout is uniform unless ``layout`` says otherwise."""
    chosen = DepthLayout(**{"mode": "uniform", "lengths": LENGTHS, "limit": 25, **layout})
    options = {"folder": folder, "journal": folder / "d.jsonl", "closed_book": closed_book}
    return Prepared(
        test=plan_test(novel_data, chosen, load(), **options),
        runs=lambda: prepare_depth(novel_data, chosen, load, **options),
    )


def run(depth: Prepared, **options: Any) -> RunResult:
    """Run all passes without any output; returns the result of the last one."""
    results = [
        run_prepared(prepared_run, settings=SETTINGS, **options) for prepared_run in depth.runs()
    ]
    return results[-1]


def lines(path: Path) -> list[dict[str, Any]]:
    """All lines of a results file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def scripted(reply: Callable[[Question], Any]) -> ScriptedSystem:
    """A system whose replies are made by ``reply``."""
    return ScriptedSystem(lambda question, _: reply(question))


def test_rows_have_the_published_names(novel_data: NovelData, tmp_path: Path):
    """The file begins with the metadata, every row has the published fields, and a map reads it."""
    result = run(prepared(novel_data, tmp_path))
    first, *rows = lines(tmp_path / "d.jsonl")
    assert result.is_complete
    assert len(rows) == 50
    assert first.keys() == {"metadata"}
    assert (
        first["metadata"]
        | {
            "depth_mode": "uniform",
            "context_lengths": [1_000, 4_000],
            "fixed_depth": None,
            "depth_bins": ["0%", "25%", "50%", "75%", "100%"],
            "padding_size": 0,
            "total_questions": 25,
            "tokenizer": "o200k",
            "model_name": "reader:2000",
        }
        == first["metadata"]
    )
    published = {
        "question", "question_type", "choice", "correct_answer", "model_answer",
        "parsing_status", "position", "score", "metrics", "depth", "depth_bin",
        "test_context_length",
    }  # fmt: skip
    for row in rows:
        assert published <= row.keys()
        assert abs(row["context_tokens"] / row["test_context_length"] - 1) <= 0.01
        assert abs(row["depth"] - float(row["depth_bin"].rstrip("%")) / 100) <= 0.005
    (results,) = read_cells([tmp_path / "d.jsonl"])
    assert len(results.replies) == 50
    assert results.model == "reader:2000"


def test_the_map_shows_what_the_reader_drops(novel_data: NovelData, tmp_path: Path):
    """In the window all answers are right; beyond it only those at the edges, and rows say so."""
    run(prepared(novel_data, tmp_path))
    scores: dict[tuple[int, str], list[float]] = {}
    for row in lines(tmp_path / "d.jsonl")[1:]:
        scores.setdefault((row["test_context_length"], row["depth_bin"]), []).append(row["score"])
        assert row["truncated"] == (row["test_context_length"] == 4_000)
    means = {cell: sum(values) / len(values) for cell, values in scores.items()}
    assert {means[1_000, f"{100 * depth:g}%"] for depth in DEPTHS} == {1.0}
    assert [means[4_000, f"{100 * depth:g}%"] for depth in DEPTHS] == [1.0, 0.0, 0.0, 0.0, 1.0]


def test_a_finished_run_stays_as_it_is(novel_data: NovelData, tmp_path: Path):
    """A second run asks no question and changes no byte of rows and summary."""
    run(prepared(novel_data, tmp_path))
    before = {path.name: path.read_bytes() for path in tmp_path.glob("d.json*")}
    again = run(prepared(novel_data, tmp_path))
    assert again.asked == 0
    assert {path.name: path.read_bytes() for path in tmp_path.glob("d.json*")} == before


def test_the_same_test_gives_the_same_rows(novel_data: NovelData, tmp_path: Path):
    """The rows of two runs differ only in their times."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    rows = []
    for name in ("one", "two"):
        run(prepared(novel_data, tmp_path / name))
        timeless = [
            {key: value for key, value in row.items() if key not in {"ts", "elapsed_s"}}
            for row in lines(tmp_path / name / "d.jsonl")[1:]
        ]
        rows.append(sorted(timeless, key=lambda row: row["key"]))
    assert rows[0] == rows[1]


def test_another_test_does_not_go_into_the_same_file(novel_data: NovelData, tmp_path: Path):
    """Other lengths are refused before any call if the file has rows; --resume fresh sets it aside."""
    run(prepared(novel_data, tmp_path))
    system = ScriptedSystem({})
    other = prepared(novel_data, tmp_path, lambda: system, lengths=(2_000,), closed_book=True)
    with pytest.raises(UseError, match=r"context_lengths \[1000,4000\], now \[2000\]"):
        run(other)
    assert system.asked == []
    run(prepared(novel_data, tmp_path, lengths=(2_000,)), resume="fresh")
    assert lines(tmp_path / "d.jsonl")[0]["metadata"]["context_lengths"] == [2_000]
    assert len(list(tmp_path.glob("d.jsonl.*.old"))) == 1


def test_a_file_of_something_else_is_refused(novel_data: NovelData, tmp_path: Path):
    """A file with rows of another job is refused."""
    (tmp_path / "d.jsonl").write_text('{"key": "q::x::topk=10", "status": "scored"}\n')
    with pytest.raises(UseError, match="not a results file of assay depth"):
        run(prepared(novel_data, tmp_path))


def test_questions_known_by_heart_are_marked(novel_data: NovelData, tmp_path: Path):
    """A first pass asks each question without the novel; rows say if it was answered."""
    by_id = {question.id: question for question in novel_data.questions}

    def reply(question: Question) -> str:
        right = json.dumps({"answer": list(by_id[question.id].answers)})
        knows = int(question.id[-1]) % 2 == 0
        return right if "<text-" in question.text or knows else "no idea"

    depth = prepared(novel_data, tmp_path, lambda: scripted(reply), closed_book=True)
    run(depth)
    closed = lines(depth.test.closed_journal)[1:]
    assert len(closed) == 25
    assert {row["test_context_length"] for row in closed} == {0}
    assert all(row["closed_book"] for row in closed)
    rows = lines(depth.test.journal)[1:]
    assert len(rows) == 50
    for row in rows:
        assert row["closed_book_correct"] == (int(row["question_id"][-1]) % 2 == 0)
    (results,) = read_cells([depth.test.journal])
    assert 0 < results.without_known().excluded < 50


def test_a_closed_book_that_comes_later_asks_nothing_twice(novel_data: NovelData, tmp_path: Path):
    """Rows of an earlier run are marked by new rows with the same key and without a cost."""
    asked: list[str] = []

    def load() -> System:
        system = ScriptedSystem(
            lambda *_: Answer(
                text='{"answer": []}', usage=Usage(calls=1, prompt_tokens=9, cost=1.0, paid=1.0)
            )
        )
        system.asked = asked
        return system

    run(prepared(novel_data, tmp_path, load))
    assert len(asked) == 50
    depth = prepared(novel_data, tmp_path, load, closed_book=True)
    run(depth)
    assert len(asked) == 75
    assert not any(read_known_questions(depth.test.closed_journal).values())
    rows = lines(depth.test.journal)[1:]
    assert len(rows) == 100
    assert len({row["key"] for row in rows}) == 50
    assert all(row["closed_book_correct"] is False for row in rows[50:])
    assert sum(row.get("paid") or 0 for row in rows) == 50
    run(prepared(novel_data, tmp_path, load, closed_book=True))
    assert len(lines(depth.test.journal)) == 101


def test_contexts_are_let_go(novel_data: NovelData, tmp_path: Path):
    """The memory in use does not grow with the number of contexts that were asked."""
    used_bytes: list[int] = []

    def reply(_: Question) -> str:
        used_bytes.append(tracemalloc.get_traced_memory()[0])
        return '{"answer": []}'

    chosen = {"lengths": (16_000,), "limit": 60}
    depth = prepared(novel_data, tmp_path, lambda: scripted(reply), **chosen)
    handler = DepthHandler(depth.test.system, novel_data.novel, depth.test.plan.layout)
    for slot in depth.test.plan.slots:
        size = len(handler.build_prompt(slot).prompt)  # fills the caches of the novel, which stay
    tracemalloc.start()
    try:
        run(depth)
    finally:
        tracemalloc.stop()
    assert len(used_bytes) == 60
    assert max(used_bytes[30:]) - min(used_bytes[:30]) < 10 * size


def test_cases_that_cannot_be_put_are_skipped_with_the_reason(
    novel_data: NovelData, tmp_path: Path
):
    """In legacy mode, a question whose evidence is beyond the first tokens is a skipped row."""
    result = run(prepared(novel_data, tmp_path, mode="legacy", limit=None))
    rows = lines(tmp_path / "d.jsonl")[1:]
    assert Counter(row["status"] for row in rows)["skipped"] == result.tally.skipped > 0
    for row in rows:
        if row["status"] == "skipped":
            assert "beyond its first" in row["reason"]
            assert "score" not in row
        else:
            assert row["depth_bin"] in {"0%", "25%", "50%", "75%", "100%"}
    figures = result.summary.results["variants"]["legacy"]
    assert figures["n"]["accuracy"] == result.tally.scored


@pytest.mark.parametrize(
    ("reply", "truncated"),
    [
        (Answer(text="b", finish_reason="length"), True),
        (Answer(text="b", finish_reason="stop"), False),
        (Answer(text="b"), None),
        (Answer(text="b", usage=Usage(calls=1, prompt_tokens=500)), True),
        (Answer(text="b", usage=Usage(calls=1, prompt_tokens=990)), False),
        (Answer(text="b", usage=Usage(calls=1, unmetered_calls=1)), None),
        (Answer(text="b", finish_reason="stop", usage=Usage(calls=3, prompt_tokens=10)), False),
    ],
)
def test_what_was_cut_short_is_marked(
    novel_data: NovelData, tmp_path: Path, reply: Answer, truncated: bool | None
):
    """``truncated`` is set if the reply hit the limit or the provider counts far fewer tokens."""
    run(prepared(novel_data, tmp_path, lambda: scripted(lambda _: reply), lengths=(1_000,)))
    assert {row["truncated"] for row in lines(tmp_path / "d.jsonl")[1:]} == {truncated}


def test_the_same_tokenizer_leaves_less_doubt():
    """A small difference in tokens means a cut only if both sides use the same tokenizer."""
    assert cut_below(WindowedReader(), "o200k") == CUT_BELOW_SAME
    assert cut_below(WindowedReader(), "chars") == CUT_BELOW
    assert cut_below(ScriptedSystem({}), "hf:tokenizer.json@0") == CUT_BELOW_SAME
    assert cut_below(ScriptedSystem({}), "o200k") == CUT_BELOW


def test_unparsed_replies_are_separate(novel_data: NovelData, tmp_path: Path):
    """The summary has the accuracy with and without unparsed replies, and the parse rate."""
    by_id = {question.id: question for question in novel_data.questions}

    def reply(question: Question) -> str:
        is_odd = int(question.id[-1]) % 2
        return "" if is_odd else json.dumps({"answer": list(by_id[question.id].answers)})

    result = run(prepared(novel_data, tmp_path, lambda: scripted(reply), lengths=(1_000,)))
    figures = result.summary.results["variants"]["uniform"]
    assert figures["accuracy_parsed"] == 1.0
    assert 0 < figures["accuracy"] < 1
    assert figures["accuracy"] == pytest.approx(figures["parse_rate"])
    unparsed = [
        row for row in lines(tmp_path / "d.jsonl")[1:] if row["parsing_status"] != "success"
    ]
    assert unparsed
    assert all(row["score"] == 0.0 and row["model_answer"] == [] for row in unparsed)


def test_recorded_answers_are_judged_again(novel_data: NovelData, tmp_path: Path):
    """``assay score`` keeps the metadata and computes the same scores again."""
    run(prepared(novel_data, tmp_path))
    spec = job_spec_of(read_summary(summary_path(tmp_path / "d.jsonl")))
    rescored = rescore(tmp_path / "d.jsonl")
    assert (spec.name, rescored.judged, dict(rescored.changed)) == ("depth", 50, {})
    assert lines(rescored.journal)[0] == lines(tmp_path / "d.jsonl")[0]
    results = read_results(rescored.journal, spec.metrics)
    assert len(results.scores.items) == 50


def test_the_estimate_counts_tokens_from_the_plan(novel_data: NovelData, tmp_path: Path):
    """The estimate counts contexts and questions; recorded cases need no tokens."""
    depth = prepared(novel_data, tmp_path, closed_book=True)
    before = depth_estimate(depth.test, concurrency=4)
    contexts = 25 * sum(LENGTHS)
    assert before.cases == 75
    assert before.prompt_tokens is not None
    assert contexts < before.prompt_tokens < contexts + 75 * 300
    run(depth)
    after = depth_estimate(depth.test, concurrency=4)
    assert (after.recorded, after.prompt_tokens, after.completion_tokens) == (75, 0, 0)


def test_the_estimate_leaves_out_what_cannot_be_built(novel_data: NovelData, tmp_path: Path):
    """Such cases are counted separately: they are not asked."""
    depth = prepared(novel_data, tmp_path, mode="legacy", limit=None)
    figures = depth_estimate(depth.test, concurrency=4)
    reasons = [slot.reason for slot in depth.test.plan.slots]
    unbuildable = len(reasons) - reasons.count(None)
    assert figures.unbuildable == unbuildable > 0
    (line,) = [each for each in estimate_lines(figures) if each.startswith("cases ")]
    told = (
        f"{figures.cases} (0 recorded, {unbuildable} cannot be built, {reasons.count(None)} to ask)"
    )
    assert line == f"cases   {told}"
    run(depth)
    after = depth_estimate(depth.test, concurrency=4)
    assert (after.recorded, after.unbuildable) == (len(reasons), 0)


def test_what_runs_is_described(novel_data: NovelData, tmp_path: Path):
    """The description has the novel, questions, system, depths, lengths and notes of the plan."""
    description = "\n".join(next(prepared(novel_data, tmp_path, limit=10).runs()).description)
    for word in ("chronicle_en", "10 of 60", "reader:2000", "uniform", "1000, 4000", "too few"):
        assert word in description


def test_a_recording_cannot_be_asked(novel_data: NovelData, tmp_path: Path):
    """A replay is refused, because it would give the same answer at every depth."""
    run(prepared(novel_data, tmp_path))
    with pytest.raises(UseError, match="assay score"):
        prepared(novel_data, tmp_path, lambda: ReplaySystem(tmp_path / "d.jsonl"))


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"api_key": "x", "apiKey": "x", "API-KEY": "x", "model": "m"}, {"model": "m"}),
        ({"config": {"secret": 1, "max_tokens": 9}}, {"config": {"max_tokens": 9}}),
        ({"base": "https://u:p@h/v1"}, {"base": "https://h/v1"}),
        ({"said": ["Bearer sk-or-v1-0123456789abcdef"]}, {"said": ["Bearer ***"]}),
    ],
)
def test_no_key_gets_into_the_metadata(value: Mapping[str, Any], kept: Mapping[str, Any]):
    """Keys and values that look like secrets are removed at every level of the metadata."""
    assert without_secrets(value) == kept
