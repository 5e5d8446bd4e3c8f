"""What the gate reads: results files of every form, and journals of any job."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.data import jsonl
from assay.errors import UseError
from assay.gate.gate import Limits, compare, with_texts
from assay.gate.journal_rows import item_key
from assay.gate.report_wording import as_text
from assay.gate.run_file import read_run, read_runs
from assay.records import RunHeader, Variant
from assay.runs.summary import Summary, write_summary
from tests.support.journal import failed, judged, spared, write_rows


def write(path: Path, content: Any) -> Path:
    """Write a JSON file."""
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def entry(name: str, score: float | None, **more: Any) -> dict[str, Any]:
    """A scored result."""
    return {"id": name, "question": f"{name}?", "answer": "да", "metrics": {"score": score}, **more}


def values(path: Path, **more: Any) -> dict[str, float | None]:
    """The values read from a file, by id."""
    return {key[0]: case.value for key, case in read_run(path, **more).items.items()}


def test_a_quality_run_is_read(tmp_path: Path):
    """Scores, weights, hashes and the state of the run are read."""
    content = {
        "job": "quality",
        "summary": {
            "state": "complete",
            "pdf_sha256": "aa",
            "questions_sha256": "bb",
            "counts": {"scored": 1, "failed": 1, "skipped": 0, "not_asked": 0},
        },
        "results": [
            entry("a", 0.65, status="scored", weight=2, elapsed_s=0.5),
            {"id": "b", "question": "b?", "status": "failed", "error": "timeout: 60 s"},
        ],
    }
    run = read_run(write(tmp_path / "run.json", content))
    assert run.items["a", ""].value == 0.65
    assert run.items["a", ""].weight == 2
    assert run.items["b", ""].status == "failed"
    assert (run.failed, run.first_error, run.unasked) == (1, "timeout: 60 s", 0)
    assert run.hashes == {"pdf_sha256": "aa", "questions_sha256": "bb"}
    assert run.metric_names == {"score"}


@pytest.mark.parametrize(
    "result",
    [
        {"id": "a", "score": 0.65},
        {"id": "a", "question_score": 0.65},
        {"id": "a", "metrics": {"question_score": 0.65}},
        {"id": "a", "metrics": {"score": 0.65}, "score": 0.1},
        {"question_id": "a", "metrics": {"score": 0.65}, "error": None},
    ],
)
def test_the_score_is_read_from_either_level(tmp_path: Path, result: Mapping[str, Any]):
    """The score may be at the top level or in ``metrics``, under either name."""
    path = write(tmp_path / "run.json", {"summary": {}, "results": [result]})
    assert values(path) == {"a": 0.65}


def test_a_byte_order_mark_is_ignored(tmp_path: Path):
    """A byte order mark at the start of the file is ignored."""
    path = tmp_path / "run.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"results": [entry("a", 1)]}).encode())
    assert values(path) == {"a": 1.0}


def test_a_key_that_is_twice_is_refused(tmp_path: Path):
    """Decoders take the last of two lists of results; only the author knows which is meant."""
    path = tmp_path / "run.json"
    path.write_text('{"results": [],\n"results": [{"id": "a", "score": 1}]}')
    with pytest.raises(UseError, match=r'run\.json:2: the key "results" is twice'):
        values(path)


def test_metrics_know_their_direction(tmp_path: Path):
    """Known metrics have a defined direction; for others the words of the name decide, if they do."""
    result = {
        "id": "a",
        "elapsed_s": 2.5,
        "metrics": {"score": 1, "tone": 0.5, "wait_seconds": 3, "safe_ok": True},
    }
    path = write(tmp_path / "run.json", {"results": [result]})
    runs = {
        name: read_run(path, metric=name)
        for name in ("avg_latency_s", "p95_latency_s", "tone", "wait_seconds", "safe_ok")
    }
    assert {name: run.metric.better for name, run in runs.items()} == {
        "avg_latency_s": "lower",
        "p95_latency_s": "lower",
        "tone": None,
        "wait_seconds": "lower",
        "safe_ok": "higher",
    }
    assert {name: run.items["a", ""].value for name, run in runs.items()} == {
        "avg_latency_s": 2.5,
        "p95_latency_s": 2.5,
        "tone": 0.5,
        "wait_seconds": 3.0,
        "safe_ok": 1.0,
    }


def test_several_documents_are_paired_by_document_and_question(tmp_path: Path):
    """A question id that occurs in two documents names two questions."""
    part = {"summary": {"state": "complete", "pdf_sha256": "aa"}, "results": [entry("q1", 1.0)]}
    other = {"summary": {"state": "complete", "pdf_sha256": "bb"}, "results": [entry("q1", 0.0)]}
    content = {
        "summary": {
            "state": "complete",
            "pdf_sha256": "joint",
            "datasets": {"x": {"weight": 3.0}, "y": {"weight": 1.0}},
        },
        "datasets": {"x": part, "y": other},
    }
    path = write(tmp_path / "benchmark.json", content)
    run = read_run(path)
    assert values(path) == {"x/q1": 1.0, "y/q1": 0.0}
    assert run.hashes["pdf_sha256 of x"] == "aa"
    assert compare(run, run).base_weighted == 0.75
    listed = {"datasets": [{"id": "x", "weight": 3.0, **part}, {"id": "y", **other}]}
    same = read_run(write(tmp_path / "listed.json", listed))
    assert compare(run, same).passed
    bare = write(tmp_path / "bare.json", {"datasets": {"x": part["results"]}})
    assert values(bare) == {"x/q1": 1.0}


def test_runs_are_averaged_question_by_question(tmp_path: Path):
    """Repeated answers to a question give one item with the mean of the defined values."""
    runs = [{"results": [entry("a", score), entry("b", 1.0)]} for score in (0.0, 1.0, None)]
    assert values(write(tmp_path / "runs.json", {"runs": runs})) == {"a": 0.5, "b": 1.0}


def test_a_failure_in_one_run_of_several_is_counted(tmp_path: Path):
    """A question that failed in one run is scored from the others, and the failure counts."""
    content = {
        "summary": {
            "state": "partial",
            "counts": {"scored": 1, "failed": 1, "skipped": 0, "not_asked": 0},
            "runs": {"n": 2},
        },
        "results": [entry("a", 1.0, status="scored", runs=[{}, {}])],
    }
    run = read_run(write(tmp_path / "run.json", content))
    assert run.failed == 1
    with pytest.raises(UseError, match="1 case failed"):
        compare(run, run)
    assert compare(run, run, Limits(max_failed=1)).passed


def test_an_unfinished_document_makes_the_whole_unfinished(tmp_path: Path):
    """The state is that of an unfinished document, even if the summary says complete."""
    parts = {
        "x": {"summary": {"state": "complete"}, "results": [entry("a", 1.0)]},
        "y": {"summary": {"state": "running"}, "results": []},
    }
    path = write(tmp_path / "b.json", {"summary": {"state": "complete"}, "datasets": parts})
    assert read_run(path).state == "running"


def test_a_document_that_was_never_begun_is_not_forgotten(tmp_path: Path):
    """A document that was not started makes the run unfinished, despite allowed failures."""
    counts = {"scored": 1, "failed": 1, "not_asked": 0}
    content = {
        "summary": {"state": "partial", "datasets": {"x": {}, "y": {"questions": 7}}},
        "datasets": {"x": {"summary": {"counts": counts}, "results": [entry("a", 1.0)]}},
    }
    run = read_run(write(tmp_path / "b.json", content))
    with pytest.raises(UseError, match="7 cases without an outcome"):
        compare(run, run, Limits(max_failed=1))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("not json", "not JSON"),
        ('{"results": [{"id": "a", "score": NaN}]}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a results file"),
        ("{}", "not a results file"),
        ('{"results": 3}', "not a results file"),
        ('{"results": [3]}', "result 1 is not an object"),
        ('{"results": [{"score": 1}]}', "result 1 has no id"),
        ('{"results": [{"id": "", "score": 1}]}', "result 1 has no id"),
        ('{"results": [{"id": true, "score": 1}]}', "result 1 has no id"),
        ('{"results": [{"id": "a", "score": "1"}]}', "'1' is not a score"),
        ('{"results": [{"id": "a", "metrics": {"score": [1]}}]}', "is not a score"),
        ('{"results": [{"id": "a", "score": 1, "weight": -1}]}', "cannot be negative"),
        ('{"results": [{"id": "a", "score": 1, "weight": "x"}]}', "is not a weight"),
        ('{"results": [{"id": "a", "score": 1, "status": "odd"}]}', "unknown status 'odd'"),
        ('{"results": [{"id": "a", "score": 1}, {"id": "a", "score": 1}]}', "two results have"),
        ('{"results": [], "summary": 3}', "its summary is not an object"),
        ('{"results": [{"id": "a", "metrics": {"tone": 1}}]}', "no result has a metric 'score'"),
        ('{"datasets": {"x": 3}}', "dataset 'x': contains no list of results"),
        ('{"datasets": [{"results": []}]}', "one of its datasets has no id"),
        ('{"datasets": [{"id": "x"}, {"id": "x"}]}', "two datasets have the id 'x'"),
        ('{"runs": [3]}', "one of its runs contains no results"),
        ('{"runs": {}}', "contains no list of results"),
        ('{"job": "ablation", "experiment_name": "x"}', "are missing"),
    ],
)
def test_what_is_no_results_file_is_refused_in_a_line(tmp_path: Path, content: str, words: str):
    """The message names the file and the problem."""
    path = tmp_path / "run.json"
    path.write_text(content)
    with pytest.raises(UseError, match=words) as refused:
        read_run(path)
    assert "run.json" in str(refused.value)


def test_files_that_are_not_there_are_refused(tmp_path: Path):
    """A missing file and a folder are refused."""
    for name in ("no.json", "no.jsonl"):
        with pytest.raises(UseError, match="no such file"):
            read_run(tmp_path / name)
    with pytest.raises(UseError, match="cannot be read"):
        read_run(tmp_path)


def test_a_results_file_has_no_variants(tmp_path: Path):
    """Naming a variant for a file without variants is an error."""
    path = write(tmp_path / "run.json", {"results": [entry("a", 1.0)]})
    with pytest.raises(UseError, match="do not use --variant"):
        read_run(path, variant="fast")


# journals


def row(question: str, variant: str, placement: str, value: float | None, **more: Any) -> str:
    """A row of an ablation's journal."""
    return json.dumps(
        {
            "key": f"{question}::{variant}::{placement}",
            "question_id": question,
            "config": variant,
            "status": "scored",
            "question": f"{question}?",
            "answer": f"{variant} says",
            "scores": {"gold_coverage": value},
            **more,
        }
    )


