"""Tricks against the gate: a worse candidate, dressed up to pass. None of them may pass.

Each line of ``TRICKS`` is a file format, what the gate must say (1: worse, 2: cannot be compared),
what is done to the candidate, and options. Of ten questions of the candidate four, the ``BAD`` ones,
have a far lower score than in the base; without a trick the gate fails with 1.
"""

import copy
import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import UseError

BAD = range(4)
ALL = range(10)


class Run:
    """A run before it is written: its entries, the fields of its head, and the other fields."""

    def __init__(self, kind: str, bad: float) -> None:
        self.kind = kind
        self.is_candidate = bad < 0.5
        self.name = "run.jsonl" if kind == "journal" else "run.json"
        self.encode: Callable[[bytes], bytes] = lambda data: data
        self.encode_head: Callable[[bytes], bytes] = lambda data: data
        scores = [bad if number in BAD else 0.9 for number in ALL]
        getattr(self, f"_{kind}")(scores)

    def _results(self, scores: list[float]) -> None:
        counts = {"scored": 10, "answered": 0, "failed": 0, "skipped": 0, "not_asked": 0}
        self.head: dict[str, Any] = {
            "state": "complete", "pdf_sha256": "aa", "questions_sha256": "bb",
            "counts": {**counts, "total": 10},
        }  # fmt: skip
        self.entries: list[dict[str, Any]] = [
            {
                "id": f"q{number}", "question": f"What is {number}?", "status": "scored",
                "weight": 2.0, "metrics": {"score": score}, "elapsed_s": 2.0 - score,
            }
            for number, score in enumerate(scores)
        ]  # fmt: skip
        self.content: dict[str, Any] = {
            "job": "quality", "summary": self.head, "results": self.entries,
        }  # fmt: skip

    def _journal(self, scores: list[float]) -> None:
        self.head = {
            "schema_version": 2, "job": "ablation", "experiment_name": "run", "name": "run",
            "system": "s", "variants": [{"name": "on"}], "total": 10, "questions_sha256": "bb",
            "state": "complete", "extra": {},
        }  # fmt: skip
        self.entries = [
            {
                "key": f"q{number}::on::topk=5", "question_id": f"q{number}", "config": "on",
                "status": "scored", "question": f"What is {number}?", "answer": "It is.",
                "scores": {"gold_coverage": score}, "elapsed_s": 2.0 - score, "schema_version": 2,
            }
            for number, score in enumerate(scores)
        ]  # fmt: skip
        self.content = {}

    def _runs(self, scores: list[float]) -> None:
        means = [scores[0], 0.9]
        mean, low = sum(means) / 2, min(means)
        figure = {"mean": mean, "std": (0.9 - low) / 2, "min": low, "max": 0.9}
        self.head = figure
        self.entries = [
            {"path": f"{number}.json", "weighted_score": each, "question_weighted_score": each}
            for number, each in enumerate(means)
        ]
        self.content = {
            "label": "x", "n": 2, "weighted_score": figure,
            "question_weighted_score": dict(figure), "runs": self.entries,
        }  # fmt: skip

    def _modes(self, scores: list[float]) -> None:
        self.entries = [
            {
                "id": number, "ground_truth": "high" if number % 2 else "low",
                "prediction": "high" if (number % 2) == (score > 0.5) else "low",
            }
            for number, score in enumerate(scores)
        ]  # fmt: skip
        self.head = {"accuracy": 0.5}
        mode = {"mode": 1, "metrics": self.head, "results": self.entries}
        self.content = {"mode_1": mode}

    def _figures(self, scores: list[float]) -> None:
        wrong = sum(score < 0.5 for score in scores)
        self.head = {
            "accuracy": 1 - wrong / 10, "tone": 1 - wrong / 10, "hallucination_rate": wrong / 10,
            "error_rate": wrong / 10, "perplexity": 5.0 + wrong, "avg_latency_s": 1.0 + wrong,
            "cost": wrong * 1.0,
        }  # fmt: skip
        self.matrix = [[5 - wrong, 0, wrong], [0, 0, 0], [0, 0, 5]]
        self.entries = []
        self.content = {"mode_1": {"mode": 1, "metrics": self.head}}

    def write(self, folder: Path) -> Path:
        """Write the run; of a journal also its header."""
        folder.mkdir()
        path = folder / self.name
        if self.kind != "journal":
            path.write_bytes(self.encode(json.dumps(self.content, ensure_ascii=False).encode()))
            return path
        lines = [json.dumps(entry, ensure_ascii=False) + "\n" for entry in self.entries]
        path.write_bytes(self.encode("".join(lines).encode()))
        if self.head:
            head = self.encode_head(json.dumps(self.head).encode())
            path.with_suffix(".json").write_bytes(head)
        return path


Change = Callable[[Run], object]


def bad(**fields: Any) -> Change:
    """Set fields of the bad entries."""
    return lambda run: [run.entries[number].update(copy.deepcopy(fields)) for number in BAD]


def every(**fields: Any) -> Change:
    """Set fields of all entries."""
    return lambda run: [entry.update(copy.deepcopy(fields)) for entry in run.entries]


def good(**fields: Any) -> Change:
    """Set fields of the entries that are not bad."""
    return lambda run: [entry.update(copy.deepcopy(fields)) for entry in run.entries[4:]]


def first(**fields: Any) -> Change:
    """Set fields of the last good entry only."""
    return lambda run: run.entries[-1].update(fields)


def lacks(*names: str) -> Change:
    """Remove fields of the bad entries."""
    return lambda run: [run.entries[number].pop(name, None) for number in BAD for name in names]


def head(**fields: Any) -> Change:
    """Set fields of the summary, of the header, of the figure or of the metrics."""
    return lambda run: run.head.update(fields)


def top(**fields: Any) -> Change:
    """Set fields of the whole file."""
    return lambda run: run.content.update(fields)


