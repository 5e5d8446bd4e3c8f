import json
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assay.config import RunSettings
from assay.errors import UseError
from assay.jobs.depth.estimate import depth_estimate
from assay.jobs.depth.handler import CUT_BELOW, CUT_BELOW_SAME, DepthHandler, cut_below
from assay.jobs.depth.header import without_secrets
from assay.jobs.depth.map.results import read_cells
from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.plan.slot import DEPTHS, Layout
from assay.jobs.depth.planned_test import DepthTest
from assay.jobs.depth.preparation import plan_test, prepare_depth, read_known_questions
from assay.jobs.prepared import PreparedRun, run_prepared
from assay.jobs.rescore import rescore
from assay.jobs.results import read_results
from assay.jobs.spec import job_spec_of
from assay.journal.summary import read_summary, summary_path
from assay.records import Answer, Question, Usage
from assay.runner import RunResult
from assay.systems import ReplaySystem, ScriptedSystem, System
from assay.systems.windowed_reader import WindowedReader

LENGTHS = (1_000, 4_000)
SETTINGS = RunSettings(concurrency=4)


class Prepared(NamedTuple):
    """A planned test, and a way to prepare its runs."""

    test: DepthTest
    runs: Callable[[], Iterator[PreparedRun]]


def prepared(
    material: NovelData,
    folder: Path,
    load: Callable[[], System] = lambda: WindowedReader(2_000),
    *,
    closed_book: bool = False,
    **layout: Any,
) -> Prepared:
    """A test of few cases, uniform unless told otherwise."""
    chosen = Layout(**{"mode": "uniform", "lengths": LENGTHS, "max_questions": 25, **layout})
    where = {"folder": folder, "journal": folder / "d.jsonl", "closed_book": closed_book}
    return Prepared(
        test=plan_test(material, chosen, load(), **where),
        runs=lambda: prepare_depth(material, chosen, load, **where),
    )


def run(depth: Prepared, **options: Any) -> RunResult:
    """All passes, in silence; the last one's result."""
    results = [run_prepared(each, settings=SETTINGS, **options) for each in depth.runs()]
    return results[-1]


def lines(path: Path) -> list[dict[str, Any]]:
    """All lines of a results file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def scripted(reply: Callable[[Question], Any]) -> ScriptedSystem:
    """A system that replies as told."""
    return ScriptedSystem(lambda question, _: reply(question))


def test_rows_have_the_published_names(material: NovelData, tmp_path: Path):
    """The first line is metadata and every row has the published fields, so that the map reads both."""
    result = run(prepared(material, tmp_path))
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
    (found,) = read_cells([tmp_path / "d.jsonl"])
    assert len(found.replies) == 50
    assert found.model == "reader:2000"


def test_the_map_shows_what_the_reader_drops(material: NovelData, tmp_path: Path):
    """Within the window everything is found; beyond it the edges alone, and rows say it was cut."""
    run(prepared(material, tmp_path))
    scores: dict[tuple[int, str], list[float]] = {}
    for row in lines(tmp_path / "d.jsonl")[1:]:
        scores.setdefault((row["test_context_length"], row["depth_bin"]), []).append(row["score"])
        assert row["truncated"] == (row["test_context_length"] == 4_000)
    shown = {place: sum(found) / len(found) for place, found in scores.items()}
    assert {shown[1_000, f"{100 * depth:g}%"] for depth in DEPTHS} == {1.0}
    assert [shown[4_000, f"{100 * depth:g}%"] for depth in DEPTHS] == [1.0, 0.0, 0.0, 0.0, 1.0]


def test_a_finished_run_stays_as_it_is(material: NovelData, tmp_path: Path):
    """Running again asks nobody and leaves every byte of rows and summary."""
    run(prepared(material, tmp_path))
    before = {path.name: path.read_bytes() for path in tmp_path.glob("d.json*")}
    again = run(prepared(material, tmp_path))
    assert again.asked == 0
    assert {path.name: path.read_bytes() for path in tmp_path.glob("d.json*")} == before


def test_the_same_test_gives_the_same_rows(material: NovelData, tmp_path: Path):
    """Two runs differ in nothing but times."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    rows = []
    for name in ("one", "two"):
        run(prepared(material, tmp_path / name))
        timeless = [
            {key: value for key, value in row.items() if key not in {"ts", "elapsed_s"}}
            for row in lines(tmp_path / name / "d.jsonl")[1:]
        ]
        rows.append(sorted(timeless, key=lambda row: row["key"]))
    assert rows[0] == rows[1]


