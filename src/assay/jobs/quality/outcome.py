"""The lines that show the results of a quality run: scores, lowest answers and files."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from assay.report.words import metric_title
from assay.scorers.quality import METRICS
from assay.text import counted, visible_line

LOWEST: Final = 10
"""How many of the answers with less than the full score are listed."""


def outcome_lines(content: Mapping[str, Any], out: Path, journals: Iterable[Path]) -> list[str]:
    """The content of a results file as lines, and where the files are."""
    lines = ["", *_scores(content), *_shortcomings(content), "", f"results  {out}"]
    return [*lines, *(f"rows     {journal}" for journal in journals)]


def _scores(content: Mapping[str, Any]) -> Iterator[str]:
    summary = content["summary"]
    yield f"weighted score  {_number(summary['weighted_score'])}{_spread(summary)}"
    if "datasets" in content:
        yield f"  by questions  {_number(summary['question_weighted_score'])}"
        for name, part in summary["datasets"].items():
            score = _number(part["weighted_score"])
            yield f"  {name}: {score}, weight {part['weight']:g}, {part['state']}"
    counts = summary["counts"]
    unjudged = f"{counts['answered']} not judged yet, " if counts.get("answered") else ""
    yield (
        f"cases           {counts['scored']} scored, {unjudged}{counts['failed']} failed, "
        f"{counts['skipped']} skipped, {counts['not_asked']} not asked"
    )
    yield from _means(summary.get("means", {}))


def _means(means: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Each metric with its title and the name that it has in the results file."""
    titles = {
        metric.field.removeprefix("metrics."): metric_title(metric)
        for metric in METRICS
        if metric.kind in {"mean", "rate"}
    }
    widths = [
        max((len(text) for text in texts), default=0)
        for texts in ([titles.get(name, name) for name in means], means)
    ]
    for name, metric in means.items():
        title = titles.get(name, name)
        number = _number(metric["mean"])
        yield f"{title:<{widths[0]}}  {name:<{widths[1]}}  {number} (n {metric['n']})"


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
    yield "answers that fell short, lowest first:"
    for name, entry in short[:LOWEST]:
        yield f"  {visible_line(name)}  {entry['metrics']['score']:.3f}  {_reason(entry)}"
    if len(short) > LOWEST:
        yield f"  and {len(short) - LOWEST} more; the results file has all of them"


def _reason(entry: Mapping[str, Any]) -> str:
    """Why an answer does not have the full score; for repeated runs, from the first run."""
    first = entry["runs"][0] if "runs" in entry else entry
    lacking, forbidden = [], []
    for match in first.get("matches", ()):
        if match["rule"] == "must_not_include":
            forbidden += [repr(match["text"])] if match["phrase"] is not None else []
        elif match["phrase"] is None:
            lacking.append(" or ".join(map(repr, match["wanted"])))
    facts = [f"lacks {', '.join(lacking)}"] if lacking else []
    facts += [f"says {', '.join(forbidden)}"] if forbidden else []
    facts += ["cites no page"] if first.get("metrics", {}).get("citation_penalty") else []
    return "; ".join(facts) or "in some of its runs"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _spread(summary: Mapping[str, Any]) -> str:
    runs = summary.get("runs")
    if not runs:
        return ""
    deviation = _number(runs["standard_deviation"])
    kind = runs["standard_deviation_kind"]
    return f" (mean of {counted(runs['n'], 'run')}; {kind} standard deviation {deviation})"
