"""Contexts with the evidence at a chosen depth, built from the novel's own sentences.

A context is a prefix, the evidence and a suffix. The evidence is the span it was given as,
widened to whole sentences, untouched. Prefix and suffix are runs of whole sentences of the
same novel in narrative order; left out are sentences that mention the answer (see
``novel_mention``) and further copies of the evidence. Depth is the number of tokens before
the evidence divided by all tokens that are not evidence: 0 is the very start, 1 the very end.

Every context that is returned keeps to ±1 % of the length asked for and ±0.5 percentage
points of depth, counted in the joined text; where that cannot be had, the case is skipped
with the reason. Nothing is repeated to fill a context. The choices are explained in
``docs/decisions/0030-depth-context.md``.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice, repeat
from typing import Final, TypeAlias

from msgspec import Struct

from assay.data.context.token_count import joined_counts
from assay.data.novel import Filler, TokenizedNovel
from assay.errors import CaseSkipped
from assay.text import Span

LENGTH_TOLERANCE: Final = 0.01
"""Share of the length asked for by which a context may be off."""

DEPTH_TOLERANCE: Final = 0.005
"""How far the evidence may be from the depth asked for, as a share of the filler."""

# Either side is chosen this near (as a share of all filler), the first that fits: near enough to
# leave room for the few tokens that joining may change, and, failing that, nearly what is allowed.
_AIM: Final = (0.001, 0.003, 0.0048)
_SHIFTS: Final = 250
_PLACES: Final = 24
_TRIES: Final = 24
# Up to this many characters a context is encoded whole, which is exact for every tokenizer; beyond it
# a token here or there is far inside the tolerance.
_ENCODED_WHOLE: Final = 6_000


# With less, one token more or less would be over the tolerance of depth.
_LEAST_FILLER: Final = 200

_Units: TypeAlias = tuple[int, int]


class Context(Struct, frozen=True, kw_only=True):
    """A built context and proof of where the evidence stands in it.

    ``evidence`` is in offsets of ``text``; ``parts`` are the stretches of the novel that the
    text is joined from. ``in_place`` says that all of the prefix comes before the evidence in
    the novel and all of the suffix after it.
    """

    text: str
    tokens: int
    depth: float
    actual_depth: float
    evidence: Span
    evidence_start_token: int
    evidence_tokens: int
    in_place: bool
    parts: tuple[Span, ...]


class _Room(Struct, frozen=True, kw_only=True):
    """What is to be filled: tokens before and after the evidence."""

    prefix: int
    suffix: int

    def slack(self, aim: float) -> int:
        """How many tokens either side may be off."""
        return int(aim * (self.prefix + self.suffix))

    @property
    def least(self) -> int:
        """The fewest tokens of filler that will do."""
        slack = self.slack(_AIM[1])
        return max(self.prefix - slack, 0) + max(self.suffix - slack, 0)


def build_context(
    novel: TokenizedNovel,
    evidence_span: Span,
    *,
    target_tokens: int,
    depth: float,
    forbidden: Sequence[str] = (),
) -> Context:
    """The context of ``target_tokens`` with the evidence at ``depth`` (0 to 1).

    Args:
        novel: the encoded novel.
        evidence_span: the evidence, in offsets of the novel's text.
        target_tokens: the length wanted.
        depth: tokens before the evidence ÷ tokens that are not evidence.
        forbidden: phrases that no filler sentence may mention, the answer above all.

    Raises:
        CaseSkipped: it cannot be done; the message is the reason.
    """
    passage = novel.whole_sentences(evidence_span)
    room = _room(novel, passage, target_tokens, depth)
    filler = novel.filler(evidence_span, forbidden)
    if filler.tokens < room.least:
        raise CaseSkipped(_too_short(filler, room))
    build = _Build(novel, passage, filler)
    # A choice is off only where joining changes more tokens than was allowed for.
    for prefix, suffix in islice(build.choices(room), _TRIES):
        context = build.joined(prefix, suffix, depth)
        off = abs(context.tokens - target_tokens)
        strayed = abs(context.actual_depth - depth)
        if off > LENGTH_TOLERANCE * target_tokens or strayed > DEPTH_TOLERANCE:
            continue
        if not _repeats_evidence(context):
            return context
    raise CaseSkipped(
        f"no run of whole sentences makes {target_tokens} tokens with the evidence at "
        f"{100 * depth:g}%"
    )


def skip_reason(novel: TokenizedNovel, evidence_span: Span, *, target_tokens: int) -> str | None:
    """Why no context of that length can be built at any depth; ``None`` where sizes allow it.

    Only the sizes of novel and evidence are compared, which takes microseconds, so that a plan
    may ask it of every case. Sentences that mention the answer are not looked for here.
    """
    passage = novel.whole_sentences(evidence_span)
    try:
        room = _room(novel, passage, target_tokens, 0.5)
    except CaseSkipped as reason:
        return str(reason)
    filler = Filler(novel.bounds, novel.marks, range(*novel.unit_range(passage)))
    return _too_short(filler, room) if filler.tokens < room.least else None


class _Build:
    """One passage to be placed among its filler."""

    def __init__(self, novel: TokenizedNovel, passage: Span, filler: Filler) -> None:
        self._novel = novel
        self._passage = passage
        self._filler = filler
        self._home, self._after = novel.unit_range(passage)

    def choices(self, room: _Room) -> Iterator[tuple[_Units, _Units]]:
        """Pairs of prefix and suffix that fit the room, the best first.

        Where few tokens are much, near fits at the evidence's home come before any other.
        """
        near, usual, wide = map(room.slack, _AIM)
        places = list(islice(self._places(room, usual), _PLACES))
        yield from islice(self._pairs(places[0], room, near), 2)
        for slack in (usual, wide):
            for place in places:
                yield from islice(self._pairs(place, room, slack), 2)

    def _pairs(self, place: int, room: _Room, slack: int) -> Iterator[tuple[_Units, _Units]]:
        return zip(
            self._prefixes(place, room.prefix, slack),
            self._suffixes(place, room.suffix, slack),
            strict=False,
        )

    def _places(self, room: _Room, slack: int) -> Iterator[int]:
        """Where among the filler the evidence may go, by unit, the nearest to its home first."""
        filler = self._filler
        low = filler.unit(max(room.prefix - slack - 1, 0))
        high = filler.unit(filler.tokens - max(room.suffix - slack, 0))
        near = min(max(self._home, low), high)
        yield near
        for step in range(1, max(high - near, near - low) + 1):
            if near + step <= high:
                yield near + step
            if near - step >= low:
                yield near - step

    def _prefixes(self, place: int, tokens: int, slack: int) -> Iterator[_Units]:
        """Runs of units that end at or before ``place`` and have so many tokens."""
        if tokens == 0:
            yield from repeat((place, place), _TRIES)
            return
        filler = self._filler
        for last in range(place, max(place - _SHIFTS, 0), -1):
            held = filler.before(last)
            if held < tokens - slack:
                return
            first = filler.nearest_unit(max(held - tokens, 0))
            if abs(held - filler.before(first) - tokens) <= slack:
                yield first, last

    def _suffixes(self, place: int, tokens: int, slack: int) -> Iterator[_Units]:
        """Runs of units that begin at or after ``place`` and have so many tokens."""
        if tokens == 0:
            yield from repeat((place, place), _TRIES)
            return
        filler = self._filler
        for first in range(place, min(place + _SHIFTS, self._novel.units)):
            held = filler.before(first)
            if filler.tokens - held < tokens - slack:
                return
            last = filler.nearest_unit(held + tokens)
            if abs(filler.before(last) - held - tokens) <= slack:
                yield first, last

    def joined(self, prefix: _Units, suffix: _Units, depth: float) -> Context:
        """The context of those parts, counted."""
        novel, passage, runs = self._novel, self._passage, self._filler.runs
        ahead = list(runs(*prefix))
        behind: list[Span] = []
        if suffix[0] < suffix[1]:
            space = Span(start=passage.end, end=novel.bounds[self._after])
            *whole, final = runs(*suffix)
            trimmed = Span(start=final.start, end=novel.trimmed(final.start, final.end))
            behind = [space, *whole, trimmed]
        parts = _merged((*ahead, passage, *behind))
        text = "".join([part.of(novel.text) for part in parts])
        begin = sum(part.end - part.start for part in ahead)
        evidence = Span(start=begin, end=begin + passage.end - passage.start)
        before, through, total = self._counts(text, evidence, parts)
        outside = before + total - through
        return Context(
            text=text,
            tokens=total,
            depth=depth,
            actual_depth=before / outside if outside else depth,
            evidence=evidence,
            evidence_start_token=before,
            evidence_tokens=through - before,
            in_place=prefix[1] <= self._home <= suffix[0],
            parts=parts,
        )

    def _counts(self, text: str, evidence: Span, parts: Sequence[Span]) -> tuple[int, int, int]:
        """Tokens that begin before the evidence, before its end, and in all."""
        if len(text) <= _ENCODED_WHOLE:
            starts = self._novel.tokenizer.starts(text)
            return (
                bisect_left(starts, evidence.start),
                bisect_left(starts, evidence.end),
                len(starts),
            )
        (before, through), total = joined_counts(self._novel, parts, (evidence.start, evidence.end))
        return before, through, total


def _merged(parts: Iterable[Span]) -> tuple[Span, ...]:
    """The same text in as few parts as can be, so that a long one is copied only once."""
    merged: list[Span] = []
    for part in parts:
        joins = bool(merged) and merged[-1].end == part.start
        start = merged.pop().start if joins else part.start
        merged.append(Span(start=start, end=part.end))
    return tuple(merged)


def _repeats_evidence(context: Context) -> bool:
    """Whether joining has made a second copy of the evidence, across the end of a part."""
    evidence = context.evidence.of(context.text)
    reach = len(evidence) - 1
    ends = accumulate(part.end - part.start for part in context.parts)
    return any(evidence in context.text[max(0, end - reach) : end + reach] for end in ends)


def _room(novel: TokenizedNovel, passage: Span, target_tokens: int, depth: float) -> _Room:
    if not passage.of(novel.text).strip():
        raise CaseSkipped("the evidence is empty")
    held = novel.tokens_before(passage.end) - novel.tokens_before(passage.start)
    left = target_tokens - held
    if left < _LEAST_FILLER:
        raise CaseSkipped(
            f"the evidence with its whole sentences is {held} tokens, "
            f"which leaves no room in a context of {target_tokens}"
        )
    prefix = round(depth * left)
    return _Room(prefix=prefix, suffix=left - prefix)


def _too_short(filler: Filler, room: _Room) -> str:
    return (
        f"the novel has {filler.tokens} tokens beside the evidence and what mentions the answer; "
        f"{room.prefix + room.suffix} are needed"
    )
