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
from typing import Final, NamedTuple

from assay.text.character import HAN, IGNORABLE
from assay.text.lexicon import alternatives, lazy_pattern

_ANY: Final = re.compile(f"~~|<|[{IGNORABLE}]")
"""Without one of these, an answer says all that it contains."""
_STRUCK_OUT: Final = r"(?<!~)~~(?=[^\s~])(?:[^~\n]|~(?!~)|\n(?![ \t]*\n))*+(?<=\S)~~(?!~)"
_ATTRIBUTES: Final = r"(?:[\s/](?:\"[^\"<>]*\"|'[^'<>]*'|[^<>\"'])*)?"
_MARK: Final = re.compile(
    rf"(?P<code>`+)|(?P<strike>{_STRUCK_OUT})|(?P<comment><!--)"
    rf"|<(?P<end>/?)(?P<tag>[a-z][a-z0-9]{{0,15}})(?P<attributes>{_ATTRIBUTES})>"
    rf"|(?P<invisible>(?:\u00ad[ \t]*\r?\n[ \t]*|[{IGNORABLE}])+)",
    re.IGNORECASE,
)
_DRAWN_OUT: Final = lazy_pattern(lambda: rf"(?:{alternatives('chat.drawn_out')})\Z")
_SENTENCE_END: Final = re.compile(r"\s*(?:[。！？!?…]|\Z)")
_GREETING: Final = 8
"""How many characters before ``~~`` are searched for what is drawn out."""
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
_STOP: Final = re.compile(r"[.,;:!?)\]。，；：！？）]|\s|\Z")
_WORD: Final = re.compile(rf"[^\W_{HAN}]")


class Unsaid(NamedTuple):
    """A stretch of an answer; ``is_struck`` if it is shown struck out, so that it parts words."""

    start: int
    end: int
    is_struck: bool = False


def unsaid(text: str) -> list[Unsaid]:
    """The stretches of ``text`` that are not said, in order; they do not overlap.

    >>> unsaid("~~500~~ 600<!-- or 700 -->")
    [Unsaid(start=0, end=7, is_struck=True), Unsaid(start=11, end=26, is_struck=False)]
    """
    found: list[Unsaid] = []
    stretches = _stretches(text) if _ANY.search(text) else ()
    for each in sorted(stretches, key=lambda each: (each.start, -each.end)):
        if not found or each.end > found[-1].end:
            found.append(each)
    return found


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
            while text[end : end + 1] in {" ", "\t"}:
                end += 1
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


def _stretches(text: str) -> Iterator[Unsaid]:
    """All stretches that are not said; those of elements may contain others."""
    open_tags: dict[str, list[tuple[int, bool, bool]]] = {}
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    place = 0
    while (mark := _MARK.search(text, place)) is not None:
        start, place = mark.span()
        if mark["code"]:
            closing = re.compile(rf"(?<!`){mark['code']}(?!`)").search(text, place)
            place = closing.end() if closing else place
        elif mark["comment"]:
            end = text.find("-->", start + 2)
            place = len(text) if end < 0 else end + 3
            yield Unsaid(start, place)
        elif mark["invisible"]:
            yield Unsaid(start, place)
        elif mark["strike"]:
            if not _is_drawn_out(text, start, place):
                yield Unsaid(start, place, is_struck=True)
        elif not mark["end"]:
            if (name := mark["tag"].lower()) not in _VOID:
                is_hidden = name in _NEVER_SHOWN or _is_hidden(mark["attributes"])
                open_tags.setdefault(name, []).append((start, name in _STRUCK, is_hidden))
        else:
            yield from _element(mark, open_tags, first, last)
    # a token of a model at the beginning has no end
    if any(start == first and text[start + 2] == ">" for start, _, _ in open_tags.get("s", ())):
        yield Unsaid(first, first + 3)


def _is_drawn_out(text: str, start: int, end: int) -> bool:
    """Whether the tildes around a stretch are the punctuation of a Chinese chat."""
    before = text[max(0, start - _GREETING) : start]
    return bool(_SENTENCE_END.match(text, end) and _DRAWN_OUT.search(before))


def _element(
    mark: re.Match[str], open_tags: dict[str, list[tuple[int, bool, bool]]], first: int, last: int
) -> Iterator[Unsaid]:
    """Yield the element that ends with a mark, if it is not said.

    The tokens ``<s>`` and ``</s>`` at the ``first`` and the ``last`` character are not said, but what
    is between them.
    """
    opened, end = open_tags.get(mark["tag"].lower()), mark.end()
    is_token = end == last and mark.group() == "</s>"
    start, is_struck, is_hidden = opened.pop() if opened else (end, is_token, False)
    if is_token and start in {first, end}:
        yield Unsaid(end - len("</s>"), end)
        if start == first:
            yield Unsaid(first, first + len("<s>"))
    elif is_struck or is_hidden:
        yield Unsaid(start, end, is_struck=not is_hidden)


def _is_hidden(attributes: str) -> bool:
    named = _HIDDEN_ATTRIBUTE.search(_QUOTED.sub('""', attributes)) if attributes else None
    return named is not None or _HIDING_STYLE.search(attributes) is not None
