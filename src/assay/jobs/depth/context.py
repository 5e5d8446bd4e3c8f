"""Build contexts with the evidence at a given depth from sentences of the same novel.

A context consists of a prefix, the evidence and a suffix. The evidence is the given span,
extended to whole sentences and otherwise unchanged. Prefix and suffix are runs of whole
sentences of the novel in narrative order, without the sentences that mention the answer (see
``assay.jobs.depth.novel.Mentions``) and without copies of the evidence. Depth is the number of tokens
before the evidence divided by the number of tokens that are not evidence: 0 is the start of
the context, 1 is the end.

Every returned context is within ±1 % of the requested length and within ±0.5 percentage points
of the requested depth, counted in the joined text. If this is not possible, the case is skipped
with the reason. No text is repeated to fill a context. The design is explained in
``docs/decisions/0030-depth-context.md``.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice, repeat
from typing import Final, TypeAlias

from msgspec import Struct

from assay.errors import CaseSkipped
from assay.jobs.depth.novel import Filler, TokenizedNovel
from assay.jobs.depth.question import NovelQuestion
from assay.text.normalise import Span
from assay.words.message import Message, message

# Count the tokens of a text joined from pieces of an encoded novel by encoding the joints only.
#
# Tokenizers work word by word: after a letter or digit that is followed by white space or
# punctuation, a new word begins, independent of the rest of the text. Between two such *anchors*
# the joined text has the same tokens as the novel. Only the text between the last anchor before a
# joint and the first anchor after it must be encoded again. The count is exact for byte-pair
# tokenizers with the usual word pattern; for others it may be wrong by a token occasionally.

_ANCHOR: Final = re.compile(r"[^\W_](?=[\s,.;:?!，。、；：？！…—–»”」』）)])")
_REACH: Final = 64


def joined_counts(
    novel: TokenizedNovel, pieces: Sequence[Span], offsets: Sequence[int]
) -> tuple[list[int], int]:
    """The number of tokens of the joined text before each of ``offsets``, and in total.

    ``pieces`` are spans of the novel in the order of the joined text; ``offsets`` are ascending
    offsets of the joined text.
    """
    counter = _Counter(novel, list(offsets))
    for piece in pieces:
        counter.add(piece)
    counter.close()
    return counter.before, counter.total


class _Counter:
    """Counts the tokens of the pieces from left to right.

    ``_window`` is the text since the last anchor, which is not yet counted, and
    ``_window_start`` is its offset in the joined text.
    """

    def __init__(self, novel: TokenizedNovel, offsets: list[int]) -> None:
        self._novel = novel
        self._offsets = offsets
        self._window = ""
        self._window_start = 0
        self.before: list[int] = []
        self.total = 0

    def add(self, piece: Span) -> None:
        """Add a piece and count the tokens up to its last anchor."""
        novel = self._novel
        first = _first_anchor(novel.text, piece)
        if first is None:
            self._window += piece.of(novel.text)
            return
        self._window += novel.text[piece.start : first]
        self.close()
        last = _last_anchor(novel.text, first, piece.end)
        at_first = novel.tokens_before(first)
        start, end = self._window_start, self._window_start + last - first
        for offset in self._take_offsets(end):
            at_offset = novel.tokens_before(first + offset - start)
            self.before.append(self.total + at_offset - at_first)
        self.total += novel.tokens_before(last) - at_first
        self._window_start = end
        self._window = novel.text[last : piece.end]

    def close(self) -> None:
        """Encode the window and add its tokens; call this after the last piece."""
        start, end = self._window_start, self._window_start + len(self._window)
        offsets = list(self._take_offsets(end))
        if offsets:
            token_starts = self._novel.tokenizer.starts(self._window)
            self.before += [
                self.total + bisect_left(token_starts, offset - start) for offset in offsets
            ]
            self.total += len(token_starts)
        else:
            self.total += self._novel.tokenizer.count(self._window)
        self._window_start = end
        self._window = ""

    def _take_offsets(self, end: int) -> Iterator[int]:
        """Remove and yield the offsets up to and including ``end``."""
        while self._offsets and self._offsets[0] <= end:
            yield self._offsets.pop(0)


def _first_anchor(text: str, piece: Span) -> int | None:
    match = _ANCHOR.search(text, piece.start, piece.end)
    return match.end() if match else None


def _last_anchor(text: str, first: int, end: int) -> int:
    """The last anchor between ``first``, which is an anchor itself, and ``end``."""
    reach = _REACH
    while end - reach > first:
        matches = list(_ANCHOR.finditer(text, end - reach, end))
        if matches:
            return matches[-1].end()
        reach *= 8
    return max((match.end() for match in _ANCHOR.finditer(text, first, end)), default=first)


LENGTH_TOLERANCE: Final = 0.01
"""The tolerance of the length, as a share of the requested length."""

DEPTH_TOLERANCE: Final = 0.005
"""The tolerance of the depth, as a share of the filler."""

# The tolerances for the lengths of prefix and suffix, as shares of all filler, in the order in
# which they are tried. The first ones leave room for the few tokens that may change when the
# parts are joined; the last one is nearly all that is allowed.
_SLACK_SHARES: Final = (0.001, 0.003, 0.0048)
_MAX_SHIFTS: Final = 250
_MAX_POSITIONS: Final = 24
_MAX_TRIES: Final = 24
# A context of up to this many characters is encoded completely, which is exact for every
# tokenizer. In a longer one, a difference of a few tokens is far within the tolerance.
_MAX_ENCODED_CHARACTERS: Final = 6_000


# With less filler, a difference of one token would exceed the tolerance of the depth.
_MIN_FILLER: Final = 200

_Units: TypeAlias = tuple[int, int]


class Context(Struct, frozen=True, kw_only=True):
    """A context, and where the evidence is in it.

    ``evidence`` is in offsets of ``text``; ``parts`` are the spans of the novel from which the
    text is joined. ``in_place`` is true if in the novel, too, the whole prefix comes before the
    evidence and the whole suffix after it.
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


