"""Filters and sorting of the items of a run, in columns; only a search looks at texts."""

import math
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.data.jsonl import UNREADABLE
from assay.errors import UseError
from assay.records import Metric
from assay.redact.error_text import masked_error
from assay.registry import nearest
from assay.stats.scores import ABSENT, ANSWERED, FAILED, SCORED, SKIPPED, SPARED
from assay.web.api import Failure, Missing
from assay.web.item_api import CellStatus, ItemCell, ItemCount, ItemPage, ItemQuery, ItemRow, Mark
from assay.web.judge.read import run_judges
from assay.web.pattern import Pattern, Search
from assay.web.run_index import RunIndex

SHOWN: Final = (
    "all", "different", "worse", "better", "failed", "skipped", "unparsed", "abstained",
    "unsure", "without_gold", "answered", "spared", "against_people", "against_judges", "judge_unparsed",
)  # fmt: skip
MOST_ROWS: Final = 500
"""The most items of one page."""
MOST_SEARCHES: Final = 8
"""How many searches of a run are remembered."""
_PARSED: Final = "parse_rate"
_STATUSES: Final[dict[int, CellStatus]] = {
    ABSENT: "absent",
    SCORED: "scored",
    FAILED: "failed",
    SKIPPED: "skipped",
    ANSWERED: "answered",
    SPARED: "spared",
}
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[Any]
Items: TypeAlias = NDArray[np.int64]


class Columns:
    """The values of one metric of a run, by variant and item, and how they compare."""

    def __init__(self, index: RunIndex, metric: str = "") -> None:
        findings = index.findings
        scores = findings.results.scores
        self.metric: Metric = findings.job.metric(metric or findings.analysis.primary or None)
        self.status = scores.status
        values = scores.values[self.metric.field]
        self.values = np.where((self.status == SCORED) & np.isfinite(values), values, np.nan)
        self.variants = scores.variants
        self.base = scores.variants.index(findings.baseline) if scores.variants else -1
        self.unparsed = _unparsed(index)
        self.abstained = index.listed.abstained == 1
        self.has_abstention = index.listed.abstained >= 0
        self.unsure = unsure_cases(index)

    def gain(self) -> Floats:
        """By how much each value is better than the baseline's; NaN if they cannot be compared."""
        if not len(self.values):
            return self.values
        difference: Floats = self.values - self.values[self.base]
        return -difference if self.metric.better == "lower" else difference

    def mark(self, variant: int, item: int) -> Mark:
        """A value against the baseline's value of the same item."""
        if variant == self.base:
            return ""
        difference = float(self.values[variant, item] - self.values[self.base, item])
        if np.isnan(difference):
            return ""
        if difference == 0:
            return "same"
        if self.metric.better is None:
            return ""
        return "better" if (difference > 0) == (self.metric.better == "higher") else "worse"

    def cell(self, variant: int, item: int) -> ItemCell:
        """The cell of a case in the table of items."""
        value = float(self.values[variant, item])
        is_known = bool(self.has_abstention[variant, item])
        return ItemCell(
            status=self.cell_status(variant, item),
            value=None if np.isnan(value) else value,
            mark=self.mark(variant, item),
            is_abstained=bool(self.abstained[variant, item]) if is_known else None,
            is_unsure=bool(self.unsure[variant, item]),
        )

    def cell_status(self, variant: int, item: int) -> CellStatus:
        """How a case ended."""
        if self.unparsed[variant, item]:
            return "unparsed"
        return _STATUSES.get(int(self.status[variant, item]), "failed")


def _unparsed(index: RunIndex) -> Bools:
    """The scored cases whose answer could not be parsed; none if the job does not parse answers."""
    findings = index.findings
    scores = findings.results.scores
    parsed = next((metric for metric in findings.job.metrics if metric.name == _PARSED), None)
    if parsed is None:
        return np.zeros(scores.status.shape, np.bool_)
    unparsed: Bools = (scores.values[parsed.field] == 0) & (scores.status == SCORED)
    return unparsed