def unset(*names: str) -> Change:
    """Remove fields of the summary or header."""
    return lambda run: [run.head.pop(name, None) for name in names]


def untop(*names: str) -> Change:
    """Remove fields of the whole file."""
    return lambda run: [run.content.pop(name, None) for name in names]


def drop(run: Run) -> None:
    """Leave the bad entries out."""
    del run.entries[: len(BAD)]


def steps(*changes: Change) -> Change:
    """Several changes, one after the other."""
    return lambda run: [change(run) for change in changes]


def data(change: Callable[[bytes], bytes]) -> Change:
    """Change the bytes of the file."""
    return lambda run: setattr(run, "encode", change)


def sub(old: str, new: str, count: int = -1) -> Change:
    """Replace a text in the file."""
    return data(lambda content: _replaced(content, old.encode(), new.encode(), count))


def head_sub(old: str, new: str) -> Change:
    """Replace a text in the header of a journal."""
    return lambda run: setattr(
        run, "encode_head", lambda content: _replaced(content, old.encode(), new.encode(), -1)
    )


def _replaced(content: bytes, old: bytes, new: bytes, count: int) -> bytes:
    assert old in content, "a trick that changes nothing"
    return content.replace(old, new, count)


def rows(change: Callable[[list[dict[str, Any]]], Iterable[dict[str, Any]]]) -> Change:
    """Replace the list of entries."""

    def apply(run: Run) -> None:
        run.entries[:] = list(change(copy.deepcopy(run.entries)))

    return apply


def renamed(form: str) -> Change:
    """Give the bad entries other ids."""

    def apply(run: Run) -> None:
        for number in BAD:
            name, entry = form.format(number), run.entries[number]
            if run.kind == "journal":
                entry.update(key=f"{name}::on::topk=5", question_id=name)
            else:
                entry["id"] = name

    return apply


def scored(value: Any) -> Change:
    """Another score for the bad entries."""
    field, name = "metrics", "score"

    def apply(run: Run) -> None:
        holder = (field, name) if run.kind == "results" else ("scores", "gold_coverage")
        for number in BAD:
            run.entries[number][holder[0]] = {holder[1]: value}

    return apply


def number_of(**metrics: tuple[float, float]) -> Change:
    """Metrics beside the score: their value in a good and in a bad entry of the candidate."""

    def apply(run: Run) -> None:
        for number, entry in enumerate(run.entries):
            is_bad = run.is_candidate and number in BAD
            entry["metrics"].update(
                {name: values[is_bad] for name, values in metrics.items()}, score=0.9
            )

    return apply


def other_datasets(run: Run) -> None:
    """A second list of results, in which all is well."""
    fine = [{**entry, "metrics": {"score": 0.9}} for entry in run.entries]
    run.content["datasets"] = {"": {"summary": run.head, "results": fine}}


def other_runs(run: Run) -> None:
    """A list of runs beside the results."""
    fine = [{**entry, "metrics": {"score": 0.9}} for entry in run.entries]
    run.content["runs"] = [{"summary": run.head, "results": fine}]


def as_runs(*second: Change) -> Change:
    """Two runs in one file: the first is fine; the second has the bad answers, and is changed."""

    def apply(run: Run) -> None:
        other = copy.deepcopy(run)
        for change in second:
            change(other)
        fine = [{**entry, "metrics": {"score": 0.9}} for entry in run.entries]
        one = {"summary": run.head, "results": fine}
        run.content = {"job": "quality", "runs": [one, other.content]}

    return apply


def repeated(*values: Any, **fields: Any) -> Change:
    """``runs`` of the bad entries with these scores, under a score of 0.9."""

    def apply(run: Run) -> None:
        for number in BAD:
            runs = [
                {"run": n, "status": "scored", "metrics": {"score": v}}
                for n, v in enumerate(values)
            ]
            run.entries[number].update(metrics={"score": 0.9}, runs=runs, **fields)

    return apply


def lists(run: Run) -> None:
    """The results as data sets in a list without ids."""
    run.content = {"datasets": [{"results": run.entries}]}


def matrix(run: Run) -> None:
    """A confusion matrix in the metrics of a mode."""
    run.head.update(conf_matrix=run.matrix)


def no_mode(run: Run) -> None:
    """The mode under another name."""
    run.content = {"mode_2": run.content["mode_1"]}


SPARED = {"status": "spared", "spared_by": "rule", "decided": "better", "decided_after": 6}
FINE = {"mean": 0.9}
SURE = {"mean": 0.9, "std": 0, "min": 0.9, "max": 0.9}
TWICE = '"scores": {"gold_coverage": 0.1}'


class Trick(NamedTuple):
    """One line of the table."""

    kind: str
    code: int
    name: str
    change: Change
    options: tuple[str, ...] = ()
    both: bool = False
    """Whether the base is changed in the same way."""


def fine(run: Run) -> None:
    """Give the bad entries good scores or the right levels: only how they ended speaks against them."""
    if run.kind == "modes":
        for number in BAD:
            run.entries[number]["prediction"] = run.entries[number]["ground_truth"]
    elif run.kind == "runs":
        run.entries[0].update(weighted_score=0.9, question_weighted_score=0.9)
        run.content.update(weighted_score=FINE, question_weighted_score=FINE)
    elif run.kind == "figures":
        run.head.update(accuracy=1.0)
    else:
        scored(0.9)(run)


def mode(**fields: Any) -> Change:
    """Set fields of the mode."""
    return lambda run: run.content["mode_1"].update(fields)


def first_run(**fields: Any) -> Change:
    """Set fields of the first of several runs."""
    return lambda run: run.entries[0].update(fields)


def answered(**fields: Any) -> Change:
    """Answers and further fields for all entries, so that they can be scored again."""
    return lambda run: [
        entry.update(copy.deepcopy({"answer": "a", **fields})) for entry in run.entries
    ]