class _FillerSize(Struct, frozen=True, kw_only=True):
    """The number of filler tokens before and after the evidence."""

    prefix: int
    suffix: int

    def slack(self, share: float) -> int:
        """The number of tokens by which prefix and suffix may differ, for a share of all filler."""
        return int(share * (self.prefix + self.suffix))

    @property
    def minimum(self) -> int:
        """The minimum number of filler tokens that the novel must have."""
        slack = self.slack(_SLACK_SHARES[1])
        return max(self.prefix - slack, 0) + max(self.suffix - slack, 0)


def build_context(
    novel: TokenizedNovel,
    evidence_span: Span,
    *,
    target_tokens: int,
    depth: float,
    forbidden: Sequence[str] = (),
) -> Context:
    """Build a context of ``target_tokens`` with the evidence at ``depth`` (0 to 1).

    Args:
        novel: the encoded novel.
        evidence_span: the evidence, in offsets of the novel's text.
        target_tokens: the requested length.
        depth: tokens before the evidence ÷ tokens that are not evidence.
        forbidden: phrases that no filler sentence may mention, especially the answer.

    Raises:
        CaseSkipped: there is no such context; the message is the reason.
    """
    passage = novel.whole_sentences(evidence_span)
    size = _filler_size(novel, passage, target_tokens, depth)
    filler = novel.filler(evidence_span, forbidden)
    if filler.tokens < size.minimum:
        raise CaseSkipped(_too_short(filler, size))
    builder = _Builder(novel, passage, filler)
    # A choice exceeds a tolerance only if joining changes more tokens than the slack allows.
    for prefix, suffix in islice(builder.choices(size), _MAX_TRIES):
        context = builder.context(prefix, suffix, depth)
        length_error = abs(context.tokens - target_tokens)
        depth_error = abs(context.actual_depth - depth)
        if length_error > LENGTH_TOLERANCE * target_tokens or depth_error > DEPTH_TOLERANCE:
            continue
        if not _repeats_evidence(context):
            return context
    raise CaseSkipped(
        f"no run of whole sentences has {target_tokens} tokens with the evidence at "
        f"{100 * depth:g}%"
    )


