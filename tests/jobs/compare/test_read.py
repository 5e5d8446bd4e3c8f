"""What the gate reads: results files of every shape, and journals of any job."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.jobs.compare.gate import Limits, compare, with_texts
from assay.jobs.compare.journal_rows import item_key
from assay.jobs.compare.read import read_run, read_runs
from assay.jobs.compare.text_report import as_text
from assay.journal.summary import Summary, write_summary
from assay.records import RunHeader, Variant


def write(path: Path, content: Any) -> Path:
    """A JSON file."""
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def entry(name: str, score: float | None, **more: Any) -> dict[str, Any]:
    """A scored result."""
    return {"id": name, "question": f"{name}?", "answer": "да", "metrics": {"score": score}, **more}


def values(path: Path, **more: Any) -> dict[str, float | None]:
    """What is read of a file, by id."""
    return {key[0]: trial.value for key, trial in read_run(path, **more).items.items()}


def test_a_quality_run_is_read(tmp_path: Path):
    """Scores, weights, hashes, the end of the run."""
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
    side = read_run(write(tmp_path / "run.json", content))
    assert side.items["a", ""].value == 0.65
    assert side.items["a", ""].weight == 2
    assert side.items["b", ""].status == "failed"
    assert (side.failed, side.first_error, side.unasked) == (1, "timeout: 60 s", 0)
    assert side.hashes == {"pdf_sha256": "aa", "questions_sha256": "bb"}
    assert side.metric_names == {"score"}


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
def test_the_score_is_found_wherever_it_stands(tmp_path: Path, result: Mapping[str, Any]):
    """Other tools write it at the top or among the metrics, under two names."""
    path = write(tmp_path / "run.json", {"summary": {}, "results": [result]})
    assert values(path) == {"a": 0.65}


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path):
    """Some editors put one."""
    path = tmp_path / "run.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"results": [entry("a", 1)]}).encode())
    assert values(path) == {"a": 1.0}


def test_metrics_know_their_direction(tmp_path: Path):
    """Those of the job by their definition, others by their name."""
    result = {
        "id": "a",
        "elapsed_s": 2.5,
        "metrics": {"score": 1, "tone": 0.5, "wait_seconds": 3, "safe_ok": True},
    }
    path = write(tmp_path / "run.json", {"results": [result]})
    found = {
        name: read_run(path, metric=name)
        for name in ("avg_latency_s", "p95_latency_s", "tone", "wait_seconds", "safe_ok")
    }
    assert {name: side.metric.better for name, side in found.items()} == {
        "avg_latency_s": "lower",
        "p95_latency_s": "lower",
        "tone": "higher",
        "wait_seconds": "lower",
        "safe_ok": "higher",
    }
    assert {name: side.items["a", ""].value for name, side in found.items()} == {
        "avg_latency_s": 2.5,
        "p95_latency_s": 2.5,
        "tone": 0.5,
        "wait_seconds": 3.0,
        "safe_ok": 1.0,
    }


def test_several_documents_are_paired_by_document_and_question(tmp_path: Path):
    """The same question id in two documents is two questions."""
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
    side = read_run(path)
    assert values(path) == {"x/q1": 1.0, "y/q1": 0.0}
    assert side.hashes["pdf_sha256 of x"] == "aa"
    assert compare(side, side).base_weighted == 0.75
    listed = {"datasets": [{"id": "x", "weight": 3.0, **part}, {"id": "y", **other}]}
    same = read_run(write(tmp_path / "listed.json", listed))
    assert compare(side, same).passed
    bare = write(tmp_path / "bare.json", {"datasets": {"x": part["results"]}})
    assert values(bare) == {"x/q1": 1.0}


def test_runs_are_averaged_question_by_question(tmp_path: Path):
    """Three tries of one question are one item, with the mean of what is defined."""
    runs = [{"results": [entry("a", score), entry("b", 1.0)]} for score in (0.0, 1.0, None)]
    assert values(write(tmp_path / "runs.json", {"runs": runs})) == {"a": 0.5, "b": 1.0}


def test_a_failure_in_one_run_of_several_is_counted(tmp_path: Path):
    """The question has a score from the others; the failed case is not forgotten."""
    content = {
        "summary": {
            "state": "partial",
            "counts": {"scored": 1, "failed": 1, "skipped": 0, "not_asked": 0},
            "runs": {"n": 2},
        },
        "results": [entry("a", 1.0, status="scored", runs=[{}, {}])],
    }
    side = read_run(write(tmp_path / "run.json", content))
    assert side.failed == 1
    with pytest.raises(UseError, match="1 case failed"):
        compare(side, side)
    assert compare(side, side, Limits(max_failed=1)).passed


def test_an_unfinished_document_makes_the_whole_unfinished(tmp_path: Path):
    """The benchmark's own word is not enough if one of its parts says otherwise."""
    parts = {
        "x": {"summary": {"state": "complete"}, "results": [entry("a", 1.0)]},
        "y": {"summary": {"state": "running"}, "results": []},
    }
    path = write(tmp_path / "b.json", {"summary": {"state": "complete"}, "datasets": parts})
    assert read_run(path).state == "running"


