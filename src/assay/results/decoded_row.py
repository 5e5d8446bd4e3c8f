"""The fields of a row that are decoded for columns, and the names of items."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from operator import le
from typing import Annotated, Any, Final, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from assay.records import without_draw
from assay.results.column import MONEY, STATUSES, TIMES, USAGE, whole_numbers

_NOT_NEGATIVE: Final = Meta(ge=0)
_Status: Final = Literal[tuple(STATUSES)]
_TYPES: Final[Mapping[str, Any]] = {
    **dict.fromkeys(TIMES, int | float | None),
    **dict.fromkeys((f"usage.{name}" for name in USAGE), Annotated[float, _NOT_NEGATIVE] | None),
}
"""The fields that are no scores; a score may also be a yes or no."""


def row_type(fields: Iterable[str], texts: Iterable[str] = ()) -> Any:
    """A struct type for decoding only the fields of every row and the dotted ``fields``.

    ``texts`` are further fields that hold text; None if a row does not have them.

    >>> row = row_type(["gold_metrics.gold_coverage"])
    >>> msgspec.json.decode(b'{"key": "k", "gold_metrics": {"gold_coverage": 0.5}}', type=row)
    Row(key='k', question_id='', source=None, config='', status='', ...gold_coverage=0.5)...)
    """
    tree: dict[str, Any] = {}
    for dotted in [*fields, *(f"usage.{name}" for name in USAGE)]:
        branch = tree
        *above, last = dotted.split(".")
        for step in above:
            branch = branch.setdefault(step, {})
        branch[last] = None
    head: list[Any] = [
        # in the order of a written row, in which the decoder looks for them
        ("key", str, ""),
        ("question_id", str, ""),
        ("source", str | None, None),
        ("config", str, ""),
        ("status", _Status, ""),
        ("error", str | None, None),
        *((name, Annotated[float, _NOT_NEGATIVE] | None, None) for name in MONEY),
        ("scored_in_part", bool, False),
        ("latency_replayed", bool, False),
        ("decided_after", int, 0),
        ("stages", msgspec.Raw, msgspec.Raw()),  # few rows have to be decoded further
        *((name, str | None, None) for name in texts),
        ("schema_version", Annotated[int, _NOT_NEGATIVE], 0),
    ]
    head_names = {name for name, *_ in head}
    return _struct("Row", head, {name: sub for name, sub in tree.items() if name not in head_names})


def _struct(name: str, head: list[Any], tree: Mapping[str, Any], above: str = "") -> Any:
    fields = list(head)
    for key, sub in tree.items():
        if sub is None:
            fields.append((key, _TYPES.get(above + key, bool | int | float | None), None))
        else:
            nested = _struct(key, [], sub, f"{above}{key}.")
            # all rows without it share one object, which costs no call of a Python function
            shared = repeat(nested()).__next__
            fields.append((key, nested, msgspec.field(default_factory=shared)))
    return msgspec.defstruct(name, fields, frozen=True, gc=False)


def item_name(key: str, question_id: str, config: str, label: str | None) -> tuple[str, str]:
    """The name of the item of a row, and the placement of the row.

    The name contains the placement unless it is ``label``, or ``label`` is ``None``; it contains the
    number of a later draw.

    >>> item_name("q1::fast::topk=10", "q1", "fast", "topk=10")
    ('q1', 'topk=10')
    >>> item_name("q1::fast::topk=5", "q1", "fast", "topk=10")
    ('q1::topk=5', 'topk=5')
    >>> item_name("q1::fast::topk=10::run=2", "q1", "fast", "topk=10")
    ('q1::run=2', 'topk=10::run=2')
    """
    placement = key[len(question_id) + len(config) + 4 :]
    if label is None or placement == label:
        return question_id, placement
    if without_draw(placement) == label:
        return f"{question_id}{placement[len(label) :]}", placement
    return f"{question_id}::{placement}", placement


# The items of a run, numbered as they are read, and their documents.


def numbered(names: Sequence[Any], numbers: dict[Any, int]) -> NDArray[np.int64]:
    """The number of each name; new names get the next numbers.

    >>> numbered(["b", None, "a"], {"a": 0, None: -1})
    array([ 1, -1,  0])
    """
    if not numbers.keys() >= set(names):
        following = max(numbers.values(), default=-1) + 1
        new = (name for name in dict.fromkeys(names) if name not in numbers)
        numbers.update({name: number for number, name in enumerate(new, following)})
    return whole_numbers(map(numbers.__getitem__, names), len(names))


class Items:
    """The items of the rows so far.

    An item is a question, or a question at a placement if there are several placements. If cases
    were asked several times, an item is one draw. ``label`` is the placement of the first row.
    """

    def __init__(self) -> None:
        self.label: str | None = None
        self.has_placements = False
        self._numbers: dict[str, int] = {}
        self._plain: dict[str, str] = {}  # the variant, by the end of the keys of plain items
        # the questions of items of another placement than the first row's, or of a later draw
        self._placed: dict[str, str] = {}
        self._first_draws: dict[str, str] = {}  # the name of the first draw, by that of a later one
        self._sources: dict[str | None, int] = {None: -1}
        self._source_of = np.zeros(0, np.int32)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def documents(self) -> int:
        """The number of documents that the items are about; 0 if no row names one."""
        return len(self._sources) - 1

    def names(
        self, found: Mapping[str, Sequence[Any]], ends: Mapping[str, str] | None
    ) -> Sequence[str]:
        """The name of the item of each row, by the fields of the rows of a block.

        ``ends`` are those of the keys, if they are known (see ``JournalBlock``).
        """
        keys, questions, variants = found["key"], found["question_id"], found["config"]
        if self.label is None:
            _, placement = item_name(keys[0], questions[0], variants[0], None)
            self.label = without_draw(placement)
        label, plain = self.label, self._plain
        if ends is not None and all(end == f"::{name}::{label}" for name, end in ends.items()):
            return questions
        return [
            question
            if plain.get(key[len(question) :]) == variant
            else self._name(key, question, variant)
            for key, question, variant in zip(keys, questions, variants, strict=True)
        ]

    def _name(self, key: str, question: str, variant: str) -> str:
        name, placement = item_name(key, question, variant, self.label)
        if placement == self.label:
            self._plain[key[len(question) :]] = variant
        else:
            self._placed[name] = question
            shared = without_draw(placement)
            self.has_placements = self.has_placements or shared != self.label
            if shared != placement:
                self._first_draws[name] = name[: len(name) - len(placement) + len(shared)]
        return name

    def numbers(self, names: Sequence[str], sources: list[str | None]) -> NDArray[np.int64]:
        """The number of each item with one of ``names``; ``sources`` are their documents."""
        known = self._numbers
        # most names repeat within a batch, and a small dictionary stays in the cache
        numbers = {name: known.setdefault(name, len(known)) for name in dict.fromkeys(names)}
        items = whole_numbers(map(numbers.__getitem__, names), len(names))
        self._add_sources(sources, items)
        return items

    def _add_sources(self, sources: list[str | None], numbers: NDArray[np.int64]) -> None:
        if len(self._source_of) < len(self):
            more = max(1024, 2 * len(self)) - len(self._source_of)
            self._source_of = np.concatenate([self._source_of, np.zeros(more, np.int32)])
        self._source_of[numbers] = numbered(sources, self._sources)

    def ordered(self) -> tuple[tuple[str, ...], slice | NDArray[np.intp]]:
        """The items sorted by name, and the number of each."""
        names = list(self._numbers)
        if self.has_placements:
            names = [self._full_name(name) for name in names]
        if all(map(le, names, names[1:])):
            return tuple(names), slice(len(names))  # no column has to be copied
        order = sorted(range(len(names)), key=names.__getitem__)
        return tuple(map(names.__getitem__, order)), np.array(order)

    def _full_name(self, name: str) -> str:
        """The name with the placement also if it is that of the first row."""
        question = self._placed.get(name)
        if question is None:
            return f"{name}::{self.label}"
        if self._first_draws.get(name) == question:
            return f"{question}::{self.label}{name[len(question) :]}"
        return name

    def draws(self, order: slice | NDArray[np.intp]) -> NDArray[np.int64] | None:
        """The same number for the draws of a case; ``None`` if every case was asked once."""
        if not self._first_draws:
            return None
        numbers: dict[str, int] = {}
        return numbered([self._first_draws.get(name, name) for name in self._numbers], numbers)[
            order
        ]

    def questions(self) -> int:
        """The number of questions; one that was asked at several placements counts once."""
        if not self._placed:
            return len(self)
        return len({self._placed.get(name, name) for name in self._numbers})

    def question_numbers(self, order: slice | NDArray[np.intp]) -> NDArray[np.int64] | None:
        """The number of each item's question; ``None`` if every item is a question."""
        if not self._placed:
            return None
        numbers: dict[str, int] = {}
        questions = [self._placed.get(name, name) for name in self._numbers]
        return numbered(questions, numbers)[order]

    def clusters(self, order: slice | NDArray[np.intp]) -> NDArray[np.int32] | None:
        """The number of each item's document; an item without a document is a cluster of its own.

        ``None`` if no item has a document.
        """
        documents = self.documents
        if not documents:
            return None
        clusters = self._source_of[order].copy()
        alone = clusters < 0
        clusters[alone] = documents + np.arange(np.count_nonzero(alone))
        _, first, dense = np.unique(clusters, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[dense].astype(np.int32)
