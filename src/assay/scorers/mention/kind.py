"""A plain number that the text gives as something else: money, a share, a clause, a day, a code.

"28" is answered by "28 days", and "42000" by "42 000 руб.", because a question usually says what is
counted. If it asks for something that cannot be so, the number is another one: a share or a clause
for a number of days, an amount for a year.
"""

import re
from typing import Final

from assay.scorers.value import answer_dates, codes, references
from assay.text import CYRILLIC, LATIN, Number, Span, expected_types, has_other_symbol, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_PERCENT: Final = lazy_pattern(lambda: alternatives("open_answer.percent_asked"))
_SECTION: Final = lazy_pattern(lambda: alternatives("open_answer.section_asked"))
_NUMBER: Final = lazy_pattern(lambda: alternatives("open_answer.number_asked"))
_COUNTED: Final = lazy_pattern(lambda: alternatives("open_answer.counted_asked"))
_COUNTED_THING: Final = lazy_pattern(lambda: rf"\s?(?:{alternatives('form.any_unit')})")
_PART: Final = lazy_pattern(lambda: rf"(?:\b(?:{alternatives('reference.part')})|§|№)\s*\Z")
_MODEL_AFTER: Final = lazy_pattern(lambda: rf"\s(?:{alternatives('open_answer.model_after')})\b")
_MARKS: Final = re.compile(r"[\W_]+")
_DOTTED: Final = re.compile(r"\d+(?:\.\d+)+")
_YEAR: Final = re.compile(r"\W*[12]\d{3}\W*")
_LETTER: Final = re.compile(f"[{CYRILLIC}{LATIN}]")
_CODE_BEFORE: Final = re.compile(rf"[{CYRILLIC}{LATIN}][-\u2010\u2011]?\Z")


def is_other_kind(expected: str, text: str, mention: Span, question: str) -> bool:
    """Whether the number at ``mention`` is something else than the question asks for.

    >>> text = "28%"
    >>> is_other_kind("28", text, Span(start=0, end=3), "Сколько дней длится отпуск?")
    True
    >>> is_other_kind("28", text, Span(start=0, end=3), "Какая доля?")
    False
    """
    if _is_other_section(expected, mention.of(text), question):
        return True
    if _is_longer_code(expected, text, mention) or has_other_symbol(expected, text):
        return True
    if not _is_plain(expected):
        return False
    number = next((n for n in numbers(text) if _meet(n, mention)), None)
    return number is not None and _contradicts(expected, text, number, question)


def _is_plain(expected: str) -> bool:
    """Whether the text is one number and nothing else."""
    found = numbers(expected)
    if len(found) != 1 or found[0].unit is not None:
        return False
    return not _MARKS.sub("", expected[: found[0].start] + expected[found[0].end :])


def _meet(number: Number, mention: Span) -> bool:
    return number.start < mention.end and mention.start < number.end


def _contradicts(expected: str, text: str, number: Number, question: str) -> bool:
    asked = set(expected_types(question))
    is_count = bool(_COUNTED.search(question)) or "duration" in asked
    is_day = "date" in asked
    if number.unit == "percent":
        return (is_count or is_day) and not _PERCENT.search(question)
    if number.unit == "currency":
        return (is_count and "amount" not in asked) or is_day
    if is_day and _YEAR.fullmatch(expected):
        return _COUNTED_THING.match(text, number.end) is not None
    is_quantity = is_count or bool(asked & {"number", "amount"})
    if not is_quantity or _SECTION.search(question) or _NUMBER.search(question):
        return False
    return _is_named(text, number)


def _is_named(text: str, number: Number) -> bool:
    """Whether the number is that of a clause, a document or a day, or a part of a code."""
    if _CODE_BEFORE.search(text, max(0, number.start - 2), number.start):
        return True
    days = (Span(start=date.start, end=date.end) for date in answer_dates(text))
    spans = (*references(text), *codes(text), *days)
    return any(span.start <= number.start and number.end <= span.end for span in spans)


def _is_other_section(expected: str, said: str, question: str) -> bool:
    """Whether the number of a clause or a version is written otherwise: 3.10 is not 3.1."""
    known, told = _DOTTED.findall(expected), _DOTTED.findall(said)
    if not known or not told or known == told:
        return False
    return _SECTION.search(question) is not None or is_section(expected, expected.find(known[0]))


def is_section(text: str, start: int) -> bool:
    """Whether the number at ``start`` is that of a clause: п. 3.1, § 5.

    >>> is_section("п. 3.10", 3), is_section("на 3.10", 3)
    (True, False)
    """
    return _PART.search(text, max(0, start - 16), start) is not None


def _is_longer_code(expected: str, text: str, mention: Span) -> bool:
    """Whether a code or the name of a model goes on: GPT-4 in GPT-4o, GPT-4 Turbo."""
    is_code = _LETTER.search(expected) is not None and expected[-1:].isdigit()
    if not is_code or not text[mention.end - 1 : mention.end].isdigit():
        return False
    return any(after.match(text, mention.end) for after in (_LETTER, _MODEL_AFTER))