def test_another_test_does_not_go_into_the_same_file(material: NovelData, tmp_path: Path):
    """Other lengths in a file that has rows are refused before any call; --fresh sets it aside."""
    run(prepared(material, tmp_path))
    asked = ScriptedSystem({})
    other = prepared(material, tmp_path, lambda: asked, lengths=(2_000,), closed_book=True)
    with pytest.raises(UseError, match=r"context_lengths \[1000,4000\], now \[2000\]"):
        run(other)
    assert asked.asked == []
    run(prepared(material, tmp_path, lengths=(2_000,)), fresh=True)
    assert lines(tmp_path / "d.jsonl")[0]["metadata"]["context_lengths"] == [2_000]
    assert len(list(tmp_path.glob("d.jsonl.*.old"))) == 1


def test_a_file_of_something_else_is_refused(material: NovelData, tmp_path: Path):
    """Rows of another job are not added to."""
    (tmp_path / "d.jsonl").write_text('{"key": "q::x::topk=10", "status": "scored"}\n')
    with pytest.raises(UseError, match="not a results file of assay depth"):
        run(prepared(material, tmp_path))


def test_questions_known_by_heart_are_marked(material: NovelData, tmp_path: Path):
    """The closed book comes first, each question once, and every row says what it showed."""
    by_id = {question.id: question for question in material.questions}

    def reply(question: Question) -> str:
        right = json.dumps({"answer": list(by_id[question.id].answers)})
        knows = int(question.id[-1]) % 2 == 0
        return right if "<text-" in question.text or knows else "no idea"

    depth = prepared(material, tmp_path, lambda: scripted(reply), closed_book=True)
    run(depth)
    closed = lines(depth.test.closed_journal)[1:]
    assert len(closed) == 25
    assert {row["test_context_length"] for row in closed} == {0}
    assert all(row["closed_book"] for row in closed)
    rows = lines(depth.test.journal)[1:]
    assert len(rows) == 50
    for row in rows:
        assert row["closed_book_correct"] == (int(row["question_id"][-1]) % 2 == 0)
    (found,) = read_cells([depth.test.journal])
    assert 0 < found.without_known().excluded < 50


def test_a_closed_book_that_comes_later_asks_nothing_twice(material: NovelData, tmp_path: Path):
    """Rows recorded before are marked by rows of the same key, which carry no second bill."""
    asked: list[str] = []

    def load() -> System:
        system = ScriptedSystem(
            lambda *_: Answer(
                text='{"answer": []}', usage=Usage(calls=1, prompt_tokens=9, cost=1.0, paid=1.0)
            )
        )
        system.asked = asked
        return system

    run(prepared(material, tmp_path, load))
    assert len(asked) == 50
    depth = prepared(material, tmp_path, load, closed_book=True)
    run(depth)
    assert len(asked) == 75
    assert not any(read_known_questions(depth.test.closed_journal).values())
    rows = lines(depth.test.journal)[1:]
    assert len(rows) == 100
    assert len({row["key"] for row in rows}) == 50
    assert all(row["closed_book_correct"] is False for row in rows[50:])
    assert sum(row.get("paid") or 0 for row in rows) == 50
    run(prepared(material, tmp_path, load, closed_book=True))
    assert len(lines(depth.test.journal)) == 101


def test_contexts_are_let_go(material: NovelData, tmp_path: Path):
    """Sixty contexts of 16,000 tokens never stand in memory together: what is held stays level."""
    held: list[int] = []

    def reply(_: Question) -> str:
        held.append(tracemalloc.get_traced_memory()[0])
        return '{"answer": []}'

    chosen = {"lengths": (16_000,), "max_questions": 60}
    depth = prepared(material, tmp_path, lambda: scripted(reply), **chosen)
    handler = DepthHandler(depth.test.system, material.novel, depth.test.plan.layout)
    for slot in depth.test.plan.slots:
        size = len(handler.built(slot).prompt)  # fills the caches of the novel, which stay
    tracemalloc.start()
    try:
        run(depth)
    finally:
        tracemalloc.stop()
    assert len(held) == 60
    assert max(held[30:]) - min(held[:30]) < 10 * size


