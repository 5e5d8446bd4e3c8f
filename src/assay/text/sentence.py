"""The sentences of a text in Chinese, Russian, English or a mixture of them.

A blank line always ends a sentence. So does a line break before a list item or before the heading
of an article, chapter or section; any other line break is only a wrapped line. ``.``, ``!`` and
``?`` end a sentence if white space follows and then a character that can begin a sentence, unless
the point belongs to an abbreviation, an initial or a list number. Chinese punctuation marks such as
``。`` always end a sentence.
"""

import re
from collections.abc import Iterator
from typing import Final

from assay.text.lexicon import alternatives, lazy_pattern, word_list
from assay.text.span import Span

_CLOSERS: Final = "\"'»”’」』）)\\]】》"
_HAN: Final = "[\u4e00-\u9fff]"
_MOST_STOPS: Final = 40
"""How long a run of points or brackets is looked through from each place in it."""
# The first character is one of a set, which is found fast; the branches look back at it.
_STOP: Final = lazy_pattern(
    lambda: (
        r"[。！？；….!?\n](?:"
        rf"(?P<han>(?:(?<=[。！？；])|(?<=…)(?:…|(?=[{_CLOSERS}]*{_HAN}))"
        rf"|(?<=[!?])(?=[{_CLOSERS}]*{_HAN})|(?<={_HAN}\.)(?={_HAN}))[。！？；…]*[{_CLOSERS}]*)"
        rf"|(?P<mark>(?<=[.…!?])[.!?…]{{0,{_MOST_STOPS}}}+[{_CLOSERS}]{{0,{_MOST_STOPS}}}+)(?=\s|\Z)"
        r"|(?P<line>(?<=\n)(?:[ \t]*\r?\n|(?=[ \t]*(?:第[0-9〇零一二两三四五六七八九十百千]+[编章节条]"
        rf"|(?i:{alternatives('heading.item')})\s+[0-9IVXLC]+"
        r"|[-•·▪*–—]\s|\(?[0-9]{1,3}[.)]\s|[（(]?[一二三四五六七八九十]{1,3}[）)、]))))"
        r")"
    ),
    re.NOFLAG,
)
_NEXT: Final = re.compile(r"\s+[\"'«“„‘「『（(\[\-—–]*\s?(\S)?")
_LONGEST_TOKEN: Final = 40
_BEFORE_TOKEN: Final = re.compile(r".*[\s\"'«“„(\[「（]", re.DOTALL)
_COMPOUND: Final = lazy_pattern(lambda: rf"(?:{alternatives('sentence.compound')})\Z")

# "1.2. Общие положения", "Статья 5. Срок": the point after an item number does not end a sentence.
_ITEM: Final = lazy_pattern(
    lambda: rf"\s*(?:(?:{alternatives('heading.item_number')})\s+)?[0-9]+(?:\.[0-9]+)*"
)
_INITIAL: Final = re.compile(r"(?:[A-ZА-ЯЁ]\.-?)*[A-ZА-ЯЁ]\Z")


def sentences(text: str) -> list[Span]:
    """The spans of the sentences of ``text``, in order. Only white space is outside the spans.

    >>> [s.of("Ст. 330 ГК РФ. Mr. A. Smith paid 3.5%. 好。") for s in sentences(
    ...     "Ст. 330 ГК РФ. Mr. A. Smith paid 3.5%. 好。")]
    ['Ст. 330 ГК РФ.', 'Mr. A. Smith paid 3.5%.', '好。']
    """
    spans: list[Span] = []
    start = 0
    for end in _ends(text):
        _add(spans, text, start, end)
        start = end
    _add(spans, text, start, len(text))
    return spans


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + len(piece) - len(piece.lstrip())
        spans.append(Span(start=begin, end=begin + len(stripped)))


def _ends(text: str) -> Iterator[int]:
    start = 0
    for match in _STOP.finditer(text):
        if match.lastgroup == "mark" and not _ends_sentence(text, start, match):
            continue
        start = match.end()
        yield start


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    following = _NEXT.match(text, match.end())
    if following is None or following[1] is None:
        return True
    first = following[1]
    if first.islower():
        return False
    if match.group()[0] != "." or match.group()[:2] == "..":
        return True
    token = _last_token(text, max(start, match.start() - _LONGEST_TOKEN), match.start())
    lowered = "".join(token.lower().split(" "))
    if lowered in word_list("sentence.final_abbreviations"):
        begin = match.start() - len(token)
        is_counted = text[max(0, begin - 2) : begin].strip()[-1:].isalnum()
        is_partial = lowered in word_list("sentence.after_number") and not is_counted
        return not first.isdigit() and not is_partial
    if lowered in word_list("sentence.open_abbreviations") or _INITIAL.fullmatch(token):
        return False
    return _ITEM.fullmatch(text, start, match.start()) is None


def _last_token(text: str, start: int, end: int) -> str:
    """What ``text`` from ``start`` to ``end`` ends with: a word or an abbreviation of two words."""
    before = _BEFORE_TOKEN.match(text, start, end)
    begin = before.end() if before else start
    if begin - 2 >= start and text[begin - 2] == ".":
        compound = _COMPOUND.search(text, start, end)
        begin = compound.start() if compound else begin
    return text[begin:end]