def _configs(rows: list[str]) -> set[str]:
    return {json.loads(line).get("config", "fast") for line in rows}


def journal(path: Path, rows: list[str], *, state: str = "complete", **more: Any) -> Path:
    """Write a journal and its summary."""
    path.write_text("".join(f"{line}\n" for line in rows))
    header = {
        "job": "ablation",
        "name": path.stem,
        "system": "s",
        "variants": tuple(Variant(name=name) for name in sorted(_configs(rows))),
        "total": len(rows),
        "questions_sha256": "cc",
        **more,
    }
    assert set(header) <= set(RunHeader.__struct_fields__)
    write_summary(path.with_suffix(".json"), Summary(state=state, **header))  # type: ignore[arg-type]
    return path


def test_a_journal_and_its_summary_are_one_run(tmp_path: Path):
    """The journal and its summary name the same run."""
    path = journal(tmp_path / "run.jsonl", [row("a", "fast", "topk=3", 0.5)])
    assert values(path) == values(path.with_suffix(".json")) == {"a": 0.5}
    run = read_run(path)
    assert (run.job, run.metric.name, run.variant) == ("ablation", "avg_gold_coverage", "fast")
    assert run.hashes == {"questions_sha256": "cc"}


def test_the_last_row_of_a_key_wins(tmp_path: Path):
    """A case counts as its last row says, scored or failed."""
    path = journal(
        tmp_path / "run.jsonl",
        [
            row("a", "fast", "topk=3", None, status="failed", error="timeout"),
            row("a", "fast", "topk=3", 0.5),
            row("b", "fast", "topk=3", None, status="failed", error="unavailable: 503"),
        ],
        total=2,
    )
    run = read_run(path)
    assert run.failed == 1
    assert run.items["a", "topk=3"].value == 0.5
    assert run.unasked == 0


