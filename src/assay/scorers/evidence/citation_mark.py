"""What people add to a quotation, or spell otherwise, without changing it.

A quotation often begins with the number of its clause (``2.1``, ``①``), and ends with its page
(``(p. 4)``) or the mark of a footnote. An ordinal is written in digits or in words: 5th, fifth.
"""

import re
from functools import cache
from typing import Final

from assay.text import HAN, numbers
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_FOOTNOTE: Final = re.compile(r"\s?[\[【［(^]{1,2}[0-9]{1,2}[\])】］](?=\W*\Z)")
# After a word or a mark; m² is a unit.
_RAISED: Final = re.compile(
    r"(?:(?<=[^\W\d_]{3})|(?<=[.!?…»”\"’)\]。！？]))[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}(?=[^\w²³]*\Z)"
)
_PAGE: Final = lazy_pattern(
    lambda: (
        rf"\s*[(\[（](?:{alternatives('evidence_token.page')})\s?[0-9]{{1,4}}(?:\s?[-–]\s?[0-9]{{1,4}})?"
        r"\s?页?[)\]）](?=\W*\Z)"
    )
)
_CLAUSE: Final = re.compile(
    r"(?P<open>[\s«\"“„'(\[]*)(?P<number>[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\.?|[0-9]{1,2}[.)、])\s*"
    rf"(?=[A-ZА-ЯЁ«\"“{HAN}])|(?P<circle>[①-⑳])\s*"
)
_LABEL_IN_SOURCE: Final = re.compile(
    r"(?:\A|[\n.;。；:：])\s*(?:[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\.?\s|[0-9]{1,2}[.)、]\s|[①-⑳])"
)
_DIGITS: Final = {
    "en": re.compile(r"\b([0-9]{1,2})(?:st|nd|rd|th)\b"),
    "ru": re.compile(r"\b([0-9]{1,2})-(?:[а-яё]{1,3})\b"),
    "zh": re.compile("(?<=第)([0-9]{1,2})(?![0-9.])"),
}
_HAN_DIGITS: Final = "一二三四五六七八九"


def without_marks(quotation: str, source: str) -> str:
    """The quotation without clause number, page and footnote, if the source has none there.

    >>> without_marks("2.1 Rent is due on Monday (p. 4)", "Rent is due on Monday.")
    'Rent is due on Monday'
    """
    for pattern in (_PAGE, _FOOTNOTE, _RAISED):
        mark = pattern.search(quotation)
        if mark is not None and mark.group().strip() not in source:
            quotation = quotation[: mark.start()] + quotation[mark.end() :]
    label = _CLAUSE.match(quotation)
    if label is None or _LABEL_IN_SOURCE.search(source) or _is_value(quotation, label):
        return quotation
    return (label["open"] or "") + quotation[label.end() :]


def _is_value(quotation: str, label: re.Match[str]) -> bool:
    """Whether a number goes on after what looks like the number of a clause: 2.1 万元."""
    return any(
        number.end > label.end() or number.unit is not None
        for number in numbers(quotation)
        if number.start < label.end()
    )


def with_ordinals_of(text: str, other: str) -> str:
    """The text with those ordinals in words that are in words in ``other``.

    >>> with_ordinals_of("by the 5th day", "on the fifth day"), with_ordinals_of("5th", "sixth")
    ('by the fifth day', '5th')
    """
    for language, pattern in _DIGITS.items():
        if pattern.search(text):
            text = pattern.sub(lambda match, lang=language: _word(match, other, lang), text)  # type: ignore[misc]
    return text


def _word(match: re.Match[str], other: str, language: str) -> str:
    """The ordinal of ``other`` that has the value of these digits, or the digits."""
    if match.group() in other:
        return match.group()
    forms = _forms(language)
    found = (
        re.search(forms[int(match[1])], other, re.IGNORECASE) if int(match[1]) in forms else None
    )
    return found.group() if found else match.group()


@cache
def _forms(language: str) -> dict[int, str]:
    """Expressions for the ordinals from 1 on."""
    if language == "zh":
        ones = dict(enumerate(_HAN_DIGITS, 1))
        teens = {10 + value: f"十{digit}" for value, digit in ones.items()}
        forms = {**ones, 10: "十", **teens, 20: "二十"}
        return {
            value: rf"(?<=第){form}(?![一二三四五六七八九十百千])" for value, form in forms.items()
        }
    end = "" if language == "en" else "[а-яё]{2,4}"
    words = enumerate(word_list("date.ordinals", language), 1)
    return {value: rf"(?<![\w-])(?<!ty )(?<!ать ){word}{end}\b" for value, word in words}
