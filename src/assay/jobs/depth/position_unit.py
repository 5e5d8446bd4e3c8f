"""Find the tokenizer that counted the positions of a question file.

A position is a pair of token numbers, and other tokenizers count differently: at the same number
they are pages apart. The tokenizer is taken from what is certain, in this order: the name that the
user or the file gives; the number of all tokens of the novel, which the file states; the quoted
evidence that the positions must hold. If nothing of this is there, positions are in ``cl100k``,
as in published files, and a note says so. If the file contradicts every known tokenizer, there is
none, and no evidence is located by position.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from assay.data.foreign_value import as_whole_number
from assay.jobs.depth.novel import Novel, TokenizedNovel
from assay.jobs.depth.question_row import Position, QuestionRow, RowFault, quotations
from assay.text.normalise import normalised
from assay.text.tokenizer import BYTE_PAIR, load_tokenizer
from assay.words.message import Message, message

PUBLISHED: Final = "cl100k"
"""The tokenizer of positions in published files."""

# A byte-order mark or a line break at the end of the file changes the total by this much.
_TOLERANCE: Final = 3
_NAMING_FIELDS: Final = ("position_tokenizer", "tokenizer", "tokenizer_name", "encoding_name")
_MOST_VOTES: Final = 60
_FEWEST_VOTES: Final = 3
_LEAST_SHARE: Final = 0.5
_VOTE_CHARACTERS: Final = 40
_SPACE: Final = re.compile(r"\s+")


class PositionUnit(Struct, frozen=True, kw_only=True):
    """What the positions of a file count.

    ``novel`` has the offsets of their tokens; it is None if no known tokenizer fits, and then
    ``reason`` says why. ``note`` says how the tokenizer was found. ``is_certain`` is false if
    nothing in the file confirms it.
    """

    novel: TokenizedNovel | None
    reason: str = ""
    note: Message | str = ""
    is_certain: bool = True


def find_position_unit(
    novel: Novel,
    rows: Sequence[QuestionRow],
    metadata: Mapping[str, Any],
    *,
    named: str | None = None,
    run_tokenizer: str | None = None,
) -> PositionUnit | None:
    """The unit of the positions in ``rows``; None if no row has a position.

    ``named`` is the tokenizer of the positions if the user named it, and ``run_tokenizer`` the
    one that the user named for lengths.

    Raises:
        UseError: there is no tokenizer with one of these names.
    """
    if named is not None:
        load_tokenizer(named)
    positions = [row.position for row in rows if row.position is not None]
    if not positions:
        return None
    name = named or _stated_name(metadata)
    if name is not None:
        how = "as you say" if named else "as the file says"
        return _unit(_tokenized(novel, name), how)
    candidates = _Candidates(novel, run_tokenizer)
    votes = list(_votes(rows))
    total = as_whole_number(metadata.get("total_tokens"))
    if total is not None:
        fitting = candidates.first(lambda candidate: abs(candidate.tokens - total) <= _TOLERANCE)
        if fitting is not None:
            return _unit(fitting, f"which give the {total} tokens that the file states")
    if votes:
        best = max(candidates, key=lambda candidate: _share(candidate, votes))
        if _share(best, votes) >= _LEAST_SHARE:
            return _unit(best, "in which they hold the quoted evidence")
    if total is not None:
        return PositionUnit(novel=None, reason=_total_reason(total, list(candidates)))
    if len(votes) >= _FEWEST_VOTES:
        tried = ", ".join(candidate.tokenizer.name for candidate in candidates)
        return PositionUnit(
            novel=None,
            reason=f"its position holds the quoted evidence in no known tokenizer ({tried}); "
            "is this the right novel?",
        )
    return _assumed_unit(candidates, positions)


class _Candidates:
    """The novel in the tokens of each tokenizer that may have counted; counted when needed."""

    def __init__(self, novel: Novel, run_tokenizer: str | None) -> None:
        self._novel = novel
        self._names = list(dict.fromkeys((*filter(None, [run_tokenizer]), PUBLISHED, *BYTE_PAIR)))
        self._tokenized: list[TokenizedNovel] = []

    def __iter__(self) -> Iterator[TokenizedNovel]:
        for index, name in enumerate(self._names):
            if index == len(self._tokenized):
                self._tokenized.append(_tokenized(self._novel, name))
            yield self._tokenized[index]

    def first(self, fits: Callable[[TokenizedNovel], bool]) -> TokenizedNovel | None:
        """The first candidate that fits; None if there is none."""
        return next(filter(fits, self), None)


def _tokenized(novel: Novel, name: str) -> TokenizedNovel:
    return TokenizedNovel(novel, load_tokenizer(name))


def _unit(novel: TokenizedNovel, how: str) -> PositionUnit:
    return PositionUnit(
        novel=novel,
        note=message("positions are {name} tokens, {how}", name=novel.tokenizer.name, how=how),
    )


def _stated_name(metadata: Mapping[str, Any]) -> str | None:
    """The tokenizer that the metadata of the file names, if it is a known one."""
    for field in _NAMING_FIELDS:
        name = metadata.get(field)
        if isinstance(name, str) and name.removesuffix("_base") in BYTE_PAIR:
            return name
    return None


def _votes(rows: Sequence[QuestionRow]) -> Iterator[tuple[Position, str]]:
    """Positions with a piece of the passage that they should hold, at most a few dozen."""
    quoting = []
    for row in rows:
        try:
            passages = quotations(row)
        except RowFault:
            continue  # reported later, with its line
        if row.position is not None and passages:
            quoting.append((row.position, passages[0]))
    step = max(1, len(quoting) // _MOST_VOTES)
    for position, passage in quoting[::step]:
        piece = _plain(passage)[:_VOTE_CHARACTERS]
        if len(piece) > 3:
            yield position, piece


def _share(novel: TokenizedNovel, votes: Sequence[tuple[Position, str]]) -> float:
    """The share of the positions that hold their quotation."""
    if not votes:
        return 0.0
    return sum(_holds(novel, *vote) for vote in votes) / len(votes)


def _holds(novel: TokenizedNovel, position: Position, piece: str) -> bool:
    if not 0 <= position.start_pos < position.end_pos <= novel.tokens:
        return False
    start, end = novel.offset(position.start_pos), novel.offset(position.end_pos)
    return piece in _plain(novel.text[start : end + len(piece)])


def _plain(text: str) -> str:
    return _SPACE.sub("", normalised(text))


def _total_reason(total: int, candidates: Sequence[TokenizedNovel]) -> str:
    counts = ", ".join(f"{novel.tokenizer.name} {novel.tokens}" for novel in candidates)
    return (
        f"its position cannot be used: the file states {total} tokens for the novel, but this "
        f"novel has {counts}; check the novel, or name the tokenizer with --position-tokenizer"
    )


def _assumed_unit(candidates: _Candidates, positions: Sequence[Position]) -> PositionUnit:
    """The first candidate in which all positions are inside the novel, else the first one."""
    last = max(position.end_pos for position in positions)
    fitting = candidates.first(lambda candidate: last <= candidate.tokens)
    novel = fitting or next(iter(candidates))
    return PositionUnit(
        novel=novel,
        note=(
            f"positions are taken as {novel.tokenizer.name} tokens; the file has neither "
            "total_tokens nor quoted evidence to check this; --position-tokenizer names another"
        ),
        is_certain=False,
    )
