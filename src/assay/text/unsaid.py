r"""What an answer contains without saying it: text that is struck out or not shown.

Struck out is what stands between ``~~`` marks of Markdown or in ``<del>``, ``<s>`` and ``<strike>``.
Not shown are comments of HTML, elements with the attribute ``hidden`` or a style that hides them,
and invisible characters inside of words. Marks in code (between backticks) are words of the answer,
and a mark without its end hides nothing, except a comment, which goes on to the end.

The same signs have other uses. ``<s>`` and ``</s>`` around a whole answer are tokens with which some
models begin and end a text; only the tokens are not said. ``~~`` draws out a Chinese greeting and the
end of a sentence after it (好的~~答案是北京~~), which strikes nothing out.
"""

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from assay.text.character import HAN, IGNORABLE
from assay.text.lexicon import alternatives, lazy_pattern

_ANY: Final = re.compile(f"~~|<|[{IGNORABLE}]")
"""Without one of these, an answer says all that it contains."""
_MARK: Final = re.compile(
    r"(?P<code>`+)|(?P<strike>(?<!~)~~(?!~))|(?P<comment><!--)"
    r"|<(?P<end>/?)(?P<tag>[a-z][a-z0-9]{0,15})(?P<attributes>(?:[\s/](?:\"[^\"<>]*\"|'[^'<>]*'|[^<>\"'])*)?)>"
    rf"|(?P<invisible>(?:\u00ad[ \t]*\r?\n[ \t]*|[{IGNORABLE}])+)",
    re.IGNORECASE,
)
_STRIKE: Final = re.compile(r"(?<=[^\s~])~~(?!~)")
_FIRST_TOKEN: Final = re.compile(r"\s*(?P<token><s>)")
_LAST_TOKEN: Final = re.compile(r"(?P<token></s>)\s*\Z")
_DRAWN_OUT: Final = lazy_pattern(lambda: rf"(?:{alternatives('chat.drawn_out')})\Z")
_SENTENCE_END: Final = re.compile(r"\s*(?:[。！？!?…]|\Z)")
_GREETING: Final = 8
"""How many characters before ``~~`` are searched for what is drawn out."""
_PARAGRAPH: Final = re.compile(r"\n[ \t]*(?=\n)|\Z")
_STRUCK: Final = frozenset(("del", "s", "strike"))
_NEVER_SHOWN: Final = frozenset(("script", "style", "template"))
_VOID: Final = frozenset(
    ("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_QUOTED: Final = re.compile("\"[^\"]*\"|'[^']*'")
_HIDDEN_ATTRIBUTE: Final = re.compile(r"[\s/]hidden(?![\w-])", re.IGNORECASE)
_HIDING_STYLE: Final = re.compile(
    r"[\s/]style\s*=\s*(?:\"[^\"]*?|'[^']*?|)\b(?:display\s*:\s*none|visibility\s*:\s*hidden)\b",
    re.IGNORECASE,
)
_SPACES: Final = re.compile(r"[ \t]*")
_STOP: Final = re.compile(r"[.,;:!?)\]。，；：！？）]|\s|\Z")
_WORD: Final = re.compile(rf"[^\W_{HAN}]")


class Unsaid(NamedTuple):
    """A stretch of an answer; ``is_struck`` if it is shown struck out, so that it parts words."""

    start: int
    end: int
    is_struck: bool


def unsaid(text: str) -> list[Unsaid]:
    """The stretches of ``text`` that are not said, in order; they do not overlap.

    >>> unsaid("~~500~~ 600<!-- or 700 -->")
    [Unsaid(start=0, end=7, is_struck=True), Unsaid(start=11, end=26, is_struck=False)]
    """
    if not _ANY.search(text):
        return []
    found = [each for each in _stretches(text) if not _is_drawn_out(text, each)]
    ordered = sorted(_without_tokens(text, found), key=lambda each: (each.start, -each.end))
    reached = [0, *accumulate((each.end for each in ordered), max)]
    return [each for each, end in zip(ordered, reached, strict=False) if each.end > end]


def said_stretches(text: str) -> list[tuple[int, int, bool]]:
    """The stretches of ``text`` that are left, each with whether a space stands for it.

    A space takes the place of the first character of a stretch that is struck out between two words.
    """
    left: list[tuple[int, int, bool]] = []
    place, last = 0, " "  # where the text goes on, and the last character that is left
    for start, stretch_end, is_struck in unsaid(text):
        begin, end = start, stretch_end
        last = text[begin - 1] if begin > place else last
        if last.isspace() and text[start] in "~<":
            end = _spaces_end(text, end)
            while begin > place and text[begin - 1] in " \t" and _STOP.match(text, end):
                begin -= 1
        if begin > place:
            left.append((place, begin, False))
        if is_struck and _WORD.match(last) and _WORD.match(text, end):
            left.append((start, start + 1, True))
            last = " "
        place = end
    if place < len(text):
        left.append((place, len(text), False))
    return left


def _spaces_end(text: str, position: int) -> int:
    spaces = _SPACES.match(text, position)
    return spaces.end() if spaces else position


def _stretches(text: str) -> Iterator[Unsaid]:
    """All stretches that are not said; those of elements may contain others."""
    open_tags: dict[str, list[tuple[int, bool, bool]]] = {}
    unclosed: set[str] = set()  # runs of backticks that do not occur any more
    place = paragraph = 0  # the end of the paragraph, in which what is struck out must end
    is_over = False  # no mark of this paragraph ends what is struck out
    while (mark := _MARK.search(text, place)) is not None:
        place = mark.end()
        if mark["code"]:
            place = _code_end(text, mark, unclosed)
        elif mark["comment"]:
            end = text.find("-->", mark.end() - 2)
            place = len(text) if end < 0 else end + 3
            yield Unsaid(mark.start(), place, is_struck=False)
        elif mark["invisible"]:
            yield Unsaid(mark.start(), mark.end(), is_struck=False)
        elif mark["strike"]:
            if place >= paragraph:
                paragraph, is_over = _paragraph_end(text, place), False
            if is_over or not text[place : place + 1].strip():
                continue
            closing = _STRIKE.search(text, place + 1, paragraph)
            is_over = closing is None
            if closing is not None:
                place = closing.end()
                yield Unsaid(mark.start(), place, is_struck=True)
        else:
            yield from _element(mark, open_tags)


def _is_drawn_out(text: str, stretch: Unsaid) -> bool:
    """Whether the tildes around a stretch are the punctuation of a Chinese chat."""
    if not stretch.is_struck or text[stretch.start] != "~":
        return False
    before = text[max(0, stretch.start - _GREETING) : stretch.start]
    return bool(_SENTENCE_END.match(text, stretch.end) and _DRAWN_OUT.search(before))


def _without_tokens(text: str, stretches: list[Unsaid]) -> Iterator[Unsaid]:
    """The stretches, with the tokens of a model alone in place of a whole answer between them."""
    first, last = _FIRST_TOKEN.match(text), _LAST_TOKEN.search(text)
    tokens = [mark.span("token") for mark in (first, last) if mark is not None]
    whole = (tokens[0][0], tokens[-1][1]) if len(tokens) > 1 else None
    struck = [(each.start, each.end) for each in stretches if each.is_struck]
    yield from (each for each in stretches if (each.start, each.end) != whole)
    for start, end in tokens:
        is_mark = any(start == begin or end == stop for begin, stop in struck)
        if whole in struck or not is_mark:
            yield Unsaid(start, end, is_struck=False)


def _paragraph_end(text: str, position: int) -> int:
    end = _PARAGRAPH.search(text, position)
    return end.start() if end else len(text)


def _code_end(text: str, mark: re.Match[str], unclosed: set[str]) -> int:
    """The end of the code that the backticks begin; their own end if no such backticks follow."""
    ticks = mark.group()
    if ticks in unclosed:
        return mark.end()
    closing = re.compile(rf"(?<!`){ticks}(?!`)").search(text, mark.end())
    if closing is None:
        unclosed.add(ticks)
        return mark.end()
    return closing.end()


def _element(
    mark: re.Match[str], open_tags: dict[str, list[tuple[int, bool, bool]]]
) -> Iterator[Unsaid]:
    """Note the beginning of an element; at its end, yield it if it is not said."""
    name = mark["tag"].lower()
    if not mark["end"]:
        if name not in _VOID:
            is_struck = name in _STRUCK
            is_hidden = name in _NEVER_SHOWN or _is_hidden(mark["attributes"])
            open_tags.setdefault(name, []).append((mark.start(), is_struck, is_hidden))
    elif open_tags.get(name):
        start, is_struck, is_hidden = open_tags[name].pop()
        if is_struck or is_hidden:
            yield Unsaid(start, mark.end(), is_struck=not is_hidden)


def _is_hidden(attributes: str) -> bool:
    if not attributes:
        return False
    if _HIDDEN_ATTRIBUTE.search(_QUOTED.sub('""', attributes)):
        return True
    return _HIDING_STYLE.search(attributes) is not None
