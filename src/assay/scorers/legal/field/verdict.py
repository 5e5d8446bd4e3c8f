"""Whether an answer gives the expected value of a field, by what it says of it.

Every matcher takes the answer's text and returns a ``FieldVerdict``: whether the field holds,
what was found, and why. A value counts where the answer stands by it: one that is denied, or
offered beside another with no decision between them, does not.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

from msgspec import Struct

from assay.scorers.legal.stance import is_alternative, is_denied, reports_conflict
from assay.scorers.value import quantities
from assay.text import Number, Span, numbers, words
from assay.text.number import canonical

TOLERANCE: Final = Decimal("0.01")
"""How far a number may be off where ``numeric_exact`` is false: 1 %."""

_OTHER_MONEY: Final = re.compile(
    r"\s?(?:(?P<GBP>pounds?\b)|(?P<other>(?:swiss )?francs?\b|франк\w*|法郎|tenge\b|тенге|гривен|гривн\w+"
    r"|rupees?\b|рупи\w+|卢比|韩元|won\b|kron[ae]\w*\b|крон\w*|泰铢|台币|сом\b|лир\w*))",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(
    r"\b(?:in all|in total|total(?:s|ling|led)?|altogether|sum of)\b|\b(?:всего|итого|общ\w+ сумм\w+|в сумме)\b"
    r"|一共|总共|共计|合计|总计|总额|总价",
    re.IGNORECASE,
)
_CUT: Final = re.compile(r"(?<!\d)[,，]|[,，](?!\d)|[;；:：。！？!?]|\.(?=\s|\Z)")
_ITEM_CUT: Final = re.compile(rf"{_CUT.pattern}|\b(?:and|but|и|а|но)\b|[、和但]", re.IGNORECASE)
_MANY_BEFORE: Final = re.compile(
    r"(?P<n>\S+)\s*(?:[期次笔份个]|(?:\w+\s+){0,2}?(?:of|at|each|по|частями?|платеж\w+)\s*)各?(?:为|是|付)?"
    r"\s*[£$€¥]?\s*\Z",
    re.IGNORECASE,
)
_MANY_AFTER: Final = re.compile(
    r"\s*(?:[a-zа-яё.]+\s+){0,2}?(?P<n>twice|дважды|three times|трижды|two times|два раза|три раза|各?两[次期笔]|各?三[次期笔])",
    re.IGNORECASE,
)
_SHORT: Final = 31
"""A bare number up to this counts days or pieces rather than money."""


class FieldVerdict(Struct, frozen=True, kw_only=True):
    """Whether one expected field holds: ``found`` is what the answer says of it."""

    holds: bool
    found: tuple[str, ...] = ()
    why: str


def asserted_candidates(
    text: str, found: Sequence[Span], is_right: Sequence[bool], shown: str
) -> FieldVerdict:
    """The verdict over values at ``found``, of which some are right.

    One right value must be neither denied nor offered beside a wrong one.
    """
    said = tuple(span.of(text) for span in found)
    right = [span for span, good in zip(found, is_right, strict=True) if good]
    wrong = [span for span, good in zip(found, is_right, strict=True) if not good]
    if not right:
        return FieldVerdict(holds=False, found=said, why=f"{shown} is not in the answer")
    meant = [span for span in right if not is_denied(text, span.start, span.end)]
    if not meant:
        return FieldVerdict(holds=False, found=said, why=f"{shown} is named only to be denied")
    settled = [span for span in meant if not is_alternative(text, span, wrong)]
    if not settled or (wrong and reports_conflict(text)):
        return FieldVerdict(holds=False, found=said, why="several values, none decided on")
    return FieldVerdict(holds=True, found=said, why=f"“{settled[0].of(text)}” is {shown}")


def amount_verdict(
    text: str, expected: float, *, exact: bool = True, currency: str | None = None
) -> FieldVerdict:
    """Whether ``text`` gives the amount; a bare number fits any currency.

    >>> amount_verdict("共计四万二千元", 42000).holds, amount_verdict("$42,000", 42000, currency="CNY").holds
    (True, False)
    """
    wanted = Decimal(str(expected))
    found = amounts(text, (wanted,), exact=exact)
    good = [is_close(n, wanted, exact=exact) and fits_money(text, n, currency) for n in found]
    spans = [Span(start=n.start, end=n.end) for n in found]
    shown = f"{canonical(wanted)}" + ("" if exact else " within 1 %")
    verdict = asserted_candidates(text, spans, good, shown)
    if verdict.holds and not all(good) and _is_part(text, found, good):
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
    """Whether ``text`` gives these amounts and no others but their total, in any order.

    >>> breakdown_verdict("£1,200 once and £1,500 twice", [1500, 1500, 1200]).holds
    True
    """
    wanted = [Decimal(str(one)) for one in expected]
    sums = {sum(wanted, Decimal(0)), *([] if total is None else [Decimal(str(total))])}
    there: Counter[Decimal] = Counter()
    foreign = []
    found = amounts(text, (*wanted, *sums), exact=exact)
    for number in found:
        if is_denied(text, number.start, number.end):
            continue
        same = next((w for w in wanted if is_close(number, w, exact=exact)), None)
        if same is not None and fits_money(text, number, currency):
            there[same] += _multiple(text, number)
        elif not any(is_close(number, one, exact=exact) for one in sums):
            foreign.append(text[number.start : number.end])
    said = tuple(text[n.start : n.end] for n in found)
    missing = Counter(wanted) - there
    if missing:
        names = ", ".join(canonical(one) for one in missing.elements())
        return FieldVerdict(holds=False, found=said, why=f"missing: {names}")
    if foreign or there != Counter(wanted):
        extra = ", ".join([*foreign, *(canonical(one) for one in (there - Counter(wanted)))])
        return FieldVerdict(holds=False, found=said, why=f"beyond what is expected: {extra}")
    return FieldVerdict(holds=True, found=said, why="all parts are there and no other")


def count_verdict(text: str, expected: int, question: str, *, exact: bool = True) -> FieldVerdict:
    """Whether ``text`` gives the count; of several numbers, the one that the question asks for.

    >>> count_verdict("12 pumps and 18 fans", 12, "How many fans are there?").holds
    False
    """
    wanted = Decimal(expected)
    found = [n for n in quantities(text) if n.unit is None and not _is_money(text, n)]
    asked = set(words(question))
    shares = [_shared_words(text, n, asked) for n in found]
    best = max(shares, default=0)
    kept = [n for n, share in zip(found, shares, strict=True) if share == best or not best]
    if not any(is_close(n, wanted, exact=exact) for n in kept) and _bare(text, found):
        kept = found
    good = [is_close(n, wanted, exact=exact) for n in kept]
    return asserted_candidates(
        text, [Span(start=n.start, end=n.end) for n in kept], good, str(expected)
    )


def amounts(text: str, known: Iterable[Decimal] = (), *, exact: bool = True) -> list[Number]:
    """The numbers of ``text`` that are money, or may be: bare ones that are no small count."""
    wanted = tuple(known)
    return [
        n
        for n in quantities(text)
        if n.unit == "currency"
        or _is_money(text, n)
        or (
            n.unit is None
            and (n.value > _SHORT or any(is_close(n, one, exact=exact) for one in wanted))
        )
    ]


def is_close(number: Number, wanted: Decimal, *, exact: bool) -> bool:
    """Whether the number is the wanted one, or within 1 % of it."""
    values = [number.value] if number.alternative is None else [number.value, number.alternative]
    if wanted in values:
        return True
    return not exact and any(abs(value - wanted) <= TOLERANCE * abs(wanted) for value in values)


def fits_money(text: str, number: Number, currency: str | None) -> bool:
    """Whether the number's currency, if it names one, is the expected one."""
    other = _OTHER_MONEY.match(text, number.end)
    named = number.currency or (other and (other.lastgroup or "other"))
    return named is None or currency is None or named == currency


