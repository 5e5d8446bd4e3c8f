"""The evidence of a draft in its context."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from assay.data.corpus import Chunk
from assay.web.draft.api import DraftEvidence

CONTEXT: Final = 400
"""How many characters before and after the evidence are shown at most."""
LONGEST: Final = 4_000


class Documents:
    """The chunks of the corpus by id and by document."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._by_id = {chunk.id: chunk for chunk in chunks}
        self._by_source: dict[str, list[Chunk]] = {}
        for chunk in chunks:
            self._by_source.setdefault(chunk.source, []).append(chunk)

    def evidence(self, fields: Mapping[str, Any]) -> Iterator[DraftEvidence]:
        """What the gold of a row says, each with its context."""
        for gold in _gold(fields):
            chunk = self._by_id.get(gold.get("chunk_id", ""))
            source = str(gold.get("source") or fields.get("source") or "")
            text = str(gold.get("text") or "")
            if chunk is not None:
                yield self._shown(chunk, chunk.text)
                continue
            near = self._near(source, gold)
            found = next((each for each in near if text and text in each.text), None)
            if found is not None:
                yield self._shown(found, text)
            elif near and not text:
                joined = "\n".join(each.text for each in near)
                yield _stretch(near[0].source, "", joined, "", is_found=True)
            else:
                context = near[0] if near else None
                yield _stretch(source, "", text, "", is_found=context is not None)

    def _near(self, source: str, gold: Mapping[str, Any]) -> list[Chunk]:
        """The chunks that a span touches; without offsets, those that have its text."""
        chunks = self._by_source.get(source, [])
        start, end = gold.get("start"), gold.get("end")
        if isinstance(start, int) and isinstance(end, int):
            placed = [each for each in chunks if each.end is not None]
            return [each for each in placed if (each.start or 0) < end and (each.end or 0) > start]
        text = str(gold.get("text") or "")
        return [each for each in chunks if text and text in each.text]

    def _shown(self, chunk: Chunk, text: str) -> DraftEvidence:
        """A text of a chunk, with the rest of the chunk and its neighbours around it."""
        at = chunk.text.find(text)
        before, after = chunk.text[:at], chunk.text[at + len(text) :]
        if len(before) < CONTEXT and chunk.prev in self._by_id:
            before = f"{self._by_id[chunk.prev].text}\n{before}"
        if len(after) < CONTEXT and chunk.next in self._by_id:
            after = f"{after}\n{self._by_id[chunk.next].text}"
        return _stretch(chunk.source, before, text, after, is_found=True)


def _stretch(source: str, before: str, text: str, after: str, *, is_found: bool) -> DraftEvidence:
    return DraftEvidence(
        source=source,
        before=f"…{before[-CONTEXT:]}" if len(before) > CONTEXT else before,
        text=text[:LONGEST],
        after=f"{after[:CONTEXT]}…" if len(after) > CONTEXT else after,
        is_found=is_found,
    )


def _gold(fields: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The gold of a row in one form, whatever field it stands in."""
    for name in ("gold", "bundle", "gold_chunk_ids"):
        listed = fields.get(name)
        for gold in listed if isinstance(listed, list) else ():
            if isinstance(gold, dict):
                yield gold
            elif isinstance(gold, str | int):
                yield {"chunk_id": str(gold)}
    quoted = fields.get("evidence")
    for text in quoted if isinstance(quoted, list) else [quoted]:
        if isinstance(text, str) and text.strip():
            yield {"text": text}
