"""The thoughts that a reasoning model writes around its answer, and the answer without them.

They are marked by ``<think>``, ``<thinking>``, ``<thought>`` or ``<reasoning>`` and the tag that ends
it, by ``[THINK]`` and ``[/THINK]``, ``◁think▷`` and ``◁/think▷``, or by the channels of gpt-oss. A mark
after a quotation mark is a word of the answer, and so is a tag without its end inside of a line.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from assay.text.span import Span
from assay.text.unsaid import said_stretches

_TAG: Final = r"(?:think(?:ing)?|thoughts?|reasoning)"
_MARK: Final = re.compile(
    r"(?<![`'\"“‘«「])(?:"
    rf"(?P<opens><{_TAG}(?:\s[^<>]{{0,80}})?>|\[THINK\]|◁think▷|<\|channel\|>analysis<\|message\|>)"
    rf"|</{_TAG}\s*>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>)",
    re.IGNORECASE,
)
SCORED_CHARACTERS: Final = 50_000
"""Of an answer that is longer, only the beginning and the end are scored, together so much."""
_SPACE: Final = re.compile(r"\s+")
_LONGEST_WORD: Final = 100
_FIRST: Final = re.compile(rf"\A\s*<{_TAG}>.*?</{_TAG}>", re.DOTALL | re.IGNORECASE)


class StatedAnswer(Struct, frozen=True):
    """A reply without its thoughts; ``kept`` are the stretches of the reply that are left."""

    text: str
    kept: tuple[Span, ...]

    def in_reply(self, span: Span) -> Span:
        """The stretch of the whole reply that a stretch of ``text`` is.

        >>> reply = "<think>no</think>30 days"
        >>> stated_answer(reply).in_reply(Span(start=0, end=2)).of(reply)
        '30'
        """
        return Span(start=self._place(span.start), end=self._place(span.end - 1) + 1)

    def _place(self, offset: int) -> int:
        for stretch in self.kept:
            length = stretch.end - stretch.start
            if offset < length:
                return stretch.start + offset
            offset -= length
        return offset + (self.kept[-1].end if self.kept else 0)


def stated_answer(reply: str) -> StatedAnswer:
    """The answer of a reply, with the way back to the places of the reply.

    What stands before an end mark without a beginning is a thought too: some servers leave the
    beginning out. If a thought has no end, the reply was cut off in it, unless its tag stands inside
    of a line.
    """
    kept: list[Span] = []
    place = 0
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(reply):
        if not mark["opens"]:
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
        return StatedAnswer(reply, tuple(kept))
    return StatedAnswer("".join(span.of(reply) for span in kept), tuple(kept))


def _is_inside_line(reply: str, place: int, mark: re.Match[str]) -> bool:
    """Whether a tag stands after other words of its line, as a mention of it does."""
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


def scored_answer(reply: str) -> StatedAnswer:
    """The answer of a reply as far as it is scored: what it says, or the first and last words of it.

    A model that repeats itself may write megabytes, and no score of them says more than one of
    ``SCORED_CHARACTERS``, half of them from the beginning and half from the end. What is struck out
    or hidden is not said (``unsaid.py``).
    """
    stated = _shortened(stated_answer(reply))
    stretches = said_stretches(stated.text)
    if stretches == [(0, len(stated.text), False)]:
        return stated
    text = "".join(" " if is_gap else stated.text[start:end] for start, end, is_gap in stretches)
    return StatedAnswer(text, _kept(stated, [(start, end) for start, end, _ in stretches]))


def is_scored_in_part(reply: str) -> bool:
    """Whether only the beginning and the end of the answer of a reply are scored.

    >>> is_scored_in_part("30 days"), is_scored_in_part("30 days " * 10_000)
    (False, True)
    """
    return len(reply) > SCORED_CHARACTERS and len(stated_answer(reply).text) > SCORED_CHARACTERS


def _shortened(stated: StatedAnswer) -> StatedAnswer:
    length = len(stated.text)
    if length <= SCORED_CHARACTERS:
        return stated
    head = _word_end(stated.text, SCORED_CHARACTERS // 2)
    tail = _word_end(stated.text, length - SCORED_CHARACTERS // 2)
    return StatedAnswer(
        stated.text[:head] + stated.text[tail:], _kept(stated, [(0, head), (tail, length)])
    )


def _kept(stated: StatedAnswer, stretches: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """The stretches of the reply that these ordered stretches of its stated text are."""
    kept: list[Span] = []
    place = first = 0
    for span in stated.kept:
        size = span.end - span.start
        while first < len(stretches) and stretches[first][1] <= place:
            first += 1
        for start, end in stretches[first:]:
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
