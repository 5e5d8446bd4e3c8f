"""The embedding dimension that a question is asked with, whatever the system calls it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from assay.systems.protocol import System

DIMENSION_ALIASES: Final = ("dim", "mrl_dimension")
"""What experiment files call the embedding dimension of any system."""

_USUAL: Final = ("search_dim", "dim")
_WORDS: Final = frozenset({"dim", "dims", "dimension", "dimensions"})


def dimension_setting(names: Sequence[str]) -> str | None:
    """The setting that is the embedding dimension by its name; None if it is not clear.

    >>> dimension_setting(["fast_mode", "embedding_dim_fast_mode"])
    'embedding_dim_fast_mode'
    """
    for usual in _USUAL:
        if usual in names:
            return usual
    candidates = [name for name in names if _WORDS & set(name.lower().split("_"))]
    if len(candidates) > 1:
        candidates = [name for name in candidates if "fast" in name.lower().split("_")]
    return candidates[0] if len(candidates) == 1 else None


def dimension(system: System, settings: Mapping[str, Any]) -> Any:
    """The dimension in the settings of a variant; None if it is not there or has no effect."""
    known = system.settings or {}
    named = (name for name, setting in known.items() if "dim" in setting.aliases)
    name = next(named, None) or dimension_setting([*known, *settings])
    if name is None:
        return None
    needed = known[name].only_when if name in known else {}
    is_used = all(settings.get(other) == value for other, value in needed.items())
    initial = known[name].initial if name in known else None
    value = settings.get(name, initial)
    return value if is_used and isinstance(value, int) and not isinstance(value, bool) else None
