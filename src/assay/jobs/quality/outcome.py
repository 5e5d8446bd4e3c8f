"""The lines that show the results of a quality run: scores, lowest answers and files."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import UseError
from assay.jobs.quality.spec import METRICS
from assay.report.description import counts_line, file_line
from assay.report.label import metric_title
from assay.report.look import MISSING
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn
from assay.text.normalise import visible_line
from assay.text.width import display_width, padded
from assay.words.language import language
from assay.words.say import listed, say, say_n

LOWEST: Final = 10
"""How many of the answers with less than the full score are listed."""


def outcome_lines(content: Mapping[str, Any], out: Path, journals: Iterable[Path]) -> list[str]:
    """The content of a results file as lines, and where the files are."""
    lines = ["", *_scores(content), *_shortcomings(content), "", file_line("results", out)]
    return [*lines, *(file_line("rows", journal) for journal in journals)]


def total_lines(results: Path, journals: Iterable[Path]) -> list[str]:
    """What ``outcome_lines`` says about the results file of several documents."""
    return outcome_lines(_content(results), results, journals)


def total_table(results: Path) -> Table:
    """The score of each document of a results file, and that of all together."""
    summary = _content(results)["summary"]
    titles = {
        "weight": say("weight"),
        "questions": say("questions"),
        "weighted_score": say("weighted score"),
    }
    parts = summary["datasets"]
    rows = [
        LabelledRow(label=name, cells=tuple(TableCell(value=part.get(key)) for key in titles))
        for name, part in parts.items()
    ]
    asked = sum(part.get("questions") or 0 for part in parts.values())
    for label, key in (
        (say("by documents"), "weighted_score"),
        (say("by questions"), "question_weighted_score"),
    ):
        cells = (TableCell(), TableCell(value=asked), TableCell(value=summary[key]))
        rows.append(LabelledRow(label=label, cells=cells))
    return Table(
        title=say("weighted score"),
        columns=tuple(
            TableColumn(key=key, title=title, digits=2 if key == "weight" else 4)
            for key, title in titles.items()
        ),
        rows=tuple(rows),
        label_title=say("data set"),
        label_key="data_set",
    )


def _content(results: Path) -> Mapping[str, Any]:
    content: Mapping[str, Any] = msgspec.json.decode(results.read_bytes())
    summary = content.get("summary")
    needed = {"weighted_score", "question_weighted_score", "counts", "datasets"}
    if not isinstance(summary, dict) or not needed <= summary.keys():
        raise UseError(f"{results}: is not a finished results file of assay quality")
    return content


def _scores(content: Mapping[str, Any]) -> Iterator[str]:
    summary = content["summary"]
    score = f"{_number(summary['weighted_score'])}{_spread(summary)}"
    yield padded(say("weighted score"), 16) + score
    if "datasets" in content:
        by_questions = _number(summary["question_weighted_score"])
        yield padded(f"  {say('by questions')}", 16) + by_questions
        for name, part in summary["datasets"].items():
            score = _number(part["weighted_score"])
            weight = say("weight {weight:g}", weight=float(part["weight"]))
            state = say(part["state"], "state")
            yield f"  {name}: {listed([score, weight, state])}"
    yield padded(say("cases"), 16) + counts_line(summary["counts"])
    yield from _means(summary.get("means", {}))


def _means(means: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Each metric with its title and the name that it has in the results file."""
    titles = {
        metric.field.removeprefix("metrics."): metric_title(metric, language())
        for metric in METRICS
        if metric.kind in {"mean", "rate"}
    }
    widths = [
        max((display_width(text) for text in texts), default=0)
        for texts in ([titles.get(name, name) for name in means], means)
    ]
    for name, metric in means.items():
        title = titles.get(name, name)
        number = _number(metric["mean"])
        head = padded(title, widths[0] + 2)
        yield f"{head}{name:<{widths[1]}}  {number} (n {metric['n']})"


def _shortcomings(content: Mapping[str, Any]) -> Iterator[str]:
    parts = content.get("datasets", {"": content})
    short = [
        (f"{name}/{entry['id']}" if name else entry["id"], entry)
        for name, part in parts.items()
        for entry in part["results"]
        if entry["status"] == "scored" and entry["metrics"]["score"] < 1
    ]
    if not short:
        return
    short.sort(key=lambda pair: pair[1]["metrics"]["score"])
    yield ""
    yield say("answers that fell short, lowest first:")
    for name, entry in short[:LOWEST]:
        yield f"  {visible_line(name)}  {entry['metrics']['score']:.3f}  {_reason(entry)}"
    if len(short) > LOWEST:
        more = say("and {n} more; the results file has all of them", n=len(short) - LOWEST)
        yield f"  {more}"


def _reason(entry: Mapping[str, Any]) -> str:
    """Why an answer does not have the full score; for repeated runs, from the first run."""
    first = entry["runs"][0] if "runs" in entry else entry
    lacking, forbidden = [], []
    for match in first.get("matches", ()):
        if match["rule"] == "must_not_include":
            forbidden += [repr(match["text"])] if match["phrase"] is not None else []
        elif match["phrase"] is None:
            lacking.append(say(" or ").join(map(repr, match["wanted"])))
    facts = [say("lacks {texts}", texts=listed(lacking))] if lacking else []
    facts += [say("says {texts}", texts=listed(forbidden))] if forbidden else []
    facts += [say("cites no page")] if first.get("metrics", {}).get("citation_penalty") else []
    return "; ".join(facts) or say("in some of its runs")


def _number(value: float | None) -> str:
    return MISSING if value is None else f"{value:.4f}"


def _spread(summary: Mapping[str, Any]) -> str:
    runs = summary.get("runs")
    if not runs:
        return ""
    deviation = _number(runs["standard_deviation"])
    kind = runs["standard_deviation_kind"]
    return say_n(
        " (mean of {n} run; {kind} standard deviation {value})",
        " (mean of {n} runs; {kind} standard deviation {value})",
        runs["n"],
        kind=say(kind),
        value=deviation,
    )