def test_a_run_with_rows_missing_did_not_finish(tmp_path: Path):
    """Missing rows are counted, even if the summary says complete."""
    path = journal(tmp_path / "run.jsonl", [row("a", "fast", "topk=3", 0.5)], total=3)
    assert read_run(path).unasked == 2


def test_the_variant_must_be_known(tmp_path: Path):
    """Among several variants one must be named; a single variant needs no name."""
    both = journal(
        tmp_path / "both.jsonl",
        [row("a", "fast", "topk=3", 0.5), row("a", "slow", "topk=3", 1.0)],
    )
    single = journal(tmp_path / "one.jsonl", [row("a", "old", "topk=3", 0.25)])
    with pytest.raises(UseError, match="contains the variants fast, slow"):
        read_run(both)
    with pytest.raises(UseError, match="did you mean 'fast'"):
        read_run(both, variant="fats")
    base, cand = read_runs(both, both, variant="slow", base_variant="fast")
    assert (base.variant, cand.variant) == ("fast", "slow")
    base, cand = read_runs(single, both, variant="slow")
    assert (base.variant, cand.variant) == ("old", "slow")
    base, cand = read_runs(both, both, variant="slow")
    assert base.variant == cand.variant == "slow"


def test_a_variant_is_compared_with_the_baseline_of_its_file(tmp_path: Path):
    """Without a name for the base, a variant is not compared with its own rows, as on the page."""
    rows = [row("a", "on", "topk=3", 0.5), row("a", "off", "topk=3", 1.0)]
    path = journal(tmp_path / "run.jsonl", rows, extra={"baseline": "on"})
    other = journal(tmp_path / "other.jsonl", rows, extra={"baseline": "on"})
    for base in (path, path.with_suffix(".json")):
        sides = read_runs(base, path, variant="off")
        assert [side.variant for side in sides] == ["on", "off"]
    assert [side.variant for side in read_runs(other, path, variant="off")] == ["off", "off"]


