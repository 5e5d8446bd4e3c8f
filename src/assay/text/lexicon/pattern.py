"""Regular expressions that are written and compiled only when they are first used."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, Final, cast

from assay.text.lexicon.read import LETTERS, expressions

_BOUNDARY: Final = r"\b"
# An escaped character, a set of characters, or a mark of the syntax.
_SYNTAX: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)
_GROUP: Final = "(?:"
_QUANTIFIERS: Final = frozenset("?*+{")
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


def any_of(*expressions: str) -> re.Pattern[str]:
    """A pattern that matches wherever any of the expressions matches, ignoring case.

    >>> any_of("no", "не").search("I know not").group()
    'no'
    """
    return lazy_pattern(alternation(*expressions))


def alternation(*expressions: str) -> str:
    """One expression that matches whatever any of ``expressions`` matches.

    >>> alternation("no", "not|never")
    '(?:no)|(?:not|never)'
    """
    return "|".join(f"(?:{expression})" for expression in expressions)


def factored(expressions: Iterable[str]) -> str:
    r"""The same as ``alternation``, but a boundary that neighbours begin with is tested only once.

    Branches that may match at the same place stay in their order, so the matches are the same. A
    search tries all of them at every character, and most of them begin at the start of a word.

    >>> factored([r"\bno|\bnot(?:a|b)", r"\bnever", "n't"])
    "\\b(?:n(?:o|ot(?:a|b)|ever))|n't"
    """
    branches = (branch for expression in expressions for branch in _branches(expression))
    groups = groupby(branches, key=lambda branch: branch.startswith(_BOUNDARY))
    return "|".join(
        rf"{_BOUNDARY}(?:{_by_letter(branch.removeprefix(_BOUNDARY) for branch in group)})"
        if is_bounded
        else _by_letter(group)
        for is_bounded, group in groups
    )


def _by_letter(branches: Iterable[str]) -> str:
    """One expression for ``branches``; neighbours that begin with letters share their first one.

    Only one letter can match at a place, so the order of branches with different ones is free.

    >>> _by_letter(["no", "a?n", "or", "not", "of"])
    'no|a?n|o(?:r|f)|not'
    """
    parts: list[str] = []
    rewritten = map(_with_groups_by_letter, branches)
    for is_plain, group in groupby(rewritten, key=_begins_with_letter):
        if not is_plain:
            parts += group
            continue
        rests: dict[str, list[str]] = {}
        for branch in group:
            rests.setdefault(branch[0], []).append(branch[1:])
        parts += (
            f"{letter}(?:{'|'.join(ends)})" if len(ends) > 1 else letter + ends[0]
            for letter, ends in rests.items()
        )
    return "|".join(parts)


def _with_groups_by_letter(branch: str) -> str:
    """The same expression with the alternatives of its plain groups as ``_by_letter`` joins them.

    >>> _with_groups_by_letter("(?:cat|dog|cow)s(?=cat|cow)")
    '(?:c(?:at|ow)|dog)s(?=cat|cow)'
    """
    pieces: list[str] = []
    depth = start = end = 0
    for match in _SYNTAX.finditer(branch):
        mark = match.group()
        if mark == "(":
            start = match.start() if depth == 0 else start
            depth += 1
        elif mark == ")":
            depth -= 1
            if depth == 0 and branch.startswith(_GROUP, start):
                inner = _branches(branch[start + len(_GROUP) : match.start()])
                pieces += (branch[end:start], _GROUP, _by_letter(inner), ")")
                end = match.end()
    return "".join((*pieces, branch[end:]))


def _begins_with_letter(branch: str) -> bool:
    """Whether a branch begins with a letter that must be there."""
    return branch[:1].isalpha() and branch[1:2] not in _QUANTIFIERS


def _branches(expression: str) -> Iterator[str]:
    """The alternatives of an expression that are not inside of a group."""
    depth = start = 0
    for match in _SYNTAX.finditer(expression):
        mark = match.group()
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
        elif mark == "|" and not depth:
            yield expression[start : match.start()]
            start = match.end()
    yield expression[start:]


class ScriptPattern:
    """The expressions of a key of the lexicon, each used only for text in its own letters.

    An English text is searched with the English expressions alone. Text must be in lower case:
    ignoring case would make the search several times slower. The methods are those of
    ``re.Pattern``.

    Args:
        key: the key, which every language may have.
        others: expressions that are searched for in any text.
        prefix: put before all of them.
    """

    def __init__(self, key: str, *others: str, prefix: str = "") -> None:
        self._key = key
        self._others = others
        self._prefix = prefix
        self._compiled: dict[tuple[str, ...], re.Pattern[str]] = {}

    def _for(self, text: str) -> re.Pattern[str]:
        languages = _ENGLISH if text.isascii() else languages_of(text)
        pattern = self._compiled.get(languages)
        if pattern is None:
            pattern = self._compiled[languages] = self._compile(languages)
        return pattern

    def _compile(self, languages: tuple[str, ...]) -> re.Pattern[str]:
        found = expressions(self._key, *languages, required=False) if languages else ()
        sources = (*self._others, *found)
        # (?!) matches nowhere.
        source = self._prefix + f"(?:{factored(sources)})" if sources else "(?!)"
        return re.compile(source)

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        """The first match, between ``bounds`` if they are given."""
        return self._for(text).search(text, *bounds)

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        """The match at the beginning of ``text`` or of ``bounds``."""
        return self._for(text).match(text, *bounds)

    def finditer(self, text: str, *bounds: int) -> Iterator[re.Match[str]]:
        """All matches."""
        return self._for(text).finditer(text, *bounds)

    def sub(self, replacement: str, text: str) -> str:
        """``text`` with every match replaced."""
        return self._for(text).sub(replacement, text)

    def split(self, text: str) -> list[str | Any]:
        """The parts of ``text`` between the matches."""
        return self._for(text).split(text)


_ENGLISH: Final = ("en",)


@cache
def _letters() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((language, re.compile(f"[{letters}]")) for language, letters in LETTERS.items())


@lru_cache(maxsize=1024)
def languages_of(text: str) -> tuple[str, ...]:
    """The languages whose letters ``text`` contains.

    >>> languages_of("Статья 5 of the Code"), languages_of("42")
    (('en', 'ru'), ())
    """
    return tuple(language for language, letter in _letters() if letter.search(text))