def test_cases_that_cannot_be_put_are_skipped_with_the_reason(material: NovelData, tmp_path: Path):
    """Legacy rows beyond the first tokens are skipped rows, and count neither right nor wrong."""
    result = run(prepared(material, tmp_path, mode="legacy", max_questions=None))
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
    material: NovelData, tmp_path: Path, reply: Answer, truncated: bool | None
):
    """An answer that ended for length, or a prompt the provider counts far shorter, was cut."""
    run(prepared(material, tmp_path, lambda: scripted(lambda _: reply), lengths=(1_000,)))
    assert {row["truncated"] for row in lines(tmp_path / "d.jsonl")[1:]} == {truncated}


def test_the_same_tokenizer_leaves_less_doubt():
    """Only where both sides count alike is a prompt a few per cent short known to be cut."""
    assert cut_below(WindowedReader(), "o200k") == CUT_BELOW_SAME
    assert cut_below(WindowedReader(), "chars") == CUT_BELOW
    assert cut_below(ScriptedSystem({}), "hf:tokenizer.json@0") == CUT_BELOW_SAME
    assert cut_below(ScriptedSystem({}), "o200k") == CUT_BELOW


def test_unparsed_replies_stand_apart(material: NovelData, tmp_path: Path):
    """Accuracy with them and without them, and the rate of replies that were read, are all there."""
    by_id = {question.id: question for question in material.questions}

    def reply(question: Question) -> str:
        is_odd = int(question.id[-1]) % 2
        return "" if is_odd else json.dumps({"answer": list(by_id[question.id].answers)})

    result = run(prepared(material, tmp_path, lambda: scripted(reply), lengths=(1_000,)))
    figures = result.summary.results["variants"]["uniform"]
    assert figures["accuracy_parsed"] == 1.0
    assert 0 < figures["accuracy"] < 1
    assert figures["accuracy"] == pytest.approx(figures["parse_rate"])
    unparsed = [
        row for row in lines(tmp_path / "d.jsonl")[1:] if row["parsing_status"] != "success"
    ]
    assert unparsed
    assert all(row["score"] == 0.0 and row["model_answer"] == [] for row in unparsed)


def test_recorded_answers_are_judged_again(material: NovelData, tmp_path: Path):
    """``assay score`` knows the job: it keeps the metadata and comes to the same scores."""
    run(prepared(material, tmp_path))
    kind = job_spec_of(read_summary(summary_path(tmp_path / "d.jsonl")))
    done = rescore(tmp_path / "d.jsonl")
    assert (kind.name, done.judged, dict(done.changed)) == ("depth", 50, {})
    assert lines(done.journal)[0] == lines(tmp_path / "d.jsonl")[0]
    results = read_results(done.journal, kind.metrics)
    assert len(results.scores.items) == 50


def test_the_estimate_counts_tokens_from_the_plan(material: NovelData, tmp_path: Path):
    """Tokens are the planned lengths and what stands around them; what is recorded costs nothing."""
    depth = prepared(material, tmp_path, closed_book=True)
    made = depth_estimate(depth.test, concurrency=4)
    contexts = 25 * sum(LENGTHS)
    assert made.cases == 75
    assert made.prompt_tokens is not None
    assert contexts < made.prompt_tokens < contexts + 75 * 300
    run(depth)
    rest = depth_estimate(depth.test, concurrency=4)
    assert (rest.recorded, rest.prompt_tokens, rest.completion_tokens) == (75, 0, 0)


def test_what_runs_is_described(material: NovelData, tmp_path: Path):
    """Novel, questions, system, depths, lengths and every note of the plan are said."""
    said = "\n".join(next(prepared(material, tmp_path, max_questions=10).runs()).description)
    for word in ("chronicle_en", "10 of 60", "reader:2000", "uniform", "1000, 4000", "too few"):
        assert word in said


def test_a_recording_cannot_be_asked(material: NovelData, tmp_path: Path):
    """A replay answers by question and would say the same at every place, so it is refused."""
    run(prepared(material, tmp_path))
    with pytest.raises(UseError, match="assay score"):
        prepared(material, tmp_path, lambda: ReplaySystem(tmp_path / "d.jsonl"))


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
    """Names and values that look like secrets are left out, wherever they stand."""
    assert without_secrets(value) == kept
