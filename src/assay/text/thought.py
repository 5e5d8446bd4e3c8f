"""The thoughts that a reasoning model writes around its answer, and the answer without them.

They are marked by ``<think>``, ``<thinking>``, ``<thought>`` or ``<reasoning>`` and the tag that ends
it, by ``[THINK]`` and ``[/THINK]``, ``◁think▷`` and ``◁/think▷``, or by the channels of gpt-oss. A mark
after a quotation mark is a word of the answer, and so is a tag without its end inside of a line.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from assay.text.character import HAN, IGNORABLE
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.normalise import Span

# What an answer contains without saying it: text that is struck out or not shown.
#
# Struck out is what is between ``~~`` marks of Markdown or in ``<del>``, ``<s>`` and ``<strike>``.
# Not shown are comments of HTML, elements with the attribute ``hidden`` or a style that hides them,
# and invisible characters inside of words. Marks in code (between backticks) are words of the answer,
# and a mark without its end hides nothing, except a comment, which goes on to the end.
#
# The same signs have other uses. ``<s>`` and ``</s>`` around a whole answer are tokens with which some
# models begin and end a text; only the tokens are not said. ``~~`` draws out a Chinese greeting and the
# end of a sentence after it (好的~~答案是北京~~), which strikes nothing out.

_ANY: Final = re.compile(f"~~|<|[{IGNORABLE}]")
"""Without one of these, an answer says all that it contains."""
# not a possessive group: Python before 3.11.5 loses the end of one that has alternatives
_STRUCK_OUT: Final = r"(?<!~)~~(?=[^\s~])(?:[^~\n]++|~(?!~)|\n(?![ \t]*\n))*(?<=\S)~~(?!~)"
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
    """A part of an answer; ``is_struck`` if it is shown struck out, so that it parts words."""

    start: int
    end: int
    is_struck: bool = False


def unsaid(text: str) -> list[Unsaid]:
    """The parts of ``text`` that are not said, in order; they do not overlap.

    >>> unsaid("~~500~~ 600<!-- or 700 -->")
    [Unsaid(start=0, end=7, is_struck=True), Unsaid(start=11, end=26, is_struck=False)]
    """
    found: list[Unsaid] = []
    parts = _parts(text) if _ANY.search(text) else ()
    for each in sorted(parts, key=lambda each: (each.start, -each.end)):
        if not found or each.end > found[-1].end:
            found.append(each)
    return found


def said_parts(text: str) -> list[tuple[int, int, bool]]:
    """The parts of ``text`` that are left, each with whether a space stands for it.

    A space takes the place of the first character of a part that is struck out between two words.
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


def _parts(text: str) -> Iterator[Unsaid]:
    """All parts that are not said; those of elements may contain others."""
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
    """Whether the tildes around a part are the punctuation of a Chinese chat."""
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


_TAG: Final = r"(?:think(?:ing)?|thoughts?|reasoning)"
_THOUGHT_MARK: Final = re.compile(
    rf"<{_TAG}(?:\s[^<>]{{0,80}})?>|\[THINK\]|◁think▷|<\|channel\|>analysis<\|message\|>"
    rf"|</{_TAG}\s*>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>",
    re.IGNORECASE,
)
"""Every alternative begins with a character, so that a long text is searched at the speed of these."""
_THOUGHT_ENDS: Final = ("</", "[/", "◁/", "<|channel|>final")
_QUOTES: Final = frozenset("`'\"“‘«「")
"""What is before a mark that is only mentioned."""
SCORED_CHARACTERS: Final = 50_000
"""Of an answer that is longer, only the beginning and the end are scored, together so much."""
_SPACE: Final = re.compile(r"\s+")
_LONGEST_WORD: Final = 100
_FIRST: Final = re.compile(rf"\A\s*<{_TAG}>.*?</{_TAG}>", re.DOTALL | re.IGNORECASE)


class ScoredAnswer(Struct, frozen=True):
    """A reply without its thoughts; ``kept`` are the parts of the reply that are left."""

    text: str
    kept: tuple[Span, ...]

    def in_reply(self, span: Span) -> Span:
        """The part of the whole reply that a part of ``text`` is.

        >>> reply = "<think>no</think>30 days"
        >>> stated_answer(reply).in_reply(Span(start=0, end=2)).of(reply)
        '30'
        """
        return Span(start=self._place(span.start), end=self._place(span.end - 1) + 1)

    def _place(self, offset: int) -> int:
        for part in self.kept:
            length = part.end - part.start
            if offset < length:
                return part.start + offset
            offset -= length
        return offset + (self.kept[-1].end if self.kept else 0)