def test_a_document_that_was_never_begun_is_not_forgotten(tmp_path: Path):
    """Not even where the others have failures that are allowed."""
    counts = {"scored": 1, "failed": 1, "not_asked": 0}
    content = {
        "summary": {"state": "partial", "datasets": {"x": {}, "y": {"questions": 7}}},
        "datasets": {"x": {"summary": {"counts": counts}, "results": [entry("a", 1.0)]}},
    }
    side = read_run(write(tmp_path / "b.json", content))
    with pytest.raises(UseError, match="7 cases without an outcome"):
        compare(side, side, Limits(max_failed=1))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("not json", "not JSON"),
        ('{"results": [{"id": "a", "score": NaN}]}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a file of results"),
        ("{}", "not a file of results"),
        ('{"results": 3}', "not a file of results"),
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
        ('{"datasets": {"x": 3}}', "dataset 'x': holds no list of results"),
        ('{"datasets": [{"results": []}]}', "one of its datasets has no id"),
        ('{"datasets": [{"id": "x"}, {"id": "x"}]}', "two datasets have the id 'x'"),
        ('{"runs": [3]}', "one of its runs holds no results"),
        ('{"runs": {}}', "holds no list of results"),
        ('{"job": "ablation", "experiment_name": "x"}', "are not there"),
    ],
)
def test_what_is_no_results_file_is_refused_in_a_line(tmp_path: Path, content: str, words: str):
    """The line names the file and what is wrong with it; nothing else is raised."""
    path = tmp_path / "run.json"
    path.write_text(content)
    with pytest.raises(UseError, match=words) as refused:
        read_run(path)
    assert "run.json" in str(refused.value)


def test_files_that_are_not_there_are_refused(tmp_path: Path):
    """So are folders."""
    for name in ("no.json", "no.jsonl"):
        with pytest.raises(UseError, match="no such file"):
            read_run(tmp_path / name)
    with pytest.raises(UseError, match="cannot be read"):
        read_run(tmp_path)


def test_a_results_file_has_no_variants(tmp_path: Path):
    """Naming one is a mistake that would else go unnoticed."""
    path = write(tmp_path / "run.json", {"results": [entry("a", 1.0)]})
    with pytest.raises(UseError, match="--variant does not apply"):
        read_run(path, variant="fast")


# journals


def row(question: str, variant: str, place: str, value: float | None, **more: Any) -> str:
    """A line of an ablation's journal."""
    return json.dumps(
        {
            "key": f"{question}::{variant}::{place}",
            "question_id": question,
            "config": variant,
            "status": "scored",
            "question": f"{question}?",
            "answer": f"{variant} says",
            "scores": {"gold_coverage": value},
            **more,
        }
    )


def journal(path: Path, rows: list[str], *, state: str = "complete", **more: Any) -> Path:
    """A journal and the summary beside it."""
    path.write_text("".join(f"{line}\n" for line in rows))
    header = {
        "job": "ablation",
        "name": path.stem,
        "system": "s",
        "variants": (Variant(name="fast"),),
        "total": len(rows),
        "questions_sha256": "cc",
        **more,
    }
    assert set(header) <= set(RunHeader.__struct_fields__)
    write_summary(path.with_suffix(".json"), Summary(state=state, **header))  # type: ignore[arg-type]
    return path


