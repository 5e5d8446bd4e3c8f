"""Where the evidence of a question is in the novel: from its quotation, span or position.

A quotation is looked up in the novel. A position or a span that holds it is used as it is; if it
does not hold it, the quotation wins. A quotation that is not in the novel is never replaced by a
position: one of the two is about another text.
"""

import re
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from rapidfuzz import fuzz

from assay.jobs.depth.novel import EvidenceLocator, Location, TokenizedNovel
from assay.jobs.depth.position_unit import PositionUnit
from assay.jobs.depth.question_row import Position, QuestionRow, RowFault, quotations
from assay.text.normalise import Span, normalised

Located: TypeAlias = Literal["span", "position", "exact", "normalised", "fuzzy"]

_OMISSION: Final = re.compile(r"\s*(?:…+|\.{3,}|。{3,}|\[…\]|\(…\))\s*")
_LEAST_SEGMENT: Final = 4
# Segments of one quotation farther apart than this are not one passage.
_MOST_APART: Final = 4_000
_ROUGH_SCORE: Final = 70.0
_ORDER: Final = ("exact", "normalised", "fuzzy")


class Evidence(Struct, frozen=True, kw_only=True):
    """The evidence in characters of the novel, how it was located, and a note for the user.

    ``span`` is None if it was not found; the note then says why.
    """

    span: Span | None
    located: Located | None = None
    note: str = ""


class EvidenceFinder:
    """Locates the evidence of the questions of one novel."""

    def __init__(self, novel: TokenizedNovel, unit: PositionUnit | None) -> None:
        self._novel = novel
        self._unit = unit
        self._locator = EvidenceLocator(novel.text)

    def find(self, row: QuestionRow) -> Evidence:
        """The evidence of a row; raises ``RowFault`` if the row states none, or an invalid one."""
        passages = quotations(row)
        if row.evidence_span is not None:
            return self._with_quotation(self._span(row), "span", passages)
        if row.position is None:
            if not passages:
                raise RowFault("no evidence; add `evidence`, `evidence_span` or `position`")
            return self._quoted(passages)
        if self._unit is not None and self._unit.novel is None:
            return self._quoted(passages) if passages else _refused(self._unit.reason)
        stated = self._position_span(row.position)
        if stated is not None:
            return self._with_quotation(stated, "position", passages)
        if passages:
            return self._quoted(passages, doubt="`position` is outside the novel")
        return _refused(self._outside(row.position))

    def _with_quotation(
        self, stated: Span, kind: Literal["span", "position"], passages: list[str]
    ) -> Evidence:
        """The stated span, if it holds the quotation or there is none; else the quotation."""
        text = self._novel.text
        if not passages or (len(passages) == 1 and passages[0] in stated.of(text)):
            return Evidence(span=stated, located=kind)
        location = self._location(passages, near=stated.start)
        if location is None:
            return self._without_location(stated, kind, passages)
        overlap = location.span.start < stated.end and stated.start < location.span.end
        if kind == "position" and overlap:
            start = min(stated.start, location.span.start)
            end = max(stated.end, location.span.end)
            return Evidence(span=Span(start=start, end=end), located=kind)
        doubt = f"`{kind}` does not contain the quoted evidence"
        return _from_location(location, doubt)

    def _without_location(
        self, stated: Span, kind: Literal["span", "position"], passages: list[str]
    ) -> Evidence:
        note = _not_found(passages)
        if kind == "span":
            return Evidence(span=stated, located=kind, note=f"{note}; {kind} used")
        window = normalised(stated.of(self._novel.text))
        score = min(fuzz.partial_ratio(normalised(passage), window) for passage in passages)
        if score >= _ROUGH_SCORE:
            note = f"`position` holds the quoted evidence only roughly (similarity {score:.0f})"
            return Evidence(span=stated, located=kind, note=note)
        return _refused(note)

    def _quoted(self, passages: list[str], doubt: str = "") -> Evidence:
        location = self._location(passages)
        return (
            _refused(_not_found(passages)) if location is None else _from_location(location, doubt)
        )

    def _location(self, passages: list[str], near: int | None = None) -> Location | None:
        """The place of the passages, or of the pieces between the omissions of a passage."""
        if len(passages) == 1:
            location = self._locator.location(passages[0], near=near)
            if location is not None:
                return location
        pieces = [piece for passage in passages for piece in _OMISSION.split(passage)]
        pieces = [piece for piece in pieces if len(piece) >= _LEAST_SEGMENT]
        if not pieces or pieces == passages:
            return None
        locations: list[Location] = []
        for piece in pieces:
            location = self._locator.location(piece, near=near)
            if location is None:
                return None
            locations.append(location)
            near = location.span.end
        start = min(location.span.start for location in locations)
        end = max(location.span.end for location in locations)
        if end - start > _MOST_APART:
            return None
        how = max((location.how for location in locations), key=_ORDER.index)
        score = min(location.score for location in locations)
        return Location(span=Span(start=start, end=end), how=how, score=score)

    def _span(self, row: QuestionRow) -> Span:
        bounds = row.evidence_span
        assert bounds is not None
        start, end = bounds if isinstance(bounds, tuple) else (bounds.start, bounds.end)
        size = len(self._novel.novel.text)
        if not 0 <= start < end <= size:
            raise RowFault(
                f"`evidence_span` {start} to {end} is not a valid range of the novel's "
                f"{size} characters"
            )
        return Span(start=start, end=end)

    def _position_span(self, position: Position) -> Span | None:
        """The characters of the position; None if it is not a range of the novel's tokens."""
        novel = self._counted()
        if 0 <= position.start_pos < position.end_pos <= novel.tokens:
            return Span(start=novel.offset(position.start_pos), end=novel.offset(position.end_pos))
        return None

    def _outside(self, position: Position) -> str:
        novel = self._counted()
        return (
            f"`position` {position.start_pos} to {position.end_pos} is not a valid range of the "
            f"novel's {novel.tokens} tokens ({novel.tokenizer.name}); "
            "check that these are the right novel and tokenizer"
        )

    def _counted(self) -> TokenizedNovel:
        """The novel in the tokens that positions count."""
        return self._unit.novel if self._unit and self._unit.novel else self._novel


def _refused(note: str) -> Evidence:
    return Evidence(span=None, note=note)


def _from_location(location: Location, doubt: str) -> Evidence:
    note = "; ".join(filter(None, (doubt, location.note)))
    return Evidence(span=location.span, located=location.how, note=note)


def _not_found(passages: list[str]) -> str:
    text = passages[0]
    return f"evidence not found in the novel: {text if len(text) <= 40 else text[:39] + '…'!r}"