def test_a_single_placement_is_a_setting(tmp_path: Path):
    """Runs with different ``topk`` are compared by question, with a note."""
    base = read_run(journal(tmp_path / "a.jsonl", [row("a", "fast", "topk=3", 0.5)]))
    cand = read_run(journal(tmp_path / "b.jsonl", [row("a", "fast", "topk=5", 0.5)]))
    comparison = compare(base, cand)
    assert comparison.passed
    assert "the base was asked at topk=3, the candidate at topk=5" in [*map(str, comparison.notes)]


def test_several_placements_are_paired_each_with_its_own(tmp_path: Path):
    """Placements are paired in any order of rows."""
    placements = [("topk=3", 0.0), ("topk=5", 1.0)]
    rows = [row("a", "fast", placement, value) for placement, value in placements]
    base = read_run(journal(tmp_path / "a.jsonl", rows))
    cand = read_run(journal(tmp_path / "b.jsonl", rows[::-1]))
    comparison = compare(base, cand)
    assert comparison.passed
    assert [item.id for item in comparison.items] == ["a::topk=3", "a::topk=5"]


def test_repetitions_are_averaged(tmp_path: Path):
    """Rows that differ in ``run=N`` only are repetitions of the same question."""
    rows = [row("a", "fast", f"run={number}", value) for number, value in ((1, 0.0), (2, 1.0))]
    assert values(journal(tmp_path / "run.jsonl", rows)) == {"a": 0.5}
    assert item_key("a::fast::length=8,run=12", "a", "fast") == ("a", "length=8")
    assert item_key("a::fast::rerun=1", "a", "fast") == ("a", "rerun=1")


def test_rows_without_a_summary_are_taken_on_trust(tmp_path: Path):
    """A journal without a summary is read, and a note says that its end is not known."""
    path = tmp_path / "rows.jsonl"
    path.write_text(row("a", "fast", "topk=3", 0.5) + "\n")
    comparison = compare(read_run(path), read_run(path))
    assert any("there is no summary" in note for note in map(str, comparison.notes))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("not a row\n", "rows.jsonl:1: not a row"),
        ("", "contains no rows"),
        ('{"meta": 1}\n{"status": "scored"}\n', "rows.jsonl:2: a row without a key"),
        (
            '{"key": "a::v::", "question_id": "a", "config": "v", "elapsed_s": 1, "cost": "x"}\n',
            "not a row",
        ),
    ],
)
def test_a_file_that_is_not_a_journal_is_refused(tmp_path: Path, lines: str, words: str):
    """A file that is not a journal is refused with the number of the wrong line."""
    path = tmp_path / "rows.jsonl"
    path.write_text(lines)
    with pytest.raises(UseError, match=words):
        read_run(path)