def test_a_journal_and_its_summary_are_one_run(tmp_path: Path):
    """Either file names it."""
    path = journal(tmp_path / "run.jsonl", [row("a", "fast", "topk=3", 0.5)])
    assert values(path) == values(path.with_suffix(".json")) == {"a": 0.5}
    side = read_run(path)
    assert (side.job, side.metric.name, side.variant) == ("ablation", "avg_gold_coverage", "fast")
    assert side.hashes == {"questions_sha256": "cc"}


def test_the_last_row_of_a_key_wins(tmp_path: Path):
    """A case that failed and was asked again is scored; one that failed last is failed."""
    path = journal(
        tmp_path / "run.jsonl",
        [
            row("a", "fast", "topk=3", None, status="failed", error="timeout"),
            row("a", "fast", "topk=3", 0.5),
            row("b", "fast", "topk=3", None, status="failed", error="unavailable: 503"),
        ],
        total=2,
    )
    side = read_run(path)
    assert side.failed == 1
    assert side.items["a", "topk=3"].value == 0.5
    assert side.unasked == 0


def test_a_run_with_rows_missing_did_not_finish(tmp_path: Path):
    """Whatever its summary says."""
    path = journal(tmp_path / "run.jsonl", [row("a", "fast", "topk=3", 0.5)], total=3)
    assert read_run(path).unasked == 2


def test_the_variant_must_be_known(tmp_path: Path):
    """Of several none is guessed; a base of one variant needs no name."""
    both = journal(
        tmp_path / "both.jsonl",
        [row("a", "fast", "topk=3", 0.5), row("a", "slow", "topk=3", 1.0)],
    )
    one = journal(tmp_path / "one.jsonl", [row("a", "old", "topk=3", 0.25)])
    with pytest.raises(UseError, match="holds the variants fast, slow"):
        read_run(both)
    with pytest.raises(UseError, match="did you mean 'fast'"):
        read_run(both, variant="fats")
    base, cand = read_runs(both, both, variant="slow", base_variant="fast")
    assert (base.variant, cand.variant) == ("fast", "slow")
    base, cand = read_runs(one, both, variant="slow")
    assert (base.variant, cand.variant) == ("old", "slow")
    base, cand = read_runs(both, both, variant="slow")
    assert base.variant == cand.variant == "slow"


def test_a_single_placement_is_a_setting(tmp_path: Path):
    """Five passages against three are compared by question, and the note says so."""
    base = read_run(journal(tmp_path / "a.jsonl", [row("a", "fast", "topk=3", 0.5)]))
    cand = read_run(journal(tmp_path / "b.jsonl", [row("a", "fast", "topk=5", 0.5)]))
    found = compare(base, cand)
    assert found.passed
    assert "the base was asked at topk=3, the candidate at topk=5" in found.notes


def test_several_placements_are_paired_each_with_its_own(tmp_path: Path):
    """Whatever order the rows were written in."""
    places = [("topk=3", 0.0), ("topk=5", 1.0)]
    rows = [row("a", "fast", place, value) for place, value in places]
    base = read_run(journal(tmp_path / "a.jsonl", rows))
    cand = read_run(journal(tmp_path / "b.jsonl", rows[::-1]))
    found = compare(base, cand)
    assert found.passed
    assert [item.id for item in found.items] == ["a::topk=3", "a::topk=5"]


def test_repetitions_are_averaged(tmp_path: Path):
    """``run=2`` is the same question again, not another."""
    rows = [row("a", "fast", f"run={number}", value) for number, value in ((1, 0.0), (2, 1.0))]
    assert values(journal(tmp_path / "run.jsonl", rows)) == {"a": 0.5}
    assert item_key("a::fast::length=8,run=12", "a", "fast") == ("a", "length=8")
    assert item_key("a::fast::rerun=1", "a", "fast") == ("a", "rerun=1")


def test_rows_without_a_summary_are_taken_on_trust(tmp_path: Path):
    """Whether the run ended is not known, and said so."""
    path = tmp_path / "rows.jsonl"
    path.write_text(row("a", "fast", "topk=3", 0.5) + "\n")
    found = compare(read_run(path), read_run(path))
    assert any("no summary beside it" in note for note in found.notes)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("not a row\n", "rows.jsonl:1: not a row"),
        ("", "holds no rows"),
        ('{"meta": 1}\n{"status": "scored"}\n', "rows.jsonl:2: a row without a key"),
        (
            '{"key": "a::v::", "question_id": "a", "config": "v", "elapsed_s": 1, "cost": "x"}\n',
            "not a row",
        ),
    ],
)
def test_a_journal_that_is_none_is_refused(tmp_path: Path, lines: str, words: str):
    """With the number of the line at fault."""
    path = tmp_path / "rows.jsonl"
    path.write_text(lines)
    with pytest.raises(UseError, match=words):
        read_run(path)


