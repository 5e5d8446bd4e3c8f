"""The scores of a lost answer: one that the provider's filter withheld and that counts as wrong.

An empty text would get credit from some metrics: it says nothing that is forbidden and does not
abstain. A lost answer gets none. Where a higher value is better, its value is 0; an undefined
value stays undefined, and so does what it took (time, money).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from assay.records import Metric


def without_credit(row: Mapping[str, Any], metrics: Iterable[Metric]) -> dict[str, Any]:
    """The fields of a row with the value 0 for each metric of which a higher value is better.

    >>> metric = Metric(name="answered", field="scores.answered")
    >>> without_credit({"scores": {"answered": True, "other": 1}}, [metric])
    {'scores': {'answered': False, 'other': 1}}
    """
    changed = dict(row)
    for metric in metrics:
        if metric.better == "higher" and metric.family == "quality":
            _clear(changed, metric.field.split("."))
    return changed


def _clear(fields: dict[str, Any], steps: list[str]) -> None:
    """Set the number at the end of the path to 0, in copies of the objects on the way."""
    *above, last = steps
    for step in above:
        inner = fields.get(step)
        if not isinstance(inner, Mapping):
            return
        fields[step] = fields = dict(inner)
    value = fields.get(last)
    if isinstance(value, bool):
        fields[last] = False
    elif isinstance(value, int | float):
        fields[last] = type(value)(0)