@pytest.mark.parametrize("value", [7.5, -1])
def test_a_share_that_cannot_exist_is_refused(tmp_path: Path, value: float):
    """A row with a rate of 7.5 decides nothing; the message has its key."""
    rows = [row("q1", "on", "topk=5", 1.0), row("q2", "on", "topk=5", value)]
    path = journal(tmp_path / "a.jsonl", rows)
    with pytest.raises(
        UseError, match=r"q2::on::topk=5: \w+ is \S+, but it is a share from 0 to 1"
    ):
        read_run(path)


def test_a_negative_time_is_refused(tmp_path: Path):
    """A latency below 0 decides nothing; the message has the key of its row."""
    rows = [
        row("q1", "on", "topk=5", 1.0),
        json.dumps({**json.loads(row("q2", "on", "topk=5", 1.0)), "elapsed_s": -5}),
    ]
    path = journal(tmp_path / "a.jsonl", rows)
    with pytest.raises(
        UseError, match="q2::on::topk=5: elapsed_s is -5, but a time is not below 0"
    ):
        read_run(path, metric="avg_latency_s")


def test_other_gold_is_another_comparison(tmp_path: Path):
    """Rows judged by different gold answers are not comparable."""
    rows = [row("a", "fast", "topk=3", 0.5)]
    base = read_run(journal(tmp_path / "a.jsonl", rows))
    cand = read_run(journal(tmp_path / "b.jsonl", rows, extra={"gold_sha256": "dd"}))
    with pytest.raises(UseError, match="gold_sha256 differs: base none, candidate dd"):
        compare(base, cand)


@pytest.mark.parametrize(
    ("job", "before", "after", "words"),
    [
        ("depth", {"novel_sha256": "dd"}, {"novel_sha256": "ee"}, "novel_sha256 differs: base dd"),
        (
            "bench",
            {"documents": {"a.txt": "1", "b.txt": "2"}},
            {"documents": {"a.txt": "1", "b.txt": "3"}},
            "sha256 of b.txt differs: base 2, candidate 3",
        ),
        ("review", {"threshold": 0.5}, {"threshold": 0.0}, "threshold differs: base 0.5, cand"),
        ("review", {}, {"costs": [[1, 0]]}, r"costs differs: base none, candidate \[\[1, 0\]\]"),
        ("review", {"laws_sha256": "l"}, {"laws_sha256": None}, "laws_sha256 differs: base l"),
    ],
)
def test_other_documents_or_judging_is_another_comparison(
    tmp_path: Path, job: str, before: dict[str, Any], after: dict[str, Any], words: str
):
    """Documents and judging must be the same, unless the user allows a mismatch."""
    rows = [row("a", "fast", "", None, score=1.0, scores={"weighted_score": 1.0})]
    base = read_run(journal(tmp_path / "a.jsonl", rows, job=job, extra=before))
    cand = read_run(journal(tmp_path / "b.jsonl", rows, job=job, extra=after))
    with pytest.raises(UseError, match=words) as refused:
        compare(base, cand)
    assert len(str(refused.value).splitlines()) == 1
    comparison = compare(base, cand, Limits(strict_hashes=False))
    assert comparison.passed
    assert re.search(words, "\n".join(map(str, comparison.notes)))


def test_another_corpus_is_noted(tmp_path: Path):
    """Another corpus is only noted; an unknown corpus is not."""
    rows = [row("a", "fast", "topk=3", 0.5)]
    base, cand, bare = (
        read_run(journal(tmp_path / f"{name}.jsonl", rows, extra=extra))
        for name, extra in (
            ("a", {"corpus_sha256": "c1"}),
            ("b", {"corpus_sha256": "c2"}),
            ("c", {}),
        )
    )
    comparison = compare(base, cand)
    assert comparison.passed
    assert tuple(map(str, comparison.notes)) == ("corpus_sha256 differs: base c1, candidate c2",)
    assert "note         corpus_sha256 differs" in as_text(comparison)
    assert tuple(map(str, compare(base, bare).notes)) == ()