def money_of(value: float, texts: Iterable[str]) -> str | None:
    """The currency in which ``texts`` have this amount; ``None`` where they name none.

    >>> money_of(4200, ["£4,200 in all"])
    'GBP'
    """
    wanted = Decimal(str(value))
    named = (n.currency for text in texts for n in numbers(text) if n.value == wanted)
    return next((one for one in named if one is not None), None)


def _is_money(text: str, number: Number) -> bool:
    return number.currency is not None or _OTHER_MONEY.match(text, number.end) is not None


def _clause(text: str, number: Number, cut: re.Pattern[str] = _CUT) -> str:
    start = max((m.end() for m in cut.finditer(text, 0, number.start)), default=0)
    stop = cut.search(text, number.end)
    return text[start : stop.start() if stop else len(text)]


def _is_part(text: str, found: Sequence[Number], good: Sequence[bool]) -> bool:
    """Whether the total of the answer is another amount than the right one."""
    totals = [bool(_TOTAL.search(_clause(text, number))) for number in found]
    right = [is_total for is_total, is_good in zip(totals, good, strict=True) if is_good]
    return any(totals) and not any(right) and len(set(totals)) > 1


_VALUES: Final[dict[str, int]] = {
    "twice": 2,
    "дважды": 2,
    "трижды": 3,
    "оба": 2,
    "обе": 2,
    "both": 2,
}


def _multiple(text: str, number: Number) -> int:
    """For how many parts an amount stands: two parts of £1,000, 头两期各1.5万元."""
    start = number.start
    if number.unit_span is not None and number.unit_span.end <= start:
        start = number.unit_span.start
    end = number.end if number.unit_span is None else max(number.end, number.unit_span.end)
    before = text[max(0, start - 30) : start]
    cut = max((m.end() for m in _CUT.finditer(before)), default=0)
    priced = [n.end for n in numbers(before) if n.unit == "currency"]
    before = before[max([cut, *priced]) :]
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
        known = _VALUES.get(after["n"].lower())
        if known:
            return known
        counts = quantities(after["n"])
        return int(counts[0].value) if counts else 1
    return 1


def _shared_words(text: str, number: Number, asked: set[str]) -> int:
    return len(asked & set(words(_clause(text, number, _ITEM_CUT))) - {canonical(number.value)})


def _bare(text: str, found: Sequence[Number]) -> bool:
    """Whether the answer is hardly more than its number, so that no noun tells what it counts."""
    return len(found) == 1 or len(words(text)) <= len(found) + 2