def colliding(run: Run) -> None:
    """Data sets whose names, joined with ids, are the same: the bad answers and, for the candidate, good ones."""
    inner = [{**entry, "id": f"b/{entry['id']}"} for entry in run.entries]
    run.content = {"datasets": {"a": {"results": inner}}}
    if run.is_candidate:
        better = [{**entry, "metrics": {"score": 1.0}} for entry in run.entries]
        run.content["datasets"]["a/b"] = {"results": better}


def metric(name: str, low: float, high: float, code: int, *words: str) -> Trick:
    """A metric beside the score that goes from ``low`` to ``high`` for the bad questions."""
    options = ("--metric", name, *words)
    return Trick(
        "results",
        code,
        f"{name} {low}-{high} {words}",
        number_of(**{name: (low, high)}),
        options,
        True,
    )


CASE_FAILED = (
    ("errors", ["500"]), ("error_message", "500"), ("error_type", "Timeout"), ("exception", "Timeout"),
    ("failure", "500"), ("failed", True), ("timed_out", True), ("timeout", True), ("crashed", True),
    ("errored", True), ("is_error", True), ("has_error", True), ("finished", False), ("completed", False),
    ("state", "failed"), ("outcome", "error"),
)  # fmt: skip
RUN_FAILED = (
    ("status", "failed"), ("status", "running"), ("error", "500"), ("error_kind", "refused"),
    ("finished", False), ("complete", False), ("interrupted", True), ("aborted", True), ("exit_code", 2),
    ("stopped", "refused"), ("exception", "Timeout"),
)  # fmt: skip
ENDED = (("n_failed", 2), ("failed_count", 2), ("not_asked", 3), ("counts", {"not_asked": 3}))
COUNTED = (
    ("n_failed", 4), ("num_failed", 4), ("failed_count", 4), ("failed_cases", 4), ("failed_questions", 4),
    ("error", 4), ("error_count", 4), ("n_errors", 4), ("errored", 4), ("timeouts", 4), ("timed_out", 4),
    ("crashed", 4), ("questions", 10), ("n_questions", 10), ("num_questions", 10), ("total_tests", 10),
    ("total_questions", 10),
)  # fmt: skip
UNREADABLE = (
    ("must_include", 5), ("must_include", "a"), ("must_include", [5]), ("must_include_any", 5),
    ("must_include_any", [5]), ("must_not_include", "a"), ("matches", [5]), ("matches", [{"wanted": ["a"]}]),
    ("matches", [{"rule": "must_include", "wanted": []}]), ("matches", [{"rule": "must_include"}]),
)  # fmt: skip
R, J, S, M, F = "results", "journal", "runs", "modes", "figures"
MISSING = ("--allow-missing",)
TRICKS = [
    # which questions are in the file, and under which name
    Trick(R, 1, "no trick", head()),
    Trick(R, 1, "left out", steps(drop, unset("counts"))),
    Trick(R, 2, "left out, counted as scored", drop),
    Trick(R, 1, "all but one left out", steps(unset("counts"), rows(lambda rows: rows[-1:]))),
    Trick(R, 2, "left out, counted as failed", steps(drop, head(failed=4)), MISSING),
    Trick(R, 2, "left out, counted as errors", steps(drop, head(errors=4)), MISSING),
    Trick(R, 2, "left out, counted as not asked", steps(drop, head(not_asked=4)), MISSING),
    Trick(R, 2, "left out, counts as texts", steps(drop, head(counts={"failed": "4"})), MISSING),
    Trick(R, 2, "left out, counts with a point", steps(drop, head(counts={"failed": 4.0})), MISSING),
    Trick(R, 2, "left out, counts are a list", steps(drop, head(counts=["failed", 4])), MISSING),
    Trick(R, 2, "left out, counts say ten scored", drop, MISSING),
    Trick(R, 2, "left out, ten asked", steps(drop, unset("counts"), head(questions_asked=10)), MISSING),
    Trick(R, 2, "left out, failed at the top", steps(drop, unset("counts"), top(failed=4)), MISSING),
    Trick(R, 2, "left out, not judged", steps(drop, head(counts={"answered": 4})), MISSING),
    Trick(R, 2, "a document not started", steps(drop, unset("counts"), head(datasets={"y": {"questions": 4}}), lambda run: run.content.update(datasets={"": run.entries}, results=None)), MISSING),
    Trick(R, 1, "renamed", renamed("new{}")),
    Trick(R, 1, "capitals", renamed("Q{}")),
    Trick(R, 1, "a space after the id", renamed("q{} ")),
    Trick(R, 1, "an invisible character in the id", renamed("q{}\u200b")),
    Trick(R, 2, "all renamed", rows(lambda rows: [{**row, "id": f"x{row['id']}"} for row in rows])),
    Trick(R, 2, "no id", lacks("id")),
    Trick(R, 2, "an empty id", bad(id="")),
    Trick(R, 2, "an id that is null", bad(id=None)),
    Trick(R, 2, "an id that is true", bad(id=True)),
    Trick(R, 2, "an id with a point", bad(id=1.5)),
    Trick(R, 2, "an id in a list", bad(id=["q0"])),
    Trick(R, 2, "twice, bad and good", rows(lambda rows: [*rows, *({**row, "metrics": {"score": 0.9}} for row in rows[:4])])),
    Trick(R, 2, "twice, good and bad", rows(lambda rows: [*({**row, "metrics": {"score": 0.9}} for row in rows[:4]), *rows])),
    Trick(R, 2, "good ones twice", rows(lambda rows: rows + rows[4:])),
    Trick(R, 2, "other questions under the ids", steps(bad(question="Easy?"), scored(0.9))),
    # scores that are none
    Trick(R, 1, "null", scored(None)),
    Trick(R, 1, "no metrics", lacks("metrics")),
    Trick(R, 1, "empty metrics", bad(metrics={})),
    Trick(R, 2, "NaN", sub("0.1}", "NaN}")),
    Trick(R, 2, "Infinity", sub("0.1}", "Infinity}")),
    Trick(R, 2, "a number beyond all floats", sub("0.1}", "1e999}")),
    Trick(R, 2, "a number of 400 digits", sub("0.1}", "9" * 400 + "}")),
    Trick(R, 2, "a text", scored("1.0")),
    Trick(R, 2, "a percentage", scored("100%")),
    Trick(R, 2, "a list", scored([1.0])),
    Trick(R, 2, "an object", scored({"mean": 1.0})),
    Trick(R, 2, "1e300", scored(1e300)),
    Trick(R, 2, "1e16", scored(1e16)),
    Trick(R, 2, "5", scored(5)),
    Trick(R, 2, "a good one of 5", first(metrics={"score": 5.0})),
    Trick(R, 2, "negative", scored(-1.0)),
    Trick(R, 2, "percent", rows(lambda rows: [{**row, "metrics": {"score": 100 * row["metrics"]["score"]}} for row in rows])),
    Trick(R, 2, "a better score beside it", steps(scored(0.9), bad(score=0.1))),
    Trick(R, 2, "a better score under another name", steps(scored(0.9), bad(question_score=0.1))),
    Trick(R, 2, "a better score in scores", bad(metrics={"score": 0.9}, scores={"score": 0.1})),
    Trick(R, 2, "a verdict against the score", steps(scored(1.0), bad(passed=False))),
    Trick(R, 2, "a verdict as a word", steps(scored(1.0), bad(correct="no"))),
    Trick(R, 1, "scores one level down", bad(metrics={"all": {"score": 0.9}})),
    # how a case ended
    Trick(R, 2, "failed", bad(status="failed", error="timeout")),
    Trick(R, 2, "failed, no error", bad(status="failed")),
    Trick(R, 2, "error, scored", steps(scored(0.9), bad(error="timeout"))),
    Trick(R, 2, "a lone error_kind", steps(scored(0.9), bad(error_kind="timeout"))),
    Trick(R, 2, "an error object", steps(scored(0.9), bad(error={"code": 500}))),
    Trick(R, 2, "an error list", steps(scored(0.9), bad(error=["500"]))),
    Trick(R, 2, "error: true", steps(scored(0.9), bad(error=True))),
    Trick(R, 2, "not judged", bad(status="answered")),
    Trick(R, 1, "skipped", bad(status="skipped")),
    *(Trick(R, 2, f"status {status!r}", bad(status=status)) for status in ("spared", "ok", "SCORED", "", None, 1, ["scored"], "failed ")),
    # the summary
    Trick(R, 1, "the summary says better", head(weighted_score=0.99, means={"score": {"mean": 0.99}})),
    *(Trick(R, 2, f"state {state!r}", head(state=state)) for state in ("running", "partial", "aborted", ["complete"], {"complete": 1}, True)),
    Trick(R, 2, "running at the top", top(state="running")),
    Trick(R, 2, "running at the top only", steps(unset("state"), top(state="running"))),
    Trick(R, 2, "another document", head(pdf_sha256="cc")),
    Trick(R, 2, "other questions", head(questions_sha256="cc")),
    Trick(R, 2, "no document hash", unset("pdf_sha256")),
    Trick(R, 2, "no question hash", unset("questions_sha256")),
    Trick(R, 2, "no summary", untop("summary")),
    Trick(R, 2, "another document at the top", top(pdf_sha256="cc")),
    Trick(R, 2, "other questions at the top", top(questions_sha256="cc")),
    Trick(R, 2, "other questions at the top only", steps(unset("questions_sha256"), top(questions_sha256="cc"))),
    Trick(R, 2, "a hash that is a number", head(pdf_sha256=1)),
    Trick(R, 2, "another job", top(job="ablation")),
    Trick(R, 2, "another way of judging", head(exact_form=True)),
    Trick(R, 2, "a summary that is a list", top(summary=[])),
    Trick(R, 2, "a summary that is a text", top(summary="complete")),
    # weights
    Trick(R, 2, "no weight for bad ones", bad(weight=0)),
    Trick(R, 2, "bad ones without weight", lacks("weight")),
    Trick(R, 2, "heavy good ones", good(weight=1000)),
    Trick(R, 2, "a negative weight", bad(weight=-1)),
    Trick(R, 2, "a weight as a text", bad(weight="0")),
    Trick(R, 2, "a huge weight", good(weight=1e300)),
    Trick(R, 2, "a weight that is NaN", sub('"weight": 2.0', '"weight": NaN')),
    # the form of the file
    Trick(R, 2, "empty file", data(lambda _: b"")),
    Trick(R, 2, "spaces", data(lambda _: b" \n")),
    Trick(R, 2, "cut", data(lambda content: content[:-20])),
    Trick(R, 2, "cut in half", data(lambda content: content[: len(content) // 2])),
    Trick(R, 1, "byte-order mark", data(lambda content: b"\xef\xbb\xbf" + content)),
    Trick(R, 2, "UTF-16", data(lambda content: content.decode().encode("utf-16"))),
    Trick(R, 2, "a bad byte", data(lambda content: content.replace(b"What", b"Wh\xff"))),
    Trick(R, 2, "text after it", data(lambda content: content + b" passed")),
    Trick(R, 2, "two files in one", data(lambda content: content + content.replace(b"0.1}", b"0.9}"))),
    Trick(R, 2, "compressed", data(gzip.compress)),
    Trick(R, 2, "deep", data(lambda content: b"[" * 100_000)),
    Trick(R, 2, "a comment", data(lambda content: b"// ok\n" + content)),
    Trick(R, 2, "a score twice", sub('"score": 0.1', '"score": 0.1, "score": 0.9')),
    Trick(R, 2, "a score twice, escaped", sub('"score": 0.1', '"score": 0.1, "scor\\u0065": 0.9')),
    Trick(R, 2, "a status twice", sub('"status": "scored"', '"status": "failed", "status": "scored"')),
    Trick(R, 2, "the results twice", sub('"results"', '"results": [], "results"')),
    Trick(R, 2, "a state twice", sub('"state"', '"state": "running", "state"')),
    *(Trick(R, 2, f"results {value!r}", top(results=value)) for value in ([], {}, None, "all good", [[]], [None])),
    Trick(R, 2, "no results", untop("results")),
    Trick(R, 2, "good data sets beside the results", other_datasets),
    Trick(R, 2, "good runs beside the results", other_runs),
    Trick(R, 2, "data sets without ids", lists),
    Trick(R, 2, "an unnamed data set that fails", lambda run: run.content.update(datasets=[])),
    # repeated runs
    Trick(R, 2, "no runs", repeated()),
    Trick(R, 2, "runs against the score", repeated(0.1, 0.1)),
    Trick(R, 2, "one of the runs failed", lambda run: [repeated(0.9)(run), [run.entries[n]["runs"].append({"run": 2, "status": "failed", "error": "500"}) for n in BAD]]),
    Trick(R, 2, "one of the runs has a lone error_kind", lambda run: [repeated(0.9)(run), [run.entries[n]["runs"].append({"run": 2, "error_kind": "timeout"}) for n in BAD]]),
    Trick(R, 2, "one of the runs is missing", steps(every(runs=[{"metrics": {"score": 0.9}}] * 2), repeated(0.9))),
    Trick(R, 2, "a run that is null", steps(scored(0.9), bad(runs=[{"metrics": {"score": 0.9}}, None]))),
    Trick(R, 2, "bad ones asked once, others twice", steps(every(runs=[{}, {}]), lacks("runs"), scored(0.9))),
    Trick(R, 2, "fewer runs than the summary says", steps(repeated(0.9), head(runs={"n": 3}))),
    Trick(R, 1, "the first run is good", as_runs()),
    Trick(R, 2, "bad ones left out of the second run", as_runs(drop)),
    Trick(R, 2, "the second run is empty", as_runs(rows(lambda rows: []))),
    Trick(R, 2, "the second run goes on", as_runs(head(state="running"))),
    Trick(R, 2, "the second run is of other questions", as_runs(head(questions_sha256="cc"))),
    Trick(R, 2, "the second run failed", as_runs(bad(error_kind="timeout"))),
    Trick(R, 2, "an empty list of runs", steps(untop("results"), top(runs=[]))),
    Trick(R, 2, "a run of nothing", steps(untop("results"), top(runs=[{}]))),
    *(Trick(R, 2, f"a case says {name} {value!r}", steps(fine, bad(**{name: value}))) for name, value in CASE_FAILED),
    *(Trick(R, 2, f"a case says {name} False, score 1", steps(scored(1.0), bad(**{name: False}))) for name in ("success", "succeeded", "ok")),
    *(Trick(R, 2, f"the summary says {name} {value!r}", steps(fine, head(**{name: value}))) for name, value in RUN_FAILED),
    *(Trick(R, 2, f"the top says {name} {value!r}", steps(fine, top(**{name: value}))) for name, value in RUN_FAILED),
    *(Trick(R, 2, f"left out, the summary counts {name}", steps(drop, unset("counts"), head(**{name: number})), MISSING) for name, number in COUNTED),
    *(Trick(R, 2, f"left out, counts have {name}", steps(drop, head(counts={"scored": 6, name: number})), MISSING) for name, number in (*COUNTED, ("total", 10), ("spared", 4))),
    Trick(R, 2, "left out, a list of data sets not started", steps(drop, unset("counts"), head(datasets=[{"id": "y", "questions": 4}]), lambda run: run.content.update(datasets={"": run.entries}, results=None)), MISSING),
    Trick(R, 2, "a data set with a text for its questions", steps(drop, unset("counts"), head(datasets={"y": {"questions": "four"}}), lambda run: run.content.update(datasets={"": run.entries}, results=None)), MISSING),
    Trick(R, 2, "failed runs beside the results", steps(fine, top(runs=[{"status": "failed", "error": "500"}]))),
    Trick(R, 2, "runs of a case that are an object", steps(fine, bad(runs={"1": {"status": "failed"}}))),
    Trick(R, 2, "runs of a case that are a text", steps(fine, bad(runs="failed"))),
    Trick(R, 2, "three runs were planned", steps(fine, head(runs=3))),
    Trick(R, 2, "ids that collide across data sets", colliding, ("--margin", "0.5"), True),
    *(Trick(R, 2, f"scored again, {name} is {value!r}", answered(**{name: value}), ("--rescore",), True) for name, value in UNREADABLE),
    # directions
    metric("hallucination_rate", 0.1, 0.9, 1),
    metric("hallucinations", 0.1, 0.9, 1),
    metric("error_rate", 0.1, 0.9, 1),
    metric("errors", 0, 9, 1),
    metric("wer", 0.1, 0.9, 1),
    metric("perplexity", 5.0, 9.0, 1),
    metric("ppl", 5.0, 9.0, 1),
    metric("duration", 1.0, 9.0, 1),
    metric("response_time", 1.0, 9.0, 1),
    metric("latency_ms", 10.0, 900.0, 1),
    metric("timeToFirstToken", 1.0, 9.0, 1),
    metric("cost_usd", 1.0, 9.0, 1),
    metric("toxicity", 0.1, 0.9, 1),
    metric("accuracy", 0.9, 0.1, 1),
    metric("f1", 0.9, 0.1, 1),
    metric("tone", 0.9, 0.1, 2),
    metric("tone", 0.1, 0.9, 2),
    metric("hallucination_free_rate", 0.9, 0.1, 2),
    metric("error_recall", 0.9, 0.1, 2),
    metric("tokens_per_second", 9.0, 1.0, 2),
    metric("latency_score", 0.9, 0.1, 2),
    metric("tone", 0.9, 0.1, 1, "--better", "higher"),
    metric("tone", 0.1, 0.9, 1, "--better", "lower"),
    metric("tone", 0.9, 0.1, 2, "--better", "up"),
    metric("safe_ok", 1, 0, 2, "--better", "lower"),
    Trick(R, 2, "the score turned round", head(), ("--better", "lower")),
    Trick(R, 2, "a metric that nobody has", head(), ("--metric", "none_such")),
    Trick(R, 1, "slower", head(), ("--metric", "avg_latency_s")),
    # journals: which rows are there
    Trick(J, 1, "no trick", head()),
    Trick(J, 2, "left out", drop),
    Trick(J, 2, "left out, allowed", drop, MISSING),
    Trick(J, 1, "left out, a smaller total", steps(drop, head(total=6))),
    Trick(J, 1, "renamed", renamed("new{}")),
    Trick(J, 2, "a key of another question", bad(question_id="q9")),
    Trick(J, 2, "a row without a key", lacks("key")),
    Trick(J, 2, "an empty key", bad(key="")),
    Trick(J, 2, "bad rows of another variant", lambda run: [run.entries[n].update(key=f"q{n}::off::topk=5", config="off") for n in BAD]),
    Trick(J, 1, "bad rows of another variant, the other named", lambda run: [run.head.update(total=6)] + [run.entries[n].update(key=f"q{n}::off::topk=5", config="off") for n in BAD] + [run.head.update(variants=[{"name": "on"}, {"name": "off"}])], ("--variant", "on")),
    Trick(J, 2, "a variant that is not there", head(), ("--variant", "off")),
    Trick(J, 1, "bad rows at another place", lambda run: [run.entries[n].update(key=f"q{n}::on::topk=50") for n in BAD]),
    Trick(J, 1, "a good repetition", steps(rows(lambda rows: rows + [{**row, "key": row["key"] + ",run=2", "scores": {"gold_coverage": 0.9}} for row in rows[:4]]), head(total=14))),
    Trick(J, 2, "a repetition that failed", steps(scored(0.9), rows(lambda rows: rows + [{**row, "key": row["key"] + ",run=2", "status": "failed", "error": "500"} for row in rows[:4]]), head(total=14))),
    # journals: how a case ended
    Trick(J, 2, "failed", bad(status="failed", error="timeout")),
    Trick(J, 2, "failed, no error", bad(status="failed")),
    Trick(J, 2, "error, scored", steps(scored(0.9), bad(error="timeout"))),
    Trick(J, 2, "an empty error", steps(scored(0.9), bad(error=""))),
    Trick(J, 2, "an error object", steps(scored(0.9), bad(error={"code": 1}))),
    Trick(J, 2, "a lone error_kind", steps(scored(0.9), bad(error_kind="timeout"))),
    Trick(J, 2, "a lone error_kind, older", steps(scored(0.9), bad(error_kind="timeout"), lacks("status", "schema_version"))),
    Trick(J, 2, "failed after it was scored", rows(lambda rows: rows + [{**row, "status": "failed", "error": "500"} for row in rows[:4]])),
    Trick(J, 2, "not judged", bad(status="answered")),
    Trick(J, 1, "skipped", bad(status="skipped", reason="none")),
    Trick(J, 2, "spared", bad(status="spared")),
    Trick(J, 2, "spared by a rule", bad(status="spared", spared_by="rule")),
    Trick(J, 2, "spared by a decision, no rule in the header", bad(**SPARED)),
    Trick(J, 2, "spared, a rule in the header", steps(head(extra={"early_stop": {"level": 0.95}}), bad(status="spared"))),
    Trick(J, 2, "spared without a decision", steps(head(extra={"early_stop": {"level": 0.95}}), bad(status="spared", spared_by="rule"))),
    Trick(J, 2, "spared, no header", steps(lambda run: run.head.clear(), bad(**SPARED))),
    *(Trick(J, 2, f"status {status!r}", bad(status=status)) for status in ("ok", "SCORED", 1, None)),
    Trick(J, 1, "no status", lacks("status")),
    Trick(J, 2, "spared after more answers than there are", steps(head(extra={"early_stop": {"level": 0.95}}), bad(**{**SPARED, "decided_after": 7}))),
    *(Trick(J, 2, f"early stopping is {rule!r}", steps(head(extra={"early_stop": rule}), bad(**SPARED))) for rule in ("yes", [1], 1, {"level": "x"})),
    *(Trick(J, 2, f"left out, the header counts {name}", steps(drop, head(total=6, tally={"scored": 6, name: 4})), MISSING) for name in ("failed", "answered")),
    # journals: scores that are none
    Trick(J, 1, "null", scored(None)),
    Trick(J, 1, "no scores", lacks("scores")),
    Trick(J, 2, "NaN", sub("0.1}", "NaN}")),
    Trick(J, 2, "Infinity", sub("0.1}", "Infinity}")),
    Trick(J, 2, "a text", scored("1.0")),
    Trick(J, 2, "a list", scored([1])),
    Trick(J, 2, "1e300", scored(1e300)),
    Trick(J, 2, "1.5", scored(1.5)),
    Trick(J, 2, "a good one of 7", first(scores={"gold_coverage": 7.0})),
    Trick(J, 2, "negative", scored(-0.5)),
    Trick(J, 1, "slower", head(), ("--metric", "avg_latency_s")),
    Trick(J, 2, "a negative time", bad(elapsed_s=-5.0), ("--metric", "avg_latency_s")),
    Trick(J, 1, "no time", lacks("elapsed_s"), ("--metric", "avg_latency_s")),
    Trick(J, 2, "a turned direction", head(), ("--better", "lower")),
    Trick(J, 2, "no weight for bad ones", bad(weight=0)),
    Trick(J, 2, "heavy good ones", good(weight=9)),
    # journals: the file
    Trick(J, 2, "empty", data(lambda _: b"")),
    Trick(J, 2, "cut in its last row", data(lambda content: content[:-9])),
    Trick(J, 2, "a byte-order mark", data(lambda content: b"\xef\xbb\xbf" + content)),
    Trick(J, 1, "lines of Windows", data(lambda content: content.replace(b"\n", b"\r\n"))),
    Trick(J, 2, "two rows on a line", data(lambda content: content.replace(b"}\n{", b"} {", 1))),
    Trick(J, 2, "a row in a list", data(lambda content: b"[" + content.replace(b"\n", b"]\n", 1))),
    Trick(J, 2, "a bad byte", data(lambda content: content.replace(b"What", b"Wh\xff", 1))),
    Trick(J, 2, "scores twice in a row", sub(TWICE, TWICE + ', "scores": {"gold_coverage": 0.9}')),
    Trick(J, 2, "a score twice in a row", sub("0.1}", '0.1, "gold_coverage": 0.9}')),
    Trick(J, 2, "a status twice in a row", sub('"status"', '"status": "failed", "status"', 1)),
    Trick(J, 2, "a key twice in a row", sub('"key"', '"key": "q0::on::topk=5", "key"', 1)),
    Trick(J, 2, "a key twice, escaped", sub(TWICE, TWICE + ', "sc\\u006fres": {"gold_coverage": 0.9}')),
    Trick(J, 2, "a newer layout", every(schema_version=99)),
    # journals: the header
    Trick(J, 2, "no header", lambda run: run.head.clear()),
    Trick(J, 2, "running", head(state="running")),
    Trick(J, 2, "partial, left out", steps(drop, head(state="partial"))),
    Trick(J, 2, "a state that is none", head(state="fine")),
    Trick(J, 2, "a state twice", head_sub('"state"', '"state": "running", "state"')),
    Trick(J, 2, "a total twice", steps(drop, head_sub('"total": 10', '"total": 10, "total": 6'))),
    Trick(J, 2, "a damaged header", head_sub("{", "")),
    Trick(J, 2, "other questions", head(questions_sha256="cc")),
    Trick(J, 2, "no question hash", unset("questions_sha256")),
    Trick(J, 2, "other gold", head(extra={"gold_sha256": "dd"})),
    Trick(J, 2, "another threshold", head(extra={"threshold": 0.1})),
    Trick(J, 2, "another job", head(job="depth")),
    Trick(J, 2, "another document", head(extra={"documents": {"a.txt": "1"}})),
    # summaries of several runs
    Trick(S, 1, "no trick", head()),
    Trick(S, 1, "a figure left out", untop("weighted_score")),
    Trick(S, 1, "a figure that is a number", top(weighted_score=0.99)),
    *(Trick(S, 2, f"mean {value!r}", head(mean=value)) for value in (None, "0.99", True, 1.5, -0.5, 90, 0.99)),
    Trick(S, 2, "mean NaN", sub('"mean": 0.5', '"mean": NaN')),
    Trick(S, 2, "mean twice", sub('"mean": 0.5', '"mean": 0.5, "mean": 0.9', 1)),
    Trick(S, 2, "a low max", head(max=0.1)),
    Trick(S, 2, "no spread", head(std=0.0), ("--max-std", "0.1")),
    *(Trick(S, 2, f"n {value!r}", top(n=value)) for value in (0, 1, 3, 1.5, "2", True)),
    Trick(S, 2, "no runs of two", steps(head(mean=0.9, min=0.9, max=0.9, std=0), top(runs=[]))),
    Trick(S, 2, "runs as an object", steps(head(mean=0.9, min=0.9, max=0.9, std=0), top(runs={}))),
    Trick(S, 2, "a run that is null", steps(head(mean=0.9, min=0.9, max=0.9, std=0), rows(lambda rows: [None, rows[1]]))),
    Trick(S, 2, "a run without its score", steps(head(mean=0.9, min=0.9, max=0.9, std=0), rows(lambda rows: [{"path": "0.json"}, rows[1]]))),
    Trick(S, 2, "a run with a text for its score", steps(head(mean=0.9, min=0.9, max=0.9, std=0), rows(lambda rows: [{**rows[0], "weighted_score": "0.1"}, rows[1]]))),
    Trick(S, 2, "the good run twice", lambda run: [run.entries.__setitem__(0, run.entries[1]), run.content.update(weighted_score=SURE, question_weighted_score=SURE)]),
    Trick(S, 2, "a run that failed", lambda run: [run.entries[0].update(weighted_score=0.9, question_weighted_score=0.9, failed=4), run.content.update(weighted_score=FINE, question_weighted_score=FINE)]),
    Trick(S, 2, "a run with an error", lambda run: [run.entries[0].update(weighted_score=0.9, question_weighted_score=0.9, error="500"), run.content.update(weighted_score=FINE, question_weighted_score=FINE)]),
    Trick(S, 2, "a run that goes on", lambda run: [run.entries[0].update(weighted_score=0.9, question_weighted_score=0.9, state="running"), run.content.update(weighted_score=FINE, question_weighted_score=FINE)]),
    Trick(S, 2, "the whole goes on", top(state="running")),
    Trick(S, 2, "failed at the top", top(failed=3)),
    Trick(S, 2, "other questions", top(questions_sha256="cc")),
    Trick(S, 2, "a list of results too", top(results=[])),
    Trick(S, 2, "a turned direction", head(), ("--better", "lower")),
    Trick(S, 2, "the good run twice, by another path", steps(fine, lambda run: run.entries.__setitem__(0, {**run.entries[1], "path": "./1.json"}))),
    *(Trick(S, 2, f"a run says {name} {value!r}", steps(fine, first_run(**{name: value}))) for name, value in (*RUN_FAILED, *ENDED)),
    *(Trick(S, 2, f"the whole says {name} {value!r}", steps(fine, top(**{name: value}))) for name, value in (*RUN_FAILED, *ENDED)),
    # results of a contract-risk tool
    Trick(M, 1, "no trick", head()),
    Trick(M, 1, "left out", drop),
    Trick(M, 2, "other true levels", lambda run: [run.entries[n].update(ground_truth=run.entries[n]["prediction"]) for n in BAD]),
    Trick(M, 1, "true levels that cannot be read", bad(ground_truth="?")),
    Trick(M, 1, "no prediction", bad(prediction=None)),
    Trick(M, 1, "called right", bad(correct_risk=True)),
    Trick(M, 2, "called right in a word, accuracy", bad(correct_risk="yes"), ("--metric", "accuracy")),
    Trick(M, 2, "called right, accuracy", bad(correct_risk=True), ("--metric", "accuracy")),
    Trick(M, 2, "twice", rows(lambda rows: rows + [{**row, "prediction": row["ground_truth"]} for row in rows])),
    Trick(M, 2, "no id", lacks("id")),
    Trick(M, 1, "the metrics say better", head(accuracy=0.99, weighted_accuracy=0.99)),
    Trick(M, 2, "metrics only", lambda run: run.content["mode_1"].pop("results")),
    Trick(M, 2, "a prediction twice", sub('"prediction": "high"', '"prediction": "low", "prediction": "high"', 1)),
    Trick(M, 2, "a prediction twice and a NaN", steps(head(x=1), sub('"x": 1', '"x": NaN, "accuracy": 1'))),
    Trick(M, 2, "a case with an error", lambda run: [run.entries[n].update(error="500", prediction=run.entries[n]["ground_truth"]) for n in BAD]),
    *(Trick(M, 2, f"a clause says {name} {value!r}", steps(fine, bad(**{name: value}))) for name, value in CASE_FAILED),
    *(Trick(M, 2, f"the mode says {name} {value!r}", steps(fine, mode(**{name: value}))) for name, value in RUN_FAILED),
    *(Trick(M, 2, f"the file says {name} {value!r}", steps(fine, top(**{name: value}))) for name, value in RUN_FAILED),
    *(Trick(M, 2, f"left out, {name} in the metrics", steps(drop, head(**{name: number})), MISSING) for name, number in (("failed", 4), ("n_failed", 4), ("total", 10), ("questions", 10))),
    # metrics of a contract-risk tool
    Trick(F, 1, "no trick", head()),
    Trick(F, 1, "hallucinations", head(), ("--metric", "hallucination_rate")),
    Trick(F, 1, "errors", head(), ("--metric", "error_rate")),
    Trick(F, 1, "perplexity", head(), ("--metric", "perplexity")),
    Trick(F, 1, "slower", head(), ("--metric", "avg_latency_s")),
    Trick(F, 1, "dearer", head(), ("--metric", "cost")),
    Trick(F, 2, "a direction that nobody knows", head(), ("--metric", "tone")),
    Trick(F, 1, "a direction that is said", head(), ("--metric", "tone", "--better", "higher")),
    Trick(F, 2, "a turned direction", head(), ("--metric", "accuracy", "--better", "lower")),
    Trick(F, 2, "percent", head(accuracy=60)),
    Trick(F, 2, "more than all", head(accuracy=1.2)),
    Trick(F, 2, "negative errors", head(error_rate=-0.4), ("--metric", "error_rate")),
    Trick(F, 2, "null", head(accuracy=None)),
    Trick(F, 2, "NaN", sub('"accuracy": 0.6', '"accuracy": NaN')),
    Trick(F, 2, "twice", sub('"accuracy": 0.6', '"accuracy": 0.6, "accuracy": 0.9')),
    Trick(F, 2, "twice beside a NaN", sub('"accuracy": 0.6', '"x": NaN, "accuracy": 0.6, "accuracy": 0.95')),
    *(Trick(F, 2, f"the mode says {name} {value!r}", steps(fine, mode(**{name: value}))) for name, value in (*RUN_FAILED, *ENDED)),
    *(Trick(F, 2, f"the file says {name} {value!r}", steps(fine, top(**{name: value}))) for name, value in (*RUN_FAILED, *ENDED)),
    Trick(F, 2, "failed cases in the metrics", steps(fine, head(failed=4))),
    Trick(F, 2, "a percentage of a metric that is not declared", lambda run: run.head.update(my_recall=60 if run.is_candidate else 0.9), ("--metric", "my_recall"), True),
    Trick(F, 2, "another mode", no_mode),
    Trick(F, 1, "a matrix against the metrics", steps(matrix, head(accuracy=0.99)), (), True),
    Trick(F, 2, "a matrix of easy clauses", lambda run: run.head.update(conf_matrix=[[1, 0, 0], [0, 0, 0], [0, 0, 5]] if run.is_candidate else run.matrix), (), True),
]  # fmt: skip


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: f"{trick.kind}: {trick.name}")
def test_no_trick_lets_a_worse_candidate_pass(tmp_path: Path, trick: Trick):
    """The gate says that the candidate is worse, or that it cannot be compared; never that it passed."""
    base, cand = Run(trick.kind, 0.9), Run(trick.kind, 0.1)
    if trick.both:
        trick.change(base)
    trick.change(cand)
    paths = base.write(tmp_path / "base"), cand.write(tmp_path / "cand")
    words = ["compare", "--base", str(paths[0]), "--cand", str(paths[1]), *trick.options]
    ran = CliRunner().invoke(app, words)
    code = 2 if isinstance(ran.exception, UseError) else ran.exit_code  # as ``main`` ends
    assert code == trick.code, ran.output
    assert "Traceback" not in ran.output


@pytest.mark.parametrize("kind", [R, J, S, M, F])
def test_the_same_run_passes(tmp_path: Path, kind: str):
    """What the tricks start from is no trick: compared with itself, the base passes."""
    path = Run(kind, 0.9).write(tmp_path / "base")
    ran = CliRunner().invoke(app, ["compare", "--base", str(path), "--cand", str(path)])
    assert ran.exit_code == 0, ran.output
