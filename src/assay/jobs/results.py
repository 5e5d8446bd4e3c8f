"""A journal in columns: what tables, statistics and comparisons are made from.

Only the requested fields are decoded, so decoding takes little more time than reading the file.
If a key has several rows, the last one counts; an incomplete last line is ignored. Items are
sorted by name, so that a run that was interrupted and resumed gives exactly the same numbers
as a run that was not.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.data.jsonl import BadLine, read_blocks_at
from assay.errors import JournalCorrupt, UseError
from assay.journal import REMEDY, Summary, read_heads, read_summary, summary_path
from assay.records import Metric
from assay.stats import Scores

STATUSES = {"": 1, "scored": 1, "failed": 2, "skipped": 3}
MONEY = ("cost", "paid")
BATCH = 8192
"""How many rows are put into columns at once, so that NumPy's cost per call is small."""
BILLED = ("usage.calls", "usage.replayed_calls", "usage.prompt_tokens", "usage.completion_tokens")


class Bill(Struct, frozen=True, kw_only=True):
    """What all rows of a variant cost together, including failed and replaced rows.

    ``cost`` is the list price of all calls, ``paid`` that of the calls that were not replayed
    from the cache. Both are ``None`` if no price is known.
    """

    calls: int = 0
    replayed_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    paid: float | None = None


class Results(Struct, frozen=True, kw_only=True):
    """One run's scores by variant and item, its bills, and the position of each row in the file.

    ``label`` is the placement that is not part of the names of items (see ``item_name``).
    ``replaced`` is the number of rows that were replaced by a later row of the same key.
    """

    path: Path
    summary: Summary | None
    scores: Scores
    bills: Mapping[str, Bill]
    rows: int
    replaced: int
    label: str
    replayed_latency: bool
    blocks: Sequence[slice]
    block_of: NDArray[np.int32]

    @property
    def name(self) -> str:
        """The experiment's name."""
        return self.summary.name if self.summary else self.path.stem


def read_results(
    path: Path, metrics: Iterable[Metric], *, flags: Iterable[str] = (), label: str | None = None
) -> Results:
    """The rows of ``path`` as columns: the fields of ``metrics``, and other boolean ``flags``.

    With ``label``, only rows of that placement are read: a file may also contain rows of an
    earlier run with another ``top_k``.
    """
    if not path.exists():
        raise UseError(f"{path}: no such file of results")
    small = {metric.field for metric in metrics if metric.kind == "rate"} | set(flags)
    fields = dict.fromkeys([metric.field for metric in metrics] + list(flags))
    summary = read_summary(summary_path(path))
    known = [variant.name for variant in summary.variants] if summary else []
    reading = _Reading(list(fields), small, known)
    try:
        for place, block in read_blocks_at(path, row_type(fields), torn_end=True):
            # the first line may be metadata
            rows = block if reading.blocks or (block and block[0].key) else block[1:]
            if not all([row.key for row in rows]):  # noqa: C419 - a list is twice as fast
                _refuse_keyless(path)
            if label is not None:
                rows = [row for row in rows if row.key.endswith(f"::{label}")]
            reading.take(place, rows)
    except BadLine as bad:
        raise JournalCorrupt(
            f"{path}:{bad.line}: not a row of results ({bad.reason}); nothing was changed. {REMEDY}"
        ) from None
    return reading.results(path, summary)


def item_name(key: str, question_id: str, config: str, label: str | None) -> tuple[str, str]:
    """The name of the item of a row, and the placement of the row.

    The name contains the placement unless it is ``label``, or ``label`` is ``None``.

    >>> item_name("q1::fast::topk=10", "q1", "fast", "topk=10")
    ('q1', 'topk=10')
    >>> item_name("q1::fast::topk=5", "q1", "fast", "topk=10")
    ('q1::topk=5', 'topk=5')
    """
    placement = key[len(question_id) + len(config) + 4 :]
    has_plain_name = label is None or placement == label
    return (question_id if has_plain_name else f"{question_id}::{placement}"), placement


def _refuse_keyless(path: Path) -> None:
    for _ in read_heads(path):  # raises the error that names the line
        pass


