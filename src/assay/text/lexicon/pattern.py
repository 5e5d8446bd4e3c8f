"""Regular expressions that are written and compiled only when they are first used."""

import re
from collections.abc import Callable
from typing import Any, Final, cast

_METHODS: Final = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split", "pattern")


class Pattern:
    """A regular expression that is compiled when it is first used; then it costs nothing more.

    It has the methods of ``re.Pattern``. The package has many long expressions whose words come
    from the lexicon, and most commands need none of them.

    Args:
        source: the expression, or a function that returns it when it is first needed.
        flags: flags of the ``re`` module.
    """

    def __init__(
        self, source: str | Callable[[], str], flags: re.RegexFlag = re.IGNORECASE
    ) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the expression. Called only for attributes that are not set yet."""
        if name not in _METHODS:
            raise AttributeError(name)
        source = self._source if isinstance(self._source, str) else self._source()
        compiled = re.compile(source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_pattern(
    source: str | Callable[[], str], flags: re.RegexFlag = re.IGNORECASE
) -> re.Pattern[str]:
    """A ``Pattern`` that type checkers take for a compiled expression.

    >>> lazy_pattern(lambda: "не|ни").search("Не указано").group()
    'Не'
    """
    return cast("re.Pattern[str]", Pattern(source, flags))