def test_failures_of_another_variant_do_not_count(tmp_path: Path):
    """A run in which only another variant failed counts as complete."""
    rows = [
        row("a", "fast", "topk=3", 0.5),
        row("a", "slow", "topk=3", None, status="failed", error="timeout"),
    ]
    path = journal(tmp_path / "run.jsonl", rows, state="partial")
    fast, slow = read_runs(path, path, variant="slow", base_variant="fast")
    assert compare(fast, fast).passed
    with pytest.raises(UseError, match="1 case failed"):
        compare(slow, slow)
    cut = read_run(journal(tmp_path / "cut.jsonl", rows, state="partial", total=3), variant="fast")
    with pytest.raises(UseError, match="1 case without an outcome"):
        compare(cut, cut)


def test_a_run_that_failed_throughout_is_reported_as_failed(tmp_path: Path):
    """A run in which all cases failed is reported as failed, not as lacking the metric."""
    results = [
        {"id": "a", "status": "failed", "error": "unavailable: no route", "elapsed_s": 0.1},
    ]
    summary = {"state": "partial", "counts": {"failed": 1, "not_asked": 0}}
    base = read_run(write(tmp_path / "base.json", {"results": [entry("a", 1.0)]}))
    cand = read_run(write(tmp_path / "cand.json", {"summary": summary, "results": results}))
    with pytest.raises(UseError, match=r"1 case failed, 0 allowed.*no route"):
        compare(base, cand)


def test_answers_are_fetched_for_what_changed(tmp_path: Path):
    """The question and both answers come from journals and from results files."""
    base = read_run(
        journal(
            tmp_path / "a.jsonl",
            [row("a", "fast", "topk=3", 1.0, answer="old"), row("b", "fast", "topk=3", 1.0)],
        )
    )
    cand = read_run(
        journal(
            tmp_path / "b.jsonl",
            [row("a", "fast", "topk=3", 0.0, answer="new"), row("b", "fast", "topk=3", 1.0)],
        )
    )
    changed, same = with_texts(compare(base, cand)).items
    assert (changed.question, changed.answer_before, changed.answer_after) == ("a?", "old", "new")
    assert same.question == ""
    base = read_run(write(tmp_path / "a1.json", {"results": [entry("a", 1.0)]}))
    cand = read_run(write(tmp_path / "b1.json", {"results": [entry("a", 0.0)]}))
    (item,) = with_texts(compare(base, cand)).items
    assert (item.question, item.answer_before) == ("a?", "да")


def test_only_the_worst_answers_are_fetched_where_a_limit_is_given(tmp_path: Path):
    """Texts are added to the ``most`` worst questions only."""
    base = read_run(write(tmp_path / "a.json", {"results": [entry("a", 1.0), entry("b", 1.0)]}))
    cand = read_run(write(tmp_path / "b.json", {"results": [entry("a", 0.5), entry("b", 0.0)]}))
    slight, worst = with_texts(compare(base, cand), most=1).items
    assert (slight.question, worst.question) == ("", "b?")


def test_a_score_has_one_name_among_the_metrics_of_a_file(tmp_path: Path):
    """``question_score`` in one file and ``score`` in the other are not metrics of one run."""
    base = write(tmp_path / "base.json", {"results": [entry("a", 1.0)]})
    own = {"id": "a", "score": 1.0, "metrics": {"question_score": 1.0, "tone": 1}}
    cand = write(tmp_path / "cand.json", {"results": [own]})
    assert read_run(base).metric_names == {"score"}
    assert read_run(cand).metric_names == {"score", "tone"}
    top = {"id": "a", "score": 1.0, "wit": 0.5, "metrics": {"tone": 1}}
    cand = write(tmp_path / "top.json", {"results": [top]})
    assert read_run(cand).metric_names == {"score", "tone"}
    assert read_run(cand, metric="wit").metric_names == {"score", "tone", "wit"}
    assert compare(*read_runs(base, cand)).passed