def skip_reason(
    novel: TokenizedNovel, evidence_span: Span, *, target_tokens: int
) -> Message | str | None:
    """Why no context of this length can be built at any depth; ``None`` if sizes allow it.

    Only the sizes of the novel and the evidence are compared. This takes microseconds, so a plan
    can check every case. Sentences that mention the answer are not searched for here.
    """
    passage = novel.whole_sentences(evidence_span)
    try:
        size = _filler_size(novel, passage, target_tokens, 0.5)
    except CaseSkipped as reason:
        why: Message | str = reason.args[0]
        return why
    filler = Filler(novel.bounds, novel.tokens_at_bounds, range(*novel.unit_range(passage)))
    return _too_short(filler, size) if filler.tokens < size.minimum else None


class _Builder:
    """Places one passage among its filler.

    A *position* is the unit of the filler before which the evidence is inserted.
    """

    def __init__(self, novel: TokenizedNovel, passage: Span, filler: Filler) -> None:
        self._novel = novel
        self._passage = passage
        self._filler = filler
        self._original_position, self._unit_after = novel.unit_range(passage)

    def choices(self, size: _FillerSize) -> Iterator[tuple[_Units, _Units]]:
        """Pairs of prefix and suffix that have the size; the best pairs come first.

        The first pairs are close fits at the original position, or the nearest one to it: in a
        short context, a few tokens are a large share.
        """
        close, usual, wide = map(size.slack, _SLACK_SHARES)
        positions = list(islice(self._positions(size, usual), _MAX_POSITIONS))
        yield from islice(self._pairs(positions[0], size, close), 2)
        for slack in (usual, wide):
            for position in positions:
                yield from islice(self._pairs(position, size, slack), 2)

    def _pairs(
        self, position: int, size: _FillerSize, slack: int
    ) -> Iterator[tuple[_Units, _Units]]:
        return zip(
            self._prefixes(position, size.prefix, slack),
            self._suffixes(position, size.suffix, slack),
            strict=False,
        )

    def _positions(self, size: _FillerSize, slack: int) -> Iterator[int]:
        """The possible positions of the evidence, nearest to the original position first."""
        filler = self._filler
        low = filler.unit(max(size.prefix - slack - 1, 0))
        high = filler.unit(filler.tokens - max(size.suffix - slack, 0))
        nearest = min(max(self._original_position, low), high)
        yield nearest
        for step in range(1, max(high - nearest, nearest - low) + 1):
            if nearest + step <= high:
                yield nearest + step
            if nearest - step >= low:
                yield nearest - step

    def _prefixes(self, position: int, tokens: int, slack: int) -> Iterator[_Units]:
        """Runs of units of about ``tokens`` tokens that end at or before ``position``."""
        if tokens == 0:
            yield from repeat((position, position), _MAX_TRIES)
            return
        filler = self._filler
        for last in range(position, max(position - _MAX_SHIFTS, 0), -1):
            before_last = filler.before(last)
            if before_last < tokens - slack:
                return
            first = filler.nearest_unit(max(before_last - tokens, 0))
            if abs(before_last - filler.before(first) - tokens) <= slack:
                yield first, last

    def _suffixes(self, position: int, tokens: int, slack: int) -> Iterator[_Units]:
        """Runs of units of about ``tokens`` tokens that begin at or after ``position``."""
        if tokens == 0:
            yield from repeat((position, position), _MAX_TRIES)
            return
        filler = self._filler
        for first in range(position, min(position + _MAX_SHIFTS, self._novel.units)):
            before_first = filler.before(first)
            if filler.tokens - before_first < tokens - slack:
                return
            last = filler.nearest_unit(before_first + tokens)
            if abs(filler.before(last) - before_first - tokens) <= slack:
                yield first, last

    def context(self, prefix: _Units, suffix: _Units, depth: float) -> Context:
        """The context of these parts, with its tokens counted."""
        novel, passage, runs = self._novel, self._passage, self._filler.runs
        prefix_parts = list(runs(*prefix))
        suffix_parts: list[Span] = []
        if suffix[0] < suffix[1]:
            space = Span(start=passage.end, end=novel.bounds[self._unit_after])
            *earlier, final = runs(*suffix)
            trimmed = Span(start=final.start, end=novel.trimmed(final.start, final.end))
            suffix_parts = [space, *earlier, trimmed]
        parts = _merge_adjacent((*prefix_parts, passage, *suffix_parts))
        text = "".join([part.of(novel.text) for part in parts])
        begin = sum(part.end - part.start for part in prefix_parts)
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
            in_place=prefix[1] <= self._original_position <= suffix[0],
            parts=parts,
        )

    def _counts(self, text: str, evidence: Span, parts: Sequence[Span]) -> tuple[int, int, int]:
        """The number of tokens that begin before the evidence, before its end, and in total."""
        if len(text) <= _MAX_ENCODED_CHARACTERS:
            starts = self._novel.tokenizer.starts(text)
            return (
                bisect_left(starts, evidence.start),
                bisect_left(starts, evidence.end),
                len(starts),
            )
        (before, through), total = joined_counts(self._novel, parts, (evidence.start, evidence.end))
        return before, through, total


