"""Whether an answer gives the expected amount, breakdown or count.

Every function takes the text of the answer and returns a ``FieldVerdict``: whether the field is
correct, which values the answer names, and why. A value counts only if the answer asserts it: a
denied value does not count, nor does one of several alternatives between which the answer does
not decide.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

from assay.scorers.legal.clause import is_about
from assay.scorers.legal.form import is_interval
from assay.scorers.legal.rate import has_other_period
from assay.scorers.legal.stance import is_denied
from assay.scorers.legal.verdict import FieldVerdict, asserted_candidates
from assay.scorers.mention import is_beyond
from assay.scorers.value import quantities
from assay.text import Number, Span, numbers, said_text, with_plain_e, words
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number import canonical

TOLERANCE: Final = Decimal("0.01")
"""The largest relative error of a number if ``numeric_exact`` is false: 1 %."""

_OTHER_MONEY: Final = lazy_pattern(
    lambda: rf"\s?(?:(?P<GBP>pounds?\b)|(?P<other>{alternatives('amount.other_money')}))"
)
_PERCENT_ASKED: Final = lazy_pattern(lambda: alternatives("amount.percent_asked"))
_TOTAL: Final = lazy_pattern(lambda: alternatives("amount.total"))
_CUT: Final = re.compile(r"(?<!\d)[,，]|[,，](?!\d)|[;；:：。！？!?]|\.(?=\s|\Z)")
_ITEM_CUT: Final = lazy_pattern(lambda: alternatives("amount.item_cut"))
_MANY_BEFORE: Final = lazy_pattern(
    lambda: (
        r"(?P<n>\S+)\s*(?:[期次笔份个]|(?:\w+\s+){0,2}?"
        rf"(?:{alternatives('amount.each')})\s*)各?[为是付]?\s*[£$€¥]?\s*\Z"
    )
)
_MANY_AFTER: Final = lazy_pattern(
    lambda: (
        rf"\s*(?:[a-zа-яё.]+\s+){{0,2}}?"
        rf"(?P<n>{alternatives('amount.twice')}|{alternatives('amount.several_times')})"
    )
)
_SHORT: Final = 31
"""A number without a unit up to this value is taken for a count of days or pieces, not money."""


def amount_verdict(
    text: str,
    expected: float,
    *,
    exact: bool = True,
    currency: str | None = None,
    question: str | None = None,
) -> FieldVerdict:
    """Whether ``text`` gives the amount; a number without a currency fits any currency.

    If there are two numbers, the right one must be in the clause that ``question`` is about.

    >>> amount_verdict("共计四万二千元", 42000).holds, amount_verdict("$42,000", 42000, currency="CNY").holds
    (True, False)
    """
    text = with_plain_e(said_text(text))
    question = None if question is None else with_plain_e(question)
    expected_value = Decimal(str(expected))
    candidates = amounts(text, (expected_value,), exact=exact)
    if question is not None and _PERCENT_ASKED.search(question):
        candidates = [n for n in quantities(text) if n.unit == "percent"] or candidates
    is_right = [
        is_close(number, expected_value, exact=exact)
        and fits_money(text, number, currency)
        and not has_other_period(text, _whole(number), question or "")
        for number in candidates
    ]
    spans = [Span(start=number.start, end=number.end) for number in candidates]
    shown = f"{canonical(expected_value)}" + ("" if exact else " within 1 %")
    is_limit = [is_beyond(text, span, question or "") for span in spans]
    if any(is_right) and all(is_limit[i] for i, right in enumerate(is_right) if right):
        return FieldVerdict(holds=False, why=f"{shown} is named only as a limit")
    others = [
        number
        for number in quantities(text)
        if not is_close(number, expected_value, exact=exact)
        and (number.value > _SHORT or not any(n.unit for n in candidates))
    ]
    if question is not None and sum(is_right) == 1 and len(others) == 1 and not _TOTAL.search(text):
        rival = [Span(start=others[0].start, end=others[0].end)]
        if not is_about(text, spans[is_right.index(True)], question, rival):
            return FieldVerdict(holds=False, why=f"{shown} is said about something else")
    verdict = asserted_candidates(text, spans, is_right, shown)
    if verdict.holds and not all(is_right) and _is_total_wrong(text, candidates, is_right):
        why = f"{shown} is named, but another amount as the total"
        return FieldVerdict(holds=False, found=verdict.found, why=why)
    return verdict


def breakdown_verdict(
    text: str,
    expected: Sequence[float],
    *,
    total: float | None = None,
    exact: bool = True,
    currency: str | None = None,
) -> FieldVerdict:
    """Whether ``text`` gives exactly these amounts, in any order; it may also give their total.

    >>> breakdown_verdict("£1,200 once and £1,500 twice", [1500, 1500, 1200]).holds
    True
    """
    text = with_plain_e(said_text(text))
    parts = [Decimal(str(value)) for value in expected]
    totals = {sum(parts, Decimal(0)), *([] if total is None else [Decimal(str(total))])}
    counts: Counter[Decimal] = Counter()
    unexpected = []
    candidates = amounts(text, (*parts, *totals), exact=exact)
    for number in candidates:
        if is_denied(text, number.start, number.end):
            continue
        part = next((value for value in parts if is_close(number, value, exact=exact)), None)
        if part is not None and fits_money(text, number, currency):
            counts[part] += _multiple(text, number)
        elif not any(is_close(number, value, exact=exact) for value in totals):
            unexpected.append(text[number.start : number.end])
    found = tuple(text[number.start : number.end] for number in candidates)
    missing = Counter(parts) - counts
    if missing:
        names = ", ".join(canonical(value) for value in missing.elements())
        return FieldVerdict(holds=False, found=found, why=f"missing: {names}")
    if unexpected or counts != Counter(parts):
        surplus = counts - Counter(parts)
        extra = ", ".join([*unexpected, *(canonical(value) for value in surplus)])
        return FieldVerdict(holds=False, found=found, why=f"beyond what is expected: {extra}")
    return FieldVerdict(holds=True, found=found, why="all parts are there and no other")


def count_verdict(text: str, expected: int, question: str, *, exact: bool = True) -> FieldVerdict:
    """Whether ``text`` gives the count.

    If the text has several numbers, those count whose clause shares most words with the
    question.

    >>> count_verdict("12 pumps and 18 fans", 12, "How many fans are there?").holds
    False
    """
    text, question = with_plain_e(said_text(text)), with_plain_e(question)
    expected_value = Decimal(expected)
    counts = [
        n
        for n in quantities(text)
        if n.unit is None
        and not _is_money(text, n)
        and not text.startswith("第", n.start - 1)
        and not is_interval(text, Span(start=n.start, end=n.end), question)
    ]
    question_words = set(words(question))
    shared = [_shared_word_count(text, number, question_words) for number in counts]
    most = max(shared, default=0)
    candidates = [n for n, size in zip(counts, shared, strict=True) if size == most or not most]
    is_right = [is_close(number, expected_value, exact=exact) for number in candidates]
    if not any(is_right) and _is_almost_only_numbers(text, counts):
        candidates = counts
        is_right = [is_close(number, expected_value, exact=exact) for number in candidates]
    spans = [Span(start=number.start, end=number.end) for number in candidates]
    return asserted_candidates(text, spans, is_right, str(expected))


def amounts(text: str, known: Iterable[Decimal] = (), *, exact: bool = True) -> list[Number]:
    """The numbers of ``text`` that are, or may be, amounts of money.

    A number without a unit may be one if it is larger than 31 or close to a ``known`` value.
    """
    known_values = tuple(known)
    return [
        number
        for number in quantities(text)
        if number.unit == "currency"
        or _is_money(text, number)
        or (
            number.unit is None
            and (
                number.value > _SHORT
                or any(is_close(number, value, exact=exact) for value in known_values)
            )
        )
    ]


def is_close(number: Number, expected: Decimal, *, exact: bool) -> bool:
    """Whether the number equals the expected value or, unless ``exact``, is within 1 % of it."""
    values = [number.value] if number.alternative is None else [number.value, number.alternative]
    if expected in values:
        return True
    return not exact and any(abs(value - expected) <= TOLERANCE * abs(expected) for value in values)


def fits_money(text: str, number: Number, currency: str | None) -> bool:
    """Whether the number names the expected currency or none, or no currency is expected."""
    other = _OTHER_MONEY.match(text, number.end)
    named = number.currency or (other and (other.lastgroup or "other"))
    return named is None or currency is None or named == currency


def money_of(value: float, texts: Iterable[str]) -> str | None:
    """The currency of this amount in ``texts``, or ``None`` if they name none.

    >>> money_of(4200, ["£4,200 in all"])
    'GBP'
    """
    amount = Decimal(str(value))
    currencies = (n.currency for text in texts for n in numbers(text) if n.value == amount)
    return next((currency for currency in currencies if currency is not None), None)


def _whole(number: Number) -> Span:
    """The number with its currency."""
    unit = number.unit_span or Span(start=number.start, end=number.end)
    return Span(start=min(number.start, unit.start), end=max(number.end, unit.end))


def _is_money(text: str, number: Number) -> bool:
    return number.currency is not None or _OTHER_MONEY.match(text, number.end) is not None


def _clause(text: str, number: Number, cut: re.Pattern[str] = _CUT) -> str:
    start = max((m.end() for m in cut.finditer(text, 0, number.start)), default=0)
    stop = cut.search(text, number.end)
    return text[start : stop.start() if stop else len(text)]


def _is_total_wrong(text: str, candidates: Sequence[Number], is_right: Sequence[bool]) -> bool:
    """Whether the answer calls another amount than the right one its total."""
    is_total = [bool(_TOTAL.search(_clause(text, number))) for number in candidates]
    right = [total for total, flag in zip(is_total, is_right, strict=True) if flag]
    return any(is_total) and not any(right) and len(set(is_total)) > 1


def _multiple(text: str, number: Number) -> int:
    """How many equal parts an amount describes: "two parts of £1,000", 头两期各1.5万元."""
    start = number.start
    if number.unit_span is not None and number.unit_span.end <= start:
        start = number.unit_span.start
    end = number.end if number.unit_span is None else max(number.end, number.unit_span.end)
    before = text[max(0, start - 30) : start]
    clause_start = max((m.end() for m in _CUT.finditer(before)), default=0)
    price_ends = [n.end for n in numbers(before) if n.unit == "currency"]
    before = before[max([clause_start, *price_ends]) :]
    if _MANY_BEFORE.search(before):
        counts = [
            n
            for n in quantities(before)
            if n.unit is None and 1 < n.value < 20 and before[n.start - 1 : n.start] != "第"
        ]
        if counts:
            return int(counts[-1].value)
    after = _MANY_AFTER.match(text, end)
    if after:
        if re.fullmatch(alternatives("amount.twice"), after["n"], re.IGNORECASE):
            return 2
        if re.fullmatch(alternatives("amount.thrice"), after["n"], re.IGNORECASE):
            return 3
        counts = quantities(after["n"])
        return int(counts[0].value) if counts else 1
    return 1


def _shared_word_count(text: str, number: Number, question_words: set[str]) -> int:
    clause_words = set(words(_clause(text, number, _ITEM_CUT)))
    return len(question_words & clause_words - {canonical(number.value)})


def _is_almost_only_numbers(text: str, counts: Sequence[Number]) -> bool:
    """Whether the answer has one number, or hardly any words that say what its numbers count."""
    return len(counts) == 1 or len(words(text)) <= len(counts) + 2