def row_type(fields: Iterable[str]) -> Any:
    """A struct type for decoding only the fields of every row and the dotted ``fields``.

    >>> row = row_type(["gold_metrics.gold_coverage"])
    >>> msgspec.json.decode(b'{"key": "k", "gold_metrics": {"gold_coverage": 0.5}}', type=row)
    Row(key='k', question_id='', config='', status='', ...gold_coverage=0.5)...)
    """
    tree: dict[str, Any] = {}
    for dotted in [*fields, *BILLED]:
        branch = tree
        *above, last = dotted.split(".")
        for step in above:
            branch = branch.setdefault(step, {})
        branch[last] = None
    head: list[Any] = [
        ("key", str, ""),
        ("question_id", str, ""),
        ("config", str, ""),
        ("status", str, ""),
        ("error", str | None, None),
        ("source", str | None, None),
        ("cost", float | None, None),
        ("paid", float | None, None),
        ("latency_replayed", bool, False),
    ]
    head_names = {name for name, *_ in head}
    return _struct("Row", head, {name: sub for name, sub in tree.items() if name not in head_names})


def _struct(name: str, head: list[Any], tree: Mapping[str, Any]) -> Any:
    fields = list(head)
    for key, sub in tree.items():
        if sub is None:
            fields.append((key, bool | int | float | None, None))
        else:
            nested = _struct(key, [], sub)
            empty = nested()
            fields.append((key, nested, msgspec.field(default_factory=partial(_same, empty))))
    return msgspec.defstruct(name, fields, frozen=True, gc=False)


def _same(value: Any) -> Any:
    return value