def unsure_cases(index: RunIndex) -> Bools:
    """The scored cases with a score that a check is unsure of."""
    findings = index.findings
    scores = findings.results.scores
    unsure = np.zeros(scores.status.shape, np.bool_)
    for metric in findings.metrics:
        least = scores.values.get(metric.bounds[0])
        if least is not None:
            unsure |= np.isfinite(least) & (scores.status == SCORED)
    return unsure


def matching_items(index: RunIndex, columns: Columns, query: ItemQuery) -> Items:
    """The items that the query shows, without its search, in its order."""
    keep = _shown(index, columns, query)
    if query.low is not None or query.high is not None:
        values = columns.values[_variants(columns, query.variant)]
        low = -np.inf if query.low is None else query.low
        high = np.inf if query.high is None else query.high
        keep &= _any((values >= low) & (values <= high))
    if query.source:
        numbers = [
            n for n, name in enumerate(index.listed.sources.values()) if name == query.source
        ]
        keep &= index.listed.sources.chosen(numbers)
    if query.tag:
        wanted = set(query.tag.split("\n"))
        numbers = [n for n, tags in enumerate(index.listed.tags.values()) if wanted <= set(tags)]
        keep &= index.listed.tags.chosen(numbers)
    order = _sorted(index, columns, query)
    return order[keep[order]]


def _variants(columns: Columns, name: str, *, with_base: bool = True) -> list[int]:
    """The numbers of the variants that a filter looks at."""
    if name:
        if name not in columns.variants:
            raise Missing(f"no variant {name!r}{nearest(name, columns.variants)}")
        return [columns.variants.index(name)]
    numbers = range(len(columns.variants))
    return [number for number in numbers if with_base or number != columns.base]


def _shown(index: RunIndex, columns: Columns, query: ItemQuery) -> Bools:
    match query.show:
        case "all":
            return np.ones(columns.values.shape[1], np.bool_)
        case "different" | "worse" | "better":
            chosen = _variants(columns, query.variant, with_base=False)
            gain = columns.gain()[chosen]
            if query.show == "different":
                return _any(~np.isnan(gain) & (gain != 0))
            if columns.metric.better is None:
                return np.zeros(gain.shape[1], np.bool_)
            return _any(gain < 0 if query.show == "worse" else gain > 0)
        case "without_gold":
            return without_gold(index)
        case "failed" | "skipped" | "answered" | "spared" | "unparsed" | "abstained" | "unsure":
            cases = {
                "failed": columns.status == FAILED,
                "skipped": columns.status == SKIPPED,
                "answered": columns.status == ANSWERED,
                "spared": columns.status == SPARED,
                "unparsed": columns.unparsed,
                "abstained": columns.abstained,
                "unsure": columns.unsure,
            }[query.show]
            return _any(cases[_variants(columns, query.variant)])
        case "against_people" | "against_judges" | "judge_unparsed":
            return _judged(index, columns, query)
    raise UseError(f"show {query.show!r}: not one of {', '.join(SHOWN)}")


def _judged(index: RunIndex, columns: Columns, query: ItemQuery) -> Bools:
    """The items with a verdict that people or another judge contradict, or that is unreadable."""
    chosen = _variants(columns, query.variant)
    cases = np.zeros(columns.status.shape, np.bool_)
    for each in run_judges(index).chosen(query.judge):
        cases |= {
            "against_people": each.against_people,
            "against_judges": each.against_judges,
            "judge_unparsed": each.unparsed,
        }[query.show]
    return _any(cases[chosen])


def without_gold(index: RunIndex) -> Bools:
    """The items that were scored and have no value of the main metric in any variant."""
    scores = index.findings.results.scores
    values = scores.values[index.findings.job.metric().field]
    return _any(scores.status == SCORED) & ~_any(~np.isnan(values))


def _any(cases: Bools) -> Bools:
    """The items for which any of the variants has it."""
    return np.logical_or.reduce(cases, axis=0)  # type: ignore[no-any-return]


