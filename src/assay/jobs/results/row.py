"""The fields of a row that are decoded for columns, and the names of items."""

from collections.abc import Iterable, Mapping
from itertools import repeat
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from assay.jobs.results.bill import MONEY, USAGE
from assay.jobs.results.column import STATUSES, TIME

_NOT_NEGATIVE: Final = Meta(ge=0)
_Status: Final = Literal[tuple(STATUSES)]
_TYPES: Final[Mapping[str, Any]] = {
    TIME: int | float | None,
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

    The name contains the placement unless it is ``label``, or ``label`` is ``None``.

    >>> item_name("q1::fast::topk=10", "q1", "fast", "topk=10")
    ('q1', 'topk=10')
    >>> item_name("q1::fast::topk=5", "q1", "fast", "topk=10")
    ('q1::topk=5', 'topk=5')
    """
    placement = key[len(question_id) + len(config) + 4 :]
    has_plain_name = label is None or placement == label
    return (question_id if has_plain_name else f"{question_id}::{placement}"), placement
