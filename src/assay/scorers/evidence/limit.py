"""What is said beside a value: a limit, that it is approximate, or how a period stands to an event.

"At least 5,000" is not "5,000", and "within thirty days before delivery" is not "of delivery". The
words of the lexicon (``comparator.limit_…``, ``comparator.period_…``) are read right before and right
after a value. A preposition that also limits (within, до, 内) may be left out, as a reworded sentence
often does; it agrees with a limit in the same direction.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from assay.scorers.evidence.contract_word import in_all_languages
from assay.text.lexicon import alternatives, expressions, lazy_pattern

REACH: Final = 48
"""How many characters before a value a limit may begin."""
_WEST: Final = ("en", "ru")


class Said(NamedTuple):
    """A limit (``most``, ``least``, ``about``) or a relation (``within``, ``before``, …), as written."""

    kind: str
    form: str


class Beside(NamedTuple):
    """What is said beside a value: a limit, and the relation of a period before and after it."""

    limit: Said | None = None
    before: Said | None = None
    after: Said | None = None


NOTHING: Final = Beside()


def _named(keys: dict[str, str]) -> str:
    """An alternative for each kind, named after it; a language may leave a key out."""
    return "|".join(f"(?P<{kind}>{_whole_words(key)})" for kind, key in keys.items())


def _whole_words(key: str) -> str:
    western = [
        rf"\b(?:{'|'.join(words)})\b"
        for language in _WEST
        if (words := expressions(key, language, required=False))
    ]
    return "|".join((*western, *expressions(key, "zh", required=False)))


_TO_VALUE: Final = r"[\s$€£¥₽]*"
_SIGN_BEFORE: Final = "(?<![-=<>＜＞])"
_LIMIT_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?:(?P<most>{in_all_languages('comparator.limit_most')}|{_SIGN_BEFORE}[<＜≤⩽≦]=?)"
        rf"|(?P<least>{in_all_languages('comparator.limit_least')}|{_SIGN_BEFORE}[>＞≥⩾≧]=?))"
        rf"{_TO_VALUE}(?:(?:{alternatives('evidence_token.before_number')})\s*)?{_TO_VALUE}\Z"
    ),
    re.NOFLAG,
)
_BETWEEN: Final = lazy_pattern(
    lambda: rf"\s?(?:{alternatives('comparator.unit_between')})?[\s,]*", re.NOFLAG
)
# A word; the limit keeps a long run without spaces from being read again at each of its numbers.
_COUNTED: Final = re.compile(r"[^\W\d_]{1,40},?\s+")
_LIMIT_AFTER: Final = lazy_pattern(
    lambda: _named({
        "most": "comparator.limit_after_most",
        "least": "comparator.limit_after_least",
    }),
    re.NOFLAG,
)  # fmt: skip
_RELATION_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?:{_named({'within': 'comparator.before_period_within', 'after': 'comparator.before_period_after', 'for': 'comparator.before_period_for'})})"
        rf"\s+(?:(?:{alternatives('evidence_token.before_number', 'en')})\s+)?\Z"
    ),
    re.NOFLAG,
)
_RELATION_AFTER: Final = lazy_pattern(
    lambda: _named({
        "within": "comparator.period_within",
        "before": "comparator.period_before",
        "after": "comparator.period_after",
    }),
    re.NOFLAG,
)  # fmt: skip


def read_beside(lower: str, start: int, end: int, *, is_period: bool, is_about: bool) -> Beside:
    """What ``lower``, a text in lower case, says beside the value from ``start`` to ``end``.

    >>> read_beside("pay at least 5 dollars", 13, 22, is_period=False, is_about=False).limit
    Said(kind='least', form='at least')
    """
    reach = max(0, start - REACH)
    limit = _said(_LIMIT_BEFORE.search(lower, reach, start))
    between = _BETWEEN.match(lower, end)
    follows = between.end() if between else end
    limit = limit or _said(_LIMIT_AFTER.match(lower, follows) or _after_word(lower, follows))
    if limit is None and is_about:
        limit = Said("about", "approximate")
    if not is_period:
        return Beside(limit) if limit else NOTHING
    before = _said(_RELATION_BEFORE.search(lower, reach, start))
    return Beside(limit, before, _said(_RELATION_AFTER.match(lower, follows)))


def _after_word(lower: str, start: int) -> re.Match[str] | None:
    """A limit after the word for what is counted: 900 crowns or more."""
    word = _COUNTED.match(lower, start)
    return _LIMIT_AFTER.match(lower, word.end()) if word else None


def _said(match: re.Match[str] | None) -> Said | None:
    if match is None:
        return None
    kind = next(name for name, form in match.groupdict().items() if form)
    return Said(kind, match[kind].strip())


class Value(NamedTuple):
    """A value of a text: its form, the direction of its bound, and what is said beside it."""

    form: str
    bound: str | None
    beside: Beside


def changed_limits(quoted: Sequence[Value], source: Sequence[Value]) -> Iterator[str]:
    """Lines for what is said beside a value on one side only; all are mentions of the same value.

    >>> least = Beside(Said("least", "at least"))
    >>> list(changed_limits([Value("5", "least", least)], [Value("5", None, NOTHING)]))
    ['limit added: at least (5)']
    """
    if not quoted or not source:
        return
    limits, original = (_limits(values) for values in (quoted, source))
    if not _agree(limits, original, quoted, source):
        said, value = next(
            (value.beside.limit, value) for value in (*quoted, *source) if value.beside.limit
        )
        change = "dropped" if limits == {None} else "added" if original == {None} else "changed"
        yield f"limit {change}: {said.form} ({value.form})"
    for place in ("before", "after"):
        relations, originals = (
            [said for value in values if (said := getattr(value.beside, place)) is not None]
            for values in (quoted, source)
        )
        if relations and originals and not _kinds(relations) & _kinds(originals):
            yield f"turned round: {originals[0].form} -> {relations[0].form}"


def _limits(values: Sequence[Value]) -> set[str | None]:
    return {value.beside.limit.kind if value.beside.limit else None for value in values}


def _kinds(said: Sequence[Said]) -> set[str]:
    return {one.kind for one in said}


def _agree(
    limits: set[str | None],
    original: set[str | None],
    quoted: Sequence[Value],
    source: Sequence[Value],
) -> bool:
    """Whether a limit is the same on both sides, or a preposition says it on one of them."""
    if limits & original:
        return True
    bounds, original_bounds = ({value.bound for value in values} for values in (quoted, source))
    known, known_original = limits - {None}, original - {None}
    return bool(known & original_bounds or known_original & bounds)