def test_an_answer_that_is_not_judged_yet_is_not_compared(tmp_path: Path):
    """A run with such answers is refused, like one with failures, unless they are allowed."""
    rows = [row("a", "fast", "topk=3", 1.0), row("b", "fast", "topk=3", 1.0)]
    base = read_run(journal(tmp_path / "base.jsonl", rows))
    waiting = [rows[0], row("b", "fast", "topk=3", None, status="answered")]
    cand = read_run(journal(tmp_path / "cand.jsonl", waiting, state="partial"))
    assert (cand.failed, cand.answered, cand.unasked) == (0, 1, 0)
    with pytest.raises(UseError, match="0 cases failed, 1 not judged yet, 0 allowed"):
        compare(base, cand)
    compared = compare(base, cand, Limits(max_failed=1))
    assert compared.passed
    (item,) = compared.items_with("not compared")
    assert str(item.reason) == "not judged yet in the candidate"
    assert "1 scored, 1 not judged yet, 0 failed" in as_text(compared)


def test_a_results_file_may_have_answers_that_are_not_judged(tmp_path: Path):
    """The entry or the counts of the summary say so."""
    content = {
        "summary": {"state": "partial", "counts": {"scored": 1, "answered": 1, "not_asked": 0}},
        "results": [entry("a", 1.0), {"id": "b", "status": "answered", "answer": "x"}],
    }
    run = read_run(write(tmp_path / "run.json", content))
    assert (run.answered, run.failed, run.unasked) == (1, 0, 0)


def test_the_first_error_is_one_that_is_still_valid(tmp_path: Path):
    """A failure that was asked again successfully is not named."""
    rows = [
        row("a", "fast", "topk=3", None, status="failed", error="timeout: passed"),
        row("a", "fast", "topk=3", 1.0),
        row("b", "fast", "topk=3", None, status="failed", error="timeout: still"),
    ]
    assert read_run(journal(tmp_path / "run.jsonl", rows, total=2)).first_error == "timeout: still"