def stated_answer(reply: str) -> ScoredAnswer:
    """The answer of a reply, with the way back to the places of the reply.

    What is before an end mark without a beginning is a thought too: some servers leave the
    beginning out. If a thought has no end, the reply was cut off in it, unless its tag is inside
    of a line.
    """
    kept: list[Span] = []
    place = 0
    opened: re.Match[str] | None = None
    for mark in _THOUGHT_MARK.finditer(reply):
        if reply[mark.start() - 1 : mark.start()] in _QUOTES:
            continue
        if mark[0].lower().startswith(_THOUGHT_ENDS):
            if opened is None:
                kept.clear()
            place, opened = mark.end(), None
        elif opened is None or _is_inside_line(reply, place, opened):
            if opened is not None:
                kept.pop()
            kept.append(Span(start=place, end=mark.start()))
            opened = mark
    if opened is not None and _is_inside_line(reply, place, opened):
        kept.pop()
        opened = None
    if opened is None:
        kept.append(Span(start=place, end=len(reply)))
    if len(kept) == 1 and kept[0].end == len(reply) and not place:
        return ScoredAnswer(reply, tuple(kept))
    return ScoredAnswer("".join(span.of(reply) for span in kept), tuple(kept))


def _is_inside_line(reply: str, place: int, mark: re.Match[str]) -> bool:
    """Whether a tag is after other words of its line, as a mention of it does."""
    line = max(place, reply.rfind("\n", 0, mark.start()) + 1)
    return mark[0][:1] == "<" and mark[0][:2] != "<|" and bool(reply[line : mark.start()].strip())


def without_thoughts(reply: str) -> str:
    """The answer of a reply, without white space around it if there were thoughts.

    If a thought has no end mark, the reply was cut off before the answer, so nothing remains.

    >>> without_thoughts("<think>b or c?</think> c"), without_thoughts("<think>b or")
    ('c', '')
    >>> without_thoughts("so b</think>b"), without_thoughts("`<think>` begins a thought")
    ('b', '`<think>` begins a thought')
    """
    stated = stated_answer(reply).text
    return stated if stated == reply else stated.strip()


def scored_answer(reply: str) -> ScoredAnswer:
    """The answer of a reply as far as it is scored: what it says, or the first and last words of it.

    A model that repeats itself may write megabytes, and no score of them says more than one of
    ``SCORED_CHARACTERS``, half of them from the beginning and half from the end. What is struck out
    or hidden is not said (``unsaid.py``).
    """
    stated = _shortened(stated_answer(reply))
    parts = said_parts(stated.text)
    if parts == [(0, len(stated.text), False)]:
        return stated
    text = "".join(" " if is_gap else stated.text[start:end] for start, end, is_gap in parts)
    return ScoredAnswer(text, _kept(stated, [(start, end) for start, end, _ in parts]))


def is_scored_in_part(reply: str) -> bool:
    """Whether only the beginning and the end of the answer of a reply are scored.

    >>> is_scored_in_part("30 days"), is_scored_in_part("30 days " * 10_000)
    (False, True)
    """
    return len(reply) > SCORED_CHARACTERS and len(stated_answer(reply).text) > SCORED_CHARACTERS


def _shortened(stated: ScoredAnswer) -> ScoredAnswer:
    length = len(stated.text)
    if length <= SCORED_CHARACTERS:
        return stated
    head = _word_end(stated.text, SCORED_CHARACTERS // 2)
    tail = _word_end(stated.text, length - SCORED_CHARACTERS // 2)
    return ScoredAnswer(
        stated.text[:head] + stated.text[tail:], _kept(stated, [(0, head), (tail, length)])
    )


def _kept(stated: ScoredAnswer, parts: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """The parts of the reply that these ordered parts of its stated text are."""
    kept: list[Span] = []
    place = first = 0
    for span in stated.kept:
        size = span.end - span.start
        while first < len(parts) and parts[first][1] <= place:
            first += 1
        for start, end in parts[first:]:
            if start >= place + size:
                break
            begin, stop = max(0, start - place), min(size, end - place)
            if begin < stop:
                kept.append(Span(start=span.start + begin, end=span.start + stop))
        place += size
    return tuple(kept)


def _word_end(text: str, position: int) -> int:
    """The end of the space near ``position``, so that no word is cut; itself if there is none."""
    space = _SPACE.search(text, position, position + _LONGEST_WORD)
    return space.end() if space else position


def scored_text(reply: str) -> str:
    """The text of ``scored_answer``, without white space around it if something was left out.

    >>> scored_text("<think>b or c?</think> c"), len(scored_text("word " * 1_000_000))
    ('c', 49999)
    """
    scored = scored_answer(reply).text
    return scored if scored == reply else scored.strip()


def without_first_thought(reply: str) -> str:
    """The reply without the thought that it begins with; later marks may be a part of its JSON.

    >>> without_first_thought('<think>x</think>{"reason": "it writes <think>"}')
    '{"reason": "it writes <think>"}'
    """
    return _FIRST.sub("", reply)
