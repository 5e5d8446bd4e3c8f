"""Suggestions for a name that does not exist; every message about one ends with them."""

import difflib
from collections.abc import Iterable


def nearest(name: str, valid: Iterable[str]) -> str:
    """The end of a message about an unknown name: the closest valid name, or all valid names.

    >>> nearest("concurency", ["concurrency", "retries"])
    "; did you mean 'concurrency'?"
    >>> nearest("zzz", ["concurrency", "retries", "retries"])
    '; valid names: concurrency, retries'
    """
    names = sorted(set(valid))
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; valid names: {', '.join(names)}" if names else ""