def test_other_gold_is_another_comparison(tmp_path: Path):
    """Rows judged again by corrected gold do not compare with those that were not."""
    rows = [row("a", "fast", "topk=3", 0.5)]
    base = read_run(journal(tmp_path / "a.jsonl", rows))
    cand = read_run(journal(tmp_path / "b.jsonl", rows, extra={"gold_sha256": "dd"}))
    with pytest.raises(UseError, match="gold_sha256 differs: base none, candidate dd"):
        compare(base, cand)


@pytest.mark.parametrize(
    ("job", "then", "now", "words"),
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
    tmp_path: Path, job: str, then: dict[str, Any], now: dict[str, Any], words: str
):
    """What each job rests on besides its questions must agree, unless the user waives it."""
    rows = [row("a", "fast", "", None, score=1.0, scores={"weighted_score": 1.0})]
    base = read_run(journal(tmp_path / "a.jsonl", rows, job=job, extra=then))
    cand = read_run(journal(tmp_path / "b.jsonl", rows, job=job, extra=now))
    with pytest.raises(UseError, match=words) as refused:
        compare(base, cand)
    assert len(str(refused.value).splitlines()) == 1
    found = compare(base, cand, Limits(strict_hashes=False))
    assert found.passed
    assert re.search(words, "\n".join(found.notes))


def test_another_corpus_is_told(tmp_path: Path):
    """To cut documents otherwise may be the very change that is measured; an unknown one is none."""
    rows = [row("a", "fast", "topk=3", 0.5)]
    base, cand, bare = (
        read_run(journal(tmp_path / f"{name}.jsonl", rows, extra=extra))
        for name, extra in (
            ("a", {"corpus_sha256": "c1"}),
            ("b", {"corpus_sha256": "c2"}),
            ("c", {}),
        )
    )
    found = compare(base, cand)
    assert found.passed
    assert found.notes == ("corpus_sha256 differs: base c1, candidate c2",)
    assert "note         corpus_sha256 differs" in as_text(found)
    assert compare(base, bare).notes == ()


def test_failures_of_another_variant_do_not_count(tmp_path: Path):
    """A run that is partial by them alone was asked to its end."""
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


def test_a_run_that_failed_throughout_is_told_as_such(tmp_path: Path):
    """Not as one that lacks the metric, which nobody could mend."""
    results = [
        {"id": "a", "status": "failed", "error": "unavailable: no route", "elapsed_s": 0.1},
    ]
    summary = {"state": "partial", "counts": {"failed": 1, "not_asked": 0}}
    base = read_run(write(tmp_path / "base.json", {"results": [entry("a", 1.0)]}))
    cand = read_run(write(tmp_path / "cand.json", {"summary": summary, "results": results}))
    with pytest.raises(UseError, match=r"1 case failed, 0 allowed.*no route"):
        compare(base, cand)


def test_answers_are_fetched_for_what_changed(tmp_path: Path):
    """The question and both answers, from journals and results files alike."""
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
    one = read_run(write(tmp_path / "a1.json", {"results": [entry("a", 1.0)]}))
    two = read_run(write(tmp_path / "b1.json", {"results": [entry("a", 0.0)]}))
    (item,) = with_texts(compare(one, two)).items
    assert (item.question, item.answer_before) == ("a?", "да")


def test_only_the_worst_answers_are_fetched_where_a_limit_is_given(tmp_path: Path):
    """A page lists twenty, and a run may have changed a million."""
    one = read_run(write(tmp_path / "a.json", {"results": [entry("a", 1.0), entry("b", 1.0)]}))
    two = read_run(write(tmp_path / "b.json", {"results": [entry("a", 0.5), entry("b", 0.0)]}))
    slight, worst = with_texts(compare(one, two), most=1).items
    assert (slight.question, worst.question) == ("", "b?")