def _sorted(index: RunIndex, columns: Columns, query: ItemQuery) -> Items:
    """All items in the order of the query; items without a value come last in both directions."""
    order = index.order
    match query.sort:
        case "file":
            return order[::-1] if query.descending else order
        case "id":
            by_name = np.arange(len(order))
            return by_name[::-1] if query.descending else by_name
        case "difference":
            chosen = _variants(columns, query.variant, with_base=False)
            keys = _lowest(columns.gain()[chosen])
        case name:
            keys = columns.values[_variants(columns, name)[0]]
    keys = (-keys if query.descending else keys)[order]
    return order[np.argsort(keys, kind="stable")]  # NaN is sorted to the end


def _lowest(gain: Floats) -> Floats:
    """The lowest gain of each item; NaN if it has none."""
    if not len(gain):
        return np.full(gain.shape[1], np.nan)
    lowest = np.where(np.isnan(gain), np.inf, gain).min(axis=0)
    return np.where(np.isinf(lowest), np.nan, lowest)


def check_query(query: ItemQuery) -> None:
    """Raise ``UseError`` if a number of the query cannot be meant."""
    for name in ("offset", "limit"):
        if getattr(query, name) < 0:
            raise UseError(f"{name}: {getattr(query, name)} is negative")
    for name in ("low", "high"):
        value = getattr(query, name)
        if value is not None and not math.isfinite(value):
            raise UseError(f"{name}: {value} is not a number")


def item_page(index: RunIndex, query: ItemQuery, is_cancelled: Callable[[], bool]) -> ItemPage:
    """One page of the items of a query."""
    columns = Columns(index, query.metric)
    items = matching_items(index, columns, query)
    limit = max(1, min(query.limit, MOST_ROWS))
    offset = max(0, query.offset)
    total: int | None = len(items)
    if query.text:
        search = _search(index, query)
        found, _ = search.first(items, offset + limit + 1, is_cancelled)
        total = search.known(items)
    else:
        found = items[: offset + limit + 1]
    return ItemPage(
        rows=tuple(_row(index, columns, int(item)) for item in found[offset : offset + limit]),
        offset=offset,
        total=total,
        is_last=len(found) <= offset + limit,
    )


def item_count(index: RunIndex, query: ItemQuery, is_cancelled: Callable[[], bool]) -> ItemCount:
    """How many items match the whole query."""
    columns = Columns(index, query.metric)
    items = matching_items(index, columns, query)
    if not query.text:
        return ItemCount(total=len(items))
    return ItemCount(total=_search(index, query).all(items, is_cancelled))


def _search(index: RunIndex, query: ItemQuery) -> Search:
    """The search of a query; the last ones are remembered with what they have decided."""
    key = (query.text, query.regex)
    search = index.searches.pop(key, None)
    if search is None:
        search = Search(index.listed.store, Pattern(query.text, regex=query.regex))
    index.searches[key] = search  # the last one is the newest
    while len(index.searches) > MOST_SEARCHES:
        index.searches.pop(next(iter(index.searches)), None)
    return search


def _row(index: RunIndex, columns: Columns, item: int) -> ItemRow:
    return ItemRow(
        item=item,
        id=index.findings.results.scores.items[item],
        question=index.listed.questions[item],
        source=index.listed.sources.get(item, ""),
        cells=tuple(columns.cell(variant, item) for variant in range(len(columns.variants))),
    )


# Why cases of a run failed: their errors, the most frequent first.

MOST_READ: Final = 500
"""How many failed cases are read; the errors of a run repeat themselves."""
MOST_SHOWN: Final = 5
LONGEST: Final = 600


class _Failed(Struct, frozen=True, gc=False):
    error: str | None = None


def failures(index: RunIndex, columns: Columns) -> tuple[Failure, ...]:
    """The most frequent errors of the failed cases."""
    variants, items = np.nonzero(columns.status == FAILED)
    cases = [(int(item), int(variant)) for variant, item in zip(variants, items, strict=True)]
    counted: Counter[str] = Counter()
    for line in index.lines(cases[:MOST_READ]).values():
        try:
            error = msgspec.json.decode(line, type=_Failed).error
        except UNREADABLE:
            continue
        counted[masked_error(error or "").strip()[:LONGEST]] += 1
    return tuple(
        Failure(error=error, count=count) for error, count in counted.most_common(MOST_SHOWN)
    )
