"""Numbers in Russian and English words: сорок две тысячи, forty-two thousand."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from assay.text.number.candidate import EXACT, Reading, scaled

_RU: Final = """
0 ноль нуль ноля нуля нолю нулю нулём нулем
1 один одна одно одного одной одному одну одним одном
2 два две двух двум двумя
3 три трёх трех трём трем тремя
4 четыре четырёх четырех четырём четырем четырьмя
5 пять пяти пятью
6 шесть шести шестью
7 семь семи семью
8 восемь восьми восемью восьмью
9 девять девяти девятью
10 десять десяти десятью
11 одиннадцать одиннадцати одиннадцатью
12 двенадцать двенадцати двенадцатью
13 тринадцать тринадцати тринадцатью
14 четырнадцать четырнадцати четырнадцатью
15 пятнадцать пятнадцати пятнадцатью
16 шестнадцать шестнадцати шестнадцатью
17 семнадцать семнадцати семнадцатью
18 восемнадцать восемнадцати восемнадцатью
19 девятнадцать девятнадцати девятнадцатью
20 двадцать двадцати двадцатью
30 тридцать тридцати тридцатью
40 сорок сорока
50 пятьдесят пятидесяти пятьюдесятью
60 шестьдесят шестидесяти шестьюдесятью
70 семьдесят семидесяти семьюдесятью
80 восемьдесят восьмидесяти восемьюдесятью
90 девяносто девяноста
100 сто ста
200 двести двухсот двумстам двумястами
300 триста трёхсот трехсот трёмстам тремстам
400 четыреста четырёхсот четырехсот четырёмстам
500 пятьсот пятисот пятистам
600 шестьсот шестисот шестистам
700 семьсот семисот семистам
800 восемьсот восьмисот восьмистам
900 девятьсот девятисот девятистам
1.5 полтора полторы полутора
1000 тысяча тысячи тысяч тысяче тысячу тысячей тысячам тысячами тыс
1000000 миллион миллиона миллионов миллиону миллионом миллионам млн
1000000000 миллиард миллиарда миллиардов миллиарду миллиардом млрд
1000000000000 триллион триллиона триллионов трлн
"""
_EN: Final = """
0 zero
1 one
2 two
3 three
4 four
5 five
6 six
7 seven
8 eight
9 nine
10 ten
11 eleven
12 twelve
13 thirteen
14 fourteen
15 fifteen
16 sixteen
17 seventeen
18 eighteen
19 nineteen
20 twenty
30 thirty
40 forty
50 fifty
60 sixty
70 seventy
80 eighty
90 ninety
100 hundred
1000 thousand
1000000 million
1000000000 billion
1000000000000 trillion
"""


def _words(table: str) -> dict[str, Decimal]:
    rows = (line.split() for line in table.split("\n") if line)
    return {word: Decimal(value) for value, *forms in rows for word in forms}


_VALUES: Final = {**_words(_RU), **_words(_EN)}
_HUNDRED: Final = Decimal(100)
_WORD: Final = re.compile(r"[A-Za-z\u0400-\u04ff]+")
_BETWEEN: Final = re.compile(r"[ \t]*-?\s?\Z")
_ONES: Final = frozenset({"one", *_RU.split("\n")[2].split()[1:]})
# A single "one" is an article or a pronoun, unless a countable noun follows it.
_COUNTED: Final = re.compile(
    r"\s(?:percent|per cent|dollar|euro|yuan|rubl|rouble|pound|year|month|week|day|hour|minute"
    r"|процент|рубл|доллар|евро|юан|год|месяц|недел|день|дня|сут|час|минут|календарн|рабоч)",
    re.IGNORECASE,
)
# If this follows a number, the number is an ordinal: двадцать первого, twenty-first.
_ORDINAL: Final = re.compile(
    r"[\s-]{1,2}(?:first|second|third|fifth|eighth|ninth|[a-z]+th\b"
    r"|(?:перв|втор|трет|четв[её]рт|пят|шест|седьм|восьм|девят|десят|сот|тысячн)"
    r"(?:ый|ой|ий|ого|его|ому|ему|ым|им|ом|ем|ая|ую|ья|ью|ое|ье|ые|ых|ыми|ьи|ьей|ьих)\b)",
    re.IGNORECASE,
)
# Scale words that are numbers by themselves: the singular means one thousand, one million.
_ALONE: Final = frozenset(("тысяча", "тысячу", "миллион", "миллиард", "триллион"))


class _Word(NamedTuple):
    start: int
    end: int
    word: str
    value: Decimal


def number_words(text: str) -> Iterator[Reading]:
    """Yield the numbers that are written as words in a surface text.

    These are left out: a single *one* or *один* without a countable noun, plural scale words
    without a number (``thousands of``, ``тысячи людей``), and ordinals.
    """
    if _VALUES.keys().isdisjoint(_WORD.findall(text.lower())):
        return
    group: list[_Word] = []
    for match in _WORD.finditer(text):
        word = match.group().lower()
        value = _VALUES.get(word)
        if value is None:
            if word in {"and", "a"} and group:
                continue
            if group:
                yield from _numbers(text, group)
                group = []
            continue
        if group and not _adjacent(text, group[-1], match.start()):
            yield from _numbers(text, group)
            group = []
        group.append(_Word(match.start(), match.end(), word, value))
    if group:
        yield from _numbers(text, group)


def _adjacent(text: str, before: _Word, start: int) -> bool:
    between = text[before.end : start]
    if between.lower() == " and " and before.value >= _HUNDRED:
        return True
    if between == ". " and before.word in {"тыс", "млн", "млрд", "трлн"}:
        return True
    return _BETWEEN.match(between) is not None


def _numbers(text: str, group: list[_Word]) -> Iterator[Reading]:
    """Yield the numbers in a sequence of number words.

    A new number begins where the next word cannot continue the current one.
    """
    begin = 0
    while begin < len(group):
        end = begin
        total = section = Decimal(0)
        limit = ceiling = Decimal("Infinity")
        scale = Decimal(1)
        while end < len(group):
            value = group[end].value
            if value == _HUNDRED and group[end].word == "hundred":
                if not (end == begin or 0 < section < 10):
                    break
                section = scaled(section or Decimal(1), _HUNDRED)
                limit = _HUNDRED
            elif value >= 1000:
                if value >= ceiling:
                    break
                total = EXACT.add(total, scaled(section or Decimal(1), value))
                section, limit, ceiling = Decimal(0), Decimal("Infinity"), value
                scale = max(scale, value)
            else:
                if value >= limit or (value == 0 and end > begin):
                    break
                section = EXACT.add(section, value)
                limit = _next_limit(value)
            end += 1
        end = max(end, begin + 1)
        words = group[begin:end]
        if _is_number(text, words):
            start = _start_with_article(text, words[0])
            value = EXACT.add(total, section)
            yield Reading(start, words[-1].end, value, scale=scale)
        begin = end


def _next_limit(value: Decimal) -> Decimal:
    if value >= 100:
        return Decimal(100)
    return Decimal(10) if value >= 20 else Decimal(0)


def _start_with_article(text: str, word: _Word) -> int:
    """The start of the word, or of the article before it in "a hundred"."""
    if word.value >= _HUNDRED and text[max(0, word.start - 2) : word.start].lower() == "a ":
        return word.start - 2
    return word.start


def _is_number(text: str, words: list[_Word]) -> bool:
    """Whether the words are a number in this context, and not an ordinal or an article."""
    if _ORDINAL.match(text, words[-1].end):
        return False
    first = words[0]
    if first.value >= 1000 or first.word == "hundred":
        # In "5 тысяч" the word belongs to the digits before it.
        if re.search(r"[0-9]\s{0,2}\Z", text[max(0, first.start - 3) : first.start]):
            return False
        if len(words) == 1 and first.word not in _ALONE:
            return _start_with_article(text, first) != first.start
    if len(words) == 1 and first.word in _ONES:
        return _COUNTED.match(text, first.end) is not None
    return True
