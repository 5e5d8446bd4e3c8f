"""Find values in a text that must not leak: one pass for digits, then a closer look around them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Final

from assay.errors import UseError
from assay.redact.finding import (
    Finder,
    Finding,
    Replaced,
    found_between_escapes,
    found_in_view,
    hidden_signs,
    unusual_spaces,
    without_overlaps,
)
from assay.redact.network import (
    find_codes,
    find_emails,
    find_labelled_accounts,
    find_labelled_cards,
    find_messengers,
    find_network_addresses,
    find_passwords,
    find_secrets,
    find_spelt_emails,
)
from assay.redact.number import (
    find_birth_dates,
    find_lettered,
    find_numbers,
    find_passports,
    find_plates,
    find_small_lettered,
    find_ssns,
)
from assay.redact.phone import find_phones, find_short_phones
from assay.redact.postal import find_chinese_addresses, find_postal_addresses
from assay.registry import optional_library
from assay.text.character import HAN

# Expressions here and in the finders begin with a character, and what must not be before it
# comes after it: Python skips to the next such character many times faster than it tries a
# lookbehind at every place.
_DIGITS: Final = re.compile(r"[0-9](?<![0-9].)(?:[ \u00a0\u202f().\-–]{0,3}[0-9]){6,}+[Xx]?")
"""At least seven digits with at most three separators between two of them. The possessive ``+`` keeps
nothing to come back to, which would take a hundred bytes for each digit of a long text."""
_LETTERED: Final = re.compile(r"[0-9A-Z](?<![0-9A-Za-z].)[0-9A-Z][0-9]{2}[0-9A-Z \-]{10,40}")
_SMALL_LETTERED: Final = re.compile(
    r"[0-9](?<=[a-z]{2}[0-9])(?<![0-9A-Za-z][a-z]{2}[0-9])[0-9][ \-]?[0-9a-z]{4}[0-9a-z \-]{6,40}"
    r"|9(?<![0-9A-Za-z].)[0-9]{7}[0-9a-z]{9,10}(?![0-9A-Za-z])"
)
"""The same in small letters: de89 3704 …, 91350100m000100y43."""
_WIDE_LETTER: Final = re.compile(r"[０-９Ａ-Ｚａ-ｚ＠]")
_WIDE_SIGN: Final = re.compile(r"[－（）＋．／＿]")
_TO_ASCII: Final = {
    code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code) not in "！，：；？"
}
"""Wide letters, digits and signs; those that end a clause stay as they are."""
_SIGNS: Final = tuple(zip("－（）＋．／＿", "-()+./_", strict=True))
_WITH_LINES: Final = re.compile(
    r"(?<![0-9A-Za-z_+.])(?:\+[0-9]|[78]_?\(|8_9|\([0-9])[0-9()\-. ]{0,12}_[0-9()_\-. ]{4,16}(?![0-9A-Za-z_])"
)
"""What begins as a telephone number and has low lines between its digits."""
_SHORTEST: Final = 10
"""Fewer digits in a row are no value, unless they are the end of a telephone number."""
_OPENING: Final = ("+", "/", "(", ")")
_DATE: Final = re.compile(
    r"[0-3]\d[.\-/][01]\d[.\-/](?:19|20)\d\d|(?:19|20)\d\d([.\-])[01]\d\1[0-3]\d"
)
_LENGTH_OF_DATE: Final = 10
_DIGIT: Final = re.compile("[0-9]")

_WHOLE: Final[tuple[Finder, ...]] = (
    find_secrets,
    find_passwords,
    find_messengers,
    find_emails,
    find_spelt_emails,
    find_birth_dates,
    find_chinese_addresses,
)
_WITH_DIGITS: Final[tuple[Finder, ...]] = (
    find_network_addresses,
    find_passports,
    find_plates,
    find_short_phones,
    find_postal_addresses,
    find_codes,
    find_labelled_cards,
    find_labelled_accounts,
    find_ssns,
)


def find_values(text: str, further: Iterable[Finder] = ()) -> list[Finding]:
    """All values in ``text``, in order and without overlaps.

    ``further`` find more kinds: names of people, and the user's own words and patterns.

    >>> [(found.kind, found.value) for found in find_values("邮箱li@example.cn，电话13812345678。")]
    [('EMAIL', 'li@example.cn'), ('PHONE', '13812345678')]
    """
    chosen = tuple(further)
    found = found_between_escapes(text, lambda plain: _find_hidden(plain, chosen))
    return [_with_escaped_line_end(each, text) for each in found] if "\\n" in text else found


def find_again(text: str, find: Finder) -> list[Finding]:
    """What ``find`` finds in the text as ``find_values`` reads it; parts may overlap."""
    return found_between_escapes(
        text,
        lambda plain: _also_in_view(
            plain, hidden_signs(plain), lambda shown: _found_narrow(shown, find)
        ),
    )


def _found_narrow(text: str, find: Finder) -> list[Finding]:
    plain = _narrow(text)
    found = list(find(plain))
    return found if plain is text else _as_written(text, found)


def _as_written(text: str, found: list[Finding]) -> list[Finding]:
    return [Finding(each.start, each.end, each.kind, text[each.start : each.end]) for each in found]


def _with_escaped_line_end(finding: Finding, text: str) -> Finding:
    r"""A private key with the ``\n`` that ends its last line inside a JSON text."""
    if finding.kind != "PRIVATE_KEY":
        return finding
    end = finding.end
    while text.startswith("\\n", end):
        end += 2
    return Finding(finding.start, end, finding.kind, text[finding.start : end])


def _find_hidden(text: str, further: Iterable[Finder]) -> list[Finding]:
    """The values in the text, and those that are found only without its invisible signs."""
    return _also_in_view(text, hidden_signs(text), lambda plain: _find_with_spaces(plain, further))


def _find_with_spaces(text: str, further: Iterable[Finder]) -> list[Finding]:
    """The values in the text, and those that are found only without its unusual spaces."""
    return _also_in_view(text, unusual_spaces(text), lambda plain: _find_in(plain, further))


def _also_in_view(
    text: str, replaced: Sequence[Replaced], find: Callable[[str], list[Finding]]
) -> list[Finding]:
    """What is found in the text, and what is found only with these parts replaced."""
    found = find(text)
    if not replaced:
        return found
    elsewhere = _without_partial(found_in_view(text, replaced, find), found)
    ends = _farthest_ends(elsewhere)
    starts = [each.start for each in elsewhere]
    uncovered = (each for each in found if ends[bisect_right(starts, each.start)] < each.end)
    return without_overlaps([*uncovered, *elsewhere])


def _without_partial(closer: list[Finding], found: list[Finding]) -> list[Finding]:
    """The findings, sorted, that have none of ``found`` in part: each is outside or inside of them."""
    found = sorted(found)
    starts, ends = [each.start for each in found], _farthest_ends(found)
    kept = []
    for each in sorted(closer):
        at = bisect_left(starts, each.end)
        while ends[at] > each.start and (
            found[at - 1].end <= each.start or _covers(each, found[at - 1])
        ):
            at -= 1
        if ends[at] <= each.start:
            kept.append(each)
    return kept


def _farthest_ends(findings: list[Finding]) -> list[int]:
    """For each number of sorted findings, where the last of so many ends; for none, before the text."""
    return [-1, *accumulate((each.end for each in findings), max)]


def _covers(finding: Finding, other: Finding) -> bool:
    return finding.start <= other.start and other.end <= finding.end


def _find_in(text: str, further: Iterable[Finder]) -> list[Finding]:
    plain = _narrow(text)
    found: list[Finding] = []
    for finder in (*_WHOLE, *further):
        found += finder(plain)
    if _DIGIT.search(plain):
        for finder in _WITH_DIGITS:
            found += finder(plain)
        last_ends: dict[str, int] = {}
        for match in _DIGITS.finditer(plain):
            start, end = match.span()
            if _is_harmless(plain, start, end, match[0]):
                continue
            found += find_numbers(plain, start, end, last_ends)
            found += find_phones(plain, start, end, last_ends)
        for match in _LETTERED.finditer(plain):
            found += find_lettered(plain, match.start(), match.end())
        for match in _SMALL_LETTERED.finditer(plain):
            start = max(0, match.start() - 2)
            found += find_small_lettered(plain, start, match.end())
    kept = without_overlaps(found)
    return kept if plain is text else _as_written(text, kept)


def _is_harmless(text: str, start: int, end: int, part: str) -> bool:
    """Whether a part is a date or too short for all kinds; that is most of them."""
    if end - start < _SHORTEST and part.isdigit():
        return text[max(0, start - 2) : start].rstrip(" ")[-1:] not in _OPENING
    return end - start == _LENGTH_OF_DATE and _DATE.fullmatch(part) is not None


def _narrow(text: str) -> str:
    """The text with wide letters, digits and signs as narrow ones, each in its place.

    So are lines inside of telephone numbers: +7(916)123_45_67.
    """
    if _WIDE_LETTER.search(text):
        text = text.translate(_TO_ASCII)
    elif _WIDE_SIGN.search(text):
        for wide, narrow in _SIGNS:
            text = text.replace(wide, narrow)
    if "_" in text:
        text = _WITH_LINES.sub(lambda match: match[0].replace("_", "-"), text)
    return text


# The user's own words and patterns.

_MEMORY: Final = 1 << 26
_EDGE: Final = re.compile(rf"[^\W{HAN}]")


def own_finder(words: Sequence[str], patterns: Sequence[str]) -> Finder:
    """Finds these words, in any case of letters, and what matches one of these patterns.

    A word is not found inside a longer word; Chinese needs no spaces around it.

    Raises:
        UseError: a pattern is not an expression of RE2, or matches the empty text.

    >>> find = own_finder(["Project Owl"], ["CASE-[0-9]{4}"])
    >>> [found.value for found in find("project owl has CASE-1234")]
    ['project owl', 'CASE-1234']
    """
    expressions = []
    if words:
        longest_first = sorted(set(filter(None, words)), key=len, reverse=True)
        expressions.append(_compiled("|".join(map(_escape, longest_first)), is_word=True))
    expressions += [_compiled(pattern, is_word=False) for pattern in patterns]

    def find(text: str) -> Iterator[Finding]:
        data = text.encode("utf-8", "replace")
        for expression, is_word in expressions:
            end = place = 0
            for match in expression.finditer(data):  # they are in order and do not overlap
                start = end + len(data[place : match.start()].decode())
                end, place = start + len(match[0].decode()), match.end()
                if end > start and not (is_word and _is_inside_word(text, start, end)):
                    yield Finding(start, end, "OWN", text[start:end])

    return find


def _escape(word: str) -> str:
    return re.sub(r"([^\w\s])", r"\\\1", re.sub(r"\s+", " ", word.strip())).replace(" ", r"\s+")


def _compiled(expression: str, *, is_word: bool) -> tuple[Any, bool]:
    # loaded where somebody has words or patterns
    re2 = optional_library("re2", "redact", "redaction")

    options = re2.Options()
    options.case_sensitive = not is_word
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        compiled = re2.compile(expression.encode(), options)
    except re2.error as error:
        detail = error.args[0] if error.args else error
        shown = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else detail
        raise UseError(f"redact: patterns: {expression!r} is not an expression: {shown}") from None
    if compiled.fullmatch(b""):
        raise UseError(f"redact: patterns: {expression!r} matches the empty text")
    return compiled, is_word


def _is_inside_word(text: str, start: int, end: int) -> bool:
    def is_joined(left: str, right: str) -> bool:
        return bool(_EDGE.match(left) and _EDGE.match(right))

    return (start > 0 and is_joined(text[start - 1], text[start])) or (
        end < len(text) and is_joined(text[end - 1], text[end])
    )