class _Reading:
    """Columns that grow while rows are read."""

    def __init__(self, fields: list[str], small: set[str], variants: list[str]) -> None:
        self.items: dict[str, int] = {}
        self.sources: dict[str, int] = {}
        self.label: str | None = None
        self.placed: set[str] = set()  # items of another placement than the first row's
        self.variants: dict[str, int] = {}
        self.fields = fields
        self.getters: list[Callable[[Any], Any]] = [attrgetter(field) for field in fields]
        self.kinds = [np.float32 if field in small else np.float64 for field in fields]
        self.columns: list[list[NDArray[Any]]] = []
        self.status: list[NDArray[np.uint8]] = []
        self.block_of: list[NDArray[np.int32]] = []
        self.clusters = np.zeros(0, np.int32)
        self.bills: list[dict[str, float]] = []
        self.blocks: list[slice] = []
        self.waiting: list[Any] = []
        self.from_block: list[int] = []
        self.rows = 0
        self.replayed = False
        for name in variants:
            self._variant(name)

    def take(self, place: slice, rows: Sequence[Any]) -> None:
        """Take the rows of a block; they are put into columns in batches."""
        self.waiting += rows
        self.from_block += [len(self.blocks)] * len(rows)
        self.blocks.append(place)
        if len(self.waiting) >= BATCH:
            self._put()

    def _put(self) -> None:
        rows, blocks = self.waiting, np.array(self.from_block, np.int32)
        self.waiting, self.from_block = [], []
        if not rows:
            return
        self.rows += len(rows)
        items = self._items(rows)
        self._grow()
        sources = self.sources
        self.clusters[items] = [
            -1 if row.source is None else sources.setdefault(row.source, len(sources))
            for row in rows
        ]
        chosen = np.array([self._variant(row.config) for row in rows])
        status = np.array(
            [2 if row.error is not None else STATUSES.get(row.status, 2) for row in rows], np.uint8
        )
        values = [
            np.array([get(row) for row in rows], dtype=kind)
            for get, kind in zip(self.getters, self.kinds, strict=True)
        ]
        for variant in np.unique(chosen):
            mine = chosen == variant
            at = items[mine]
            self.status[variant][at] = status[mine]
            self.block_of[variant][at] = blocks[mine]
            scored = status[mine] == 1
            for column, value in zip(self.columns[variant], values, strict=True):
                column[at] = np.where(scored, value[mine], np.nan)
        self._charge(rows, chosen)

    def _items(self, rows: Sequence[Any]) -> NDArray[np.int64]:
        """The index of each row's item; the placement is part of the item if it varies."""
        known = self.items
        if self.label is None:
            first = rows[0]
            _, self.label = item_name(first.key, first.question_id, first.config, None)
        label = self.label
        indices = []
        for row in rows:
            # the same as item_name; calling it for each row would take a tenth of the whole time
            item = row.question_id
            if row.key[len(item) + len(row.config) + 4 :] != label:
                item, _ = item_name(row.key, item, row.config, label)
                self.placed.add(item)
            indices.append(known.setdefault(item, len(known)))
        return np.array(indices)

    def _names(self) -> list[str]:
        """The items' names, with the placement if there is more than one placement."""
        if not self.placed:
            return list(self.items)
        return [item if item in self.placed else f"{item}::{self.label}" for item in self.items]

    def _variant(self, name: str) -> int:
        number = self.variants.get(name)
        if number is None:
            number = self.variants[name] = len(self.variants)
            size = len(self.clusters)
            self.columns.append([np.full(size, np.nan, kind) for kind in self.kinds])
            self.status.append(np.zeros(size, np.uint8))
            self.block_of.append(np.full(size, -1, np.int32))
            self.bills.append({})
        return number

    def _grow(self) -> None:
        """Make room for twice as many items as there are now."""
        size = len(self.clusters)
        if len(self.items) <= size:
            return
        more = max(1024, 2 * len(self.items)) - size
        self.clusters = np.concatenate([self.clusters, np.zeros(more, np.int32)])
        for variant in range(len(self.variants)):
            self.columns[variant] = [
                np.concatenate([column, np.full(more, np.nan, column.dtype)])
                for column in self.columns[variant]
            ]
            self.status[variant] = np.concatenate([self.status[variant], np.zeros(more, np.uint8)])
            self.block_of[variant] = np.concatenate(
                [self.block_of[variant], np.full(more, -1, np.int32)]
            )

    def _charge(self, rows: Sequence[Any], chosen: NDArray[np.int64]) -> None:
        for row, variant in zip(rows, chosen.tolist(), strict=True):
            bill, usage = self.bills[variant], row.usage
            if usage.calls:
                bill["calls"] = bill.get("calls", 0) + usage.calls
                bill["replayed_calls"] = bill.get("replayed_calls", 0) + (usage.replayed_calls or 0)
                bill["prompt_tokens"] = bill.get("prompt_tokens", 0) + (usage.prompt_tokens or 0)
                bill["completion_tokens"] = bill.get("completion_tokens", 0) + (
                    usage.completion_tokens or 0
                )
            if row.cost is not None:
                bill["cost"] = bill.get("cost", 0.0) + row.cost
            if row.paid is not None:
                bill["paid"] = bill.get("paid", 0.0) + row.paid
            self.replayed = self.replayed or row.latency_replayed

    def _clusters(self, order: slice | NDArray[np.intp]) -> NDArray[np.int32] | None:
        """The number of each item's document; an item without a document is a cluster of its own."""
        if not self.sources:
            return None
        clusters = self.clusters[order].copy()
        alone = clusters < 0
        clusters[alone] = len(self.sources) + np.arange(np.count_nonzero(alone))
        _, first, dense = np.unique(clusters, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[dense].astype(np.int32)

    def _order(self) -> tuple[tuple[str, ...], slice | NDArray[np.intp]]:
        """The items sorted by name, and the index of each in the order of reading."""
        read = self._names()
        ordered = sorted(read)
        if ordered == read:
            return tuple(ordered), slice(len(read))  # already sorted: no column has to be copied
        return tuple(ordered), np.array(sorted(range(len(read)), key=read.__getitem__))

    def results(self, path: Path, summary: Summary | None) -> Results:
        """The finished columns, with items sorted by name."""
        self._put()
        items, order = self._order()
        values = {}
        for number, (field, kind) in enumerate(zip(self.fields, self.kinds, strict=True)):
            values[field] = _stacked(
                [column[number][order] for column in self.columns], items, kind
            )
            for column in self.columns:
                column[number] = column[number][:0]  # free the memory for the next field
        status = _stacked([column[order] for column in self.status], items, np.uint8)
        return Results(
            path=path,
            summary=summary,
            scores=Scores(
                items=items,
                variants=tuple(self.variants),
                clusters=self._clusters(order),
                status=status,
                values=values,
            ),
            bills={name: _bill(self.bills[number]) for name, number in self.variants.items()},
            rows=self.rows,
            replaced=self.rows - int(np.count_nonzero(status)),
            label="" if self.placed else self.label or "",
            replayed_latency=self.replayed,
            blocks=self.blocks,
            block_of=_stacked([column[order] for column in self.block_of], items, np.int32),
        )


def _stacked(rows: list[NDArray[Any]], items: Sequence[str], kind: Any) -> NDArray[Any]:
    return np.stack(rows) if rows else np.zeros((0, len(items)), kind)


def _bill(sums: Mapping[str, float]) -> Bill:
    """The bill with amounts rounded to 12 decimals; further digits depend on the order of rows."""
    return msgspec.convert(
        {name: round(value, 12) if name in MONEY else value for name, value in sums.items()}, Bill
    )