def test_texts_come_from_the_last_row_of_a_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Only the blocks that hold the chosen rows are read; an earlier answer is not shown."""
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", 64)
    rows = [row("a", "fast", "topk=3", 1.0, answer="old"), row("b", "fast", "topk=3", 1.0)]
    base = read_run(journal(tmp_path / "base.jsonl", rows))
    again = [
        row("a", "fast", "topk=3", 1.0, answer="first"),
        rows[1],
        row("a", "fast", "topk=3", 0.0, answer="second"),
    ]
    cand = read_run(journal(tmp_path / "cand.jsonl", again, total=2))
    changed, _ = with_texts(compare(base, cand)).items
    assert (changed.answer_before, changed.answer_after) == ("old", "second")


def test_a_journal_that_is_replaced_while_it_is_read_is_an_error(tmp_path: Path):
    """Texts are looked up where the rows were; other content there is not taken for them."""
    rows = [row("a", "fast", "topk=3", 1.0)]
    base = read_run(journal(tmp_path / "base.jsonl", rows))
    cand = read_run(journal(tmp_path / "cand.jsonl", [row("a", "fast", "topk=3", 0.0)]))
    compared = compare(base, cand)
    (tmp_path / "cand.jsonl").write_text("something else")
    with pytest.raises(UseError, match="has changed while it was read"):
        with_texts(compared)


@pytest.mark.parametrize("later", [(), ("failed",), ("scored",)])
def test_rows_of_spared_cases_say_that_a_run_stopped_early(tmp_path: Path, later: tuple[str]):
    """There is no header. Once every spared case is answered, no answer chose the questions."""
    rows = [judged(f"q{n}", name, float(name == "on")) for n in range(20) for name in ("on", "off")]
    rows += [spared("q20", name, decided_after=20) for name in ("on", "off")]
    ends = {"failed": failed("q20", "on"), "scored": judged("q20", "on", 1.0)}
    journal = write_rows(tmp_path / "early.jsonl", [*rows, *map(ends.__getitem__, later)])
    cand = read_run(journal, variant="on")
    assert cand.stops_early is (later != ("scored",))
    assert any("--stop-early" in note for note in map(str, cand.notes)) is cand.stops_early
    base = read_run(journal, variant="off")
    assert base.stops_early
    assert compare(base, cand, Limits(max_failed=1)).effect.p_value is None


@pytest.mark.parametrize("kind", ["results", "rows"])
def test_ids_of_other_questions_are_no_pairs(tmp_path: Path, kind: str):
    """Texts that differ are a mismatch; if it is allowed, these ids are left out and counted."""

    def run(name: str, questions: Mapping[str, str]) -> Path:
        if kind == "results":
            entries = [entry(each, 0.5, question=text) for each, text in questions.items()]
            return write(tmp_path / f"{name}.json", {"results": entries})
        rows = [
            json.dumps(json.loads(row(each, "v", "topk=5", 0.5)) | {"question": text})
            for each, text in questions.items()
        ]
        return journal(tmp_path / f"{name}.jsonl", rows, questions_sha256=None)

    base = run("base", {"a": "How long is it?", "b": "How wide?"})
    same = run("same", {"a": "How  long is it？", "b": "How wide?"})
    cand = run("cand", {"a": "Unrelated", "b": "How wide?"})
    assert len(compare(*read_runs(base, same)).items) == 2
    with pytest.raises(
        UseError, match=r"1 id that both runs have, first 'a', with another question"
    ):
        compare(*read_runs(base, cand))
    allowed = compare(*read_runs(base, cand), Limits(strict_hashes=False))
    assert [item.id for item in allowed.items] == ["b"]
    assert any(
        "1 with the same id but another question, left out" in note
        for note in map(str, allowed.notes)
    )


@pytest.mark.parametrize("field", ["score", "weight"])
@pytest.mark.parametrize("value", [1e308, 10**400], ids=["float", "integer"])
def test_a_number_that_no_sum_can_hold_is_refused(tmp_path: Path, field: str, value: float):
    """A score or a weight that would overflow is one line, not a traceback."""
    path = write(tmp_path / "a.json", {"results": [{"id": "a", "score": 0.5} | {field: value}]})
    with pytest.raises(UseError, match=rf"a\.json: a: the {field} is too large"):
        read_run(path)


def test_fields_that_contradict_each_other_are_named(tmp_path: Path):
    """Only the author knows which is right, so the gate decides only if a mismatch is allowed."""
    results = [
        entry("a", 1.0) | {"score": 0.0},
        entry("b", 0.5, question_score=0.5) | {"score": 0.0},
        entry("c", 2 / 3) | {"score": 0.6667},
        entry("d", 0.0, passed=True),
        entry("e", 1.0, passed="no"),
        entry("f", 0.2, passed=False, correct=True),
    ]
    path = write(tmp_path / "run.json", {"results": results})
    assert values(path) == {"a": 1, "b": 0.5, "c": 2 / 3, "d": 0, "e": 1, "f": 0.2}
    run = read_run(path)
    with pytest.raises(UseError, match="which is used; use --allow-mismatch to compare anyway"):
        compare(run, run)
    assert set(run.doubts) <= set(compare(run, run, Limits(strict_hashes=False)).notes)
    assert tuple(map(str, run.doubts)) == (
        f"{path}: 2 results have another value in score than in metrics.score, which is used",
        f"{path}: 2 results have another verdict in passed than in the score, which is used",
    )


def test_a_verdict_beside_another_scale_is_no_contradiction(tmp_path: Path):
    """Of 100 points, 60 may be too few to pass; another metric than the score has no verdict."""
    of_hundred = [entry("a", 60, passed=False), entry("b", 100, passed=True)]
    assert (
        tuple(map(str, read_run(write(tmp_path / "a.json", {"results": of_hundred})).doubts)) == ()
    )
    toned = [entry("a", 1.0, passed=True, tone=0)]
    assert (
        tuple(
            map(str, read_run(write(tmp_path / "b.json", {"results": toned}), metric="tone").doubts)
        )
        == ()
    )


def test_a_verdict_that_the_levels_do_not_give_is_named(tmp_path: Path):
    """The reviewer calls an answer right whose level is not the true one."""
    results = [
        {"id": 1, "prediction": "high", "ground_truth": "low", "correct_risk": True},
        {"id": 2, "prediction": "high", "ground_truth": "high", "correct_risk": True},
    ]
    path = write(tmp_path / "run.json", {"mode_1": {"metrics": {}, "results": results}})
    assert values(path, metric="accuracy") == {"1": 1.0, "2": 1.0}
    note = (
        "1 result has another verdict in correct_risk than in the levels, and correct_risk is used"
    )
    assert tuple(map(str, read_run(path, metric="accuracy").doubts)) == (f"{path}: {note}",)
    assert tuple(map(str, read_run(path, metric="weighted_accuracy").doubts)) == ()