def _merge_adjacent(parts: Iterable[Span]) -> tuple[Span, ...]:
    """The same text in as few parts as possible, so that a long part is copied only once."""
    merged: list[Span] = []
    for part in parts:
        adjacent = bool(merged) and merged[-1].end == part.start
        start = merged.pop().start if adjacent else part.start
        merged.append(Span(start=start, end=part.end))
    return tuple(merged)


def _repeats_evidence(context: Context) -> bool:
    """Whether joining two parts has created another copy of the evidence."""
    evidence = context.evidence.of(context.text)
    reach = len(evidence) - 1
    ends = accumulate(part.end - part.start for part in context.parts)
    return any(evidence in context.text[max(0, end - reach) : end + reach] for end in ends)


def _filler_size(
    novel: TokenizedNovel, passage: Span, target_tokens: int, depth: float
) -> _FillerSize:
    if not passage.of(novel.text).strip():
        raise CaseSkipped(message("the evidence is empty"))
    passage_tokens = novel.tokens_before(passage.end) - novel.tokens_before(passage.start)
    filler_tokens = target_tokens - passage_tokens
    if filler_tokens < _MIN_FILLER:
        raise CaseSkipped(
            message(
                "the evidence with its whole sentences has {passage_tokens} tokens, which leaves no room in a context of {target_tokens}",
                passage_tokens=passage_tokens,
                target_tokens=target_tokens,
            )
        )
    prefix = round(depth * filler_tokens)
    return _FillerSize(prefix=prefix, suffix=filler_tokens - prefix)


def _too_short(filler: Filler, size: _FillerSize) -> Message | str:
    return message(
        "the novel has {tokens} tokens without the evidence and the sentences that mention the answer; {b} are needed",
        tokens=filler.tokens,
        b=size.prefix + size.suffix,
    )


# The phrases that the filler sentences of a question's context must not mention.
#
# For an open question, these are all accepted answers. For a choice question, only the texts of
# the correct choices can reveal the answer, and only if they are rare: mentioned in at most one
# sentence in a hundred, or in a short text in at most five sentences. If the hero's name is a
# choice, for example, it occurs everywhere in the novel, and a sentence with it reveals nothing.

COMMON_SHARE: Final = 0.01
"""A choice that is mentioned in a larger share of the sentences does not reveal the answer."""

FEWEST: Final = 5
"""Up to this many mentions, including the evidence, are rare in a text of any length."""


def forbidden_phrases(question: NovelQuestion, novel: TokenizedNovel) -> tuple[str, ...]:
    """The phrases to pass to ``build_context`` as ``forbidden`` for this question."""
    if question.question_type == "open":
        return question.answers
    texts = [question.choices[letter] for letter in question.answers]
    most = max(FEWEST, COMMON_SHARE * novel.units)
    return tuple(text for text in texts if len(novel.mentions.of(text)) <= most)
