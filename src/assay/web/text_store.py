"""The texts of a run for searching, kept on disk: questions and answers with folded case.

The store is one temporary file without a name; it disappears with the process. In memory are only
the places of the texts. The first ``MOST_CHARACTERS`` of a text are kept.
"""

import hashlib
import os
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Final, Self, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.config.workspace import Workspace
from assay.data.corpus.chunk import Chunk, load_corpus
from assay.data.corpus.chunker import has_id_of_text
from assay.data.jsonl import UNREADABLE
from assay.errors import AssayError
from assay.mask import same_hash
from assay.runs.summary import Summary

MOST_CHARACTERS: Final = 1_000_000
"""How much of one text is searched."""
BUFFER_BYTES: Final = 1 << 22
"""How much is written or read at once."""


Places: TypeAlias = NDArray[np.int64]


def folded(text: str) -> bytes:
    """A text as it is searched: without regard to case.

    >>> folded("Straße") == folded("STRASSE")
    True
    """
    return text[:MOST_CHARACTERS].casefold().encode("utf-8", "replace")


class Stretch:
    """Texts that stand one after the other in the store, in ``data``.

    Their places become lists when they are asked for: most stretches have no match.
    """

    def __init__(
        self, data: bytes, begin: int, places: tuple[Places, Places], items: Places
    ) -> None:
        self.data = data
        self._begin = begin
        self._places = places
        self._items = items

    @cached_property
    def starts(self) -> list[int]:
        """Where each text starts in ``data``."""
        starts: list[int] = (self._places[0] - self._begin).tolist()
        return starts

    @cached_property
    def ends(self) -> list[int]:
        """Where each text ends."""
        ends: list[int] = (self._places[1] - self._begin).tolist()
        return ends

    @cached_property
    def items(self) -> list[int]:
        """The item of each text."""
        items: list[int] = self._items.tolist()
        return items


class TextStore:
    """The folded texts of ``items`` items: a question and an answer of each variant.

    ``add_question`` and ``add_answer`` may be called again for the same place; the last text
    counts. ``finish`` ends the writing.
    """

    def __init__(self, variants: int, items: int) -> None:
        self._file = tempfile.TemporaryFile(prefix="assay-page-")  # noqa: SIM115 - closed below
        self.close = weakref.finalize(self, self._file.close)
        """Delete the file; this also happens when the store is no longer used."""
        self._starts = np.full((variants + 1, items), -1, np.int64)
        self._lengths = np.zeros((variants + 1, items), np.int64)
        self._questions = variants
        self._parts: list[bytes] = []
        self._waiting = 0
        self._size = 0
        self._order: NDArray[np.int64] = np.zeros(0, np.int64)

    def add_question(self, item: int, text: str) -> None:
        """Add the question of an item, unless it has one already."""
        if self._starts[self._questions, item] < 0:
            self._add(self._questions, item, text)

    def add_answer(self, variant: int, item: int, text: str) -> None:
        """Add the answer of a variant to an item."""
        self._add(variant, item, text)

    def _add(self, place: int, item: int, text: str) -> None:
        data = folded(text)
        self._starts[place, item] = self._size
        self._lengths[place, item] = len(data)
        self._size += len(data) + 1  # a newline keeps the starts of empty texts apart
        self._parts += (data, b"\n")
        self._waiting += len(data) + 1
        if self._waiting >= BUFFER_BYTES:
            self._write()

    def _write(self) -> None:
        self._file.write(b"".join(self._parts))
        self._parts, self._waiting = [], 0

    def finish(self) -> Self:
        """End the writing; from now on the store can be read, by several threads at once."""
        self._write()
        self._file.flush()
        known = np.flatnonzero(self._starts.ravel() >= 0)
        self._order = known[np.argsort(self._starts.ravel()[known], kind="stable")]
        return self

    @property
    def items(self) -> int:
        """The number of items."""
        return int(self._starts.shape[1])

    def stretches(self, wanted: NDArray[np.bool_] | None = None) -> Iterator[Stretch]:
        """The texts of the ``wanted`` items (all by default), in the order of the file."""
        order = self._order
        if wanted is not None:
            order = order[wanted[order % self.items]]
        yield from self._read(order)

    def stretches_of(self, items: NDArray[np.integer]) -> Iterator[Stretch]:
        """The texts of these items."""
        places = np.arange(self._starts.shape[0])[:, None] * self.items + items[None, :]
        flat = places.ravel()
        flat = flat[self._starts.ravel()[flat] >= 0]
        yield from self._read(flat[np.argsort(self._starts.ravel()[flat], kind="stable")])

    def _read(self, order: NDArray[np.int64]) -> Iterator[Stretch]:
        """Read texts whose places are sorted, many at once where they are near each other."""
        starts = self._starts.ravel()[order]
        ends = starts + self._lengths.ravel()[order]
        first, count = 0, len(order)
        while first < count:
            begin = int(starts[first])
            last = int(np.searchsorted(starts, begin + BUFFER_BYTES))
            gaps = np.flatnonzero(starts[first + 1 : last] - ends[first : last - 1] > 1 << 16)
            if len(gaps):
                last = first + 1 + int(gaps[0])
            end = int(ends[first:last].max())
            data = os.pread(self._file.fileno(), end - begin, begin)
            places = starts[first:last], ends[first:last]
            yield Stretch(data, begin, places, order[first:last] % self.items)
            first = last


# The smallest structs of the JSON interface, which the others are made of.


class Interval(Struct, frozen=True, kw_only=True):
    """From ``low`` to ``high``."""

    low: float
    high: float


# What the files of a run's workspace say about a question: the expected answer, passages.
#
# Rows have the ids of gold passages, and leave out texts that the corpus has. The file of
# questions is read only if it is the one that the run was made with, by its hash. Retrieved passages
# have the text of the corpus only if that is the one of the run, by its hash, or if the id of the chunk
# follows from its text.

LARGEST_FILE: Final = 64_000_000
"""Larger files of questions or passages are not read for the page, in bytes."""


T = TypeVar("T")


class _Question(Struct, frozen=True, gc=False):
    id: str = ""
    answer: str | None = None


class SourceTexts:
    """The texts behind the ids of a run; empty where a file cannot be read."""

    def __init__(self, journal: Path, summary: Summary | None) -> None:
        self._journal = journal
        self._summary = summary

    def answer(self, question: str) -> str | None:
        """The answer that the file of questions expects."""
        return self._answers.get(question)

    def gold(self, name: str) -> str | None:
        """The text of a gold passage, as the corpus has it today."""
        chunk = self._chunks.get(name)
        return chunk.text if chunk else None

    def retrieved(self, name: str) -> str | None:
        """The text that a retrieved passage had; ``None`` if the corpus may have changed."""
        chunk = self._chunks.get(name)
        if chunk is None:
            return None
        recorded = self._run_corpus or ""
        is_unchanged = same_hash(recorded, self._corpus_sha256) or has_id_of_text(chunk)
        return chunk.text if is_unchanged else None

    @cached_property
    def _run_corpus(self) -> str | None:
        """The hash of the corpus of the run; ``None`` if its system searched another one."""
        extra = self._summary.extra if self._summary is not None else {}
        sha256 = extra.get("corpus_sha256")
        return sha256 if isinstance(sha256, str) else None

    @cached_property
    def _root(self) -> Path | None:
        try:
            return Workspace.find(start=self._journal.parent).root
        except (AssayError, OSError):
            return None

    @cached_property
    def _answers(self) -> dict[str, str]:
        summary = self._summary
        if summary is None or not summary.questions_path or not summary.questions_sha256:
            return {}
        path = (self._root or self._journal.parent) / summary.questions_path
        data = _content(path)
        if not same_hash(summary.questions_sha256, hashlib.sha256(data).hexdigest()):
            return {}
        rows = _lines(data, _Question)
        return {row.id: row.answer for row in rows if row.id and row.answer}

    @property
    def _chunks(self) -> dict[str, Chunk]:
        return self._corpus[0]

    @property
    def _corpus_sha256(self) -> str:
        return self._corpus[1]

    @cached_property
    def _corpus(self) -> tuple[dict[str, Chunk], str]:
        """The chunks of the workspace by id, and their hash; none if they are too large."""
        if self._root is None:
            return {}, ""
        workspace, configured = Workspace(root=self._root), None
        with suppress(AssayError, OSError):
            document = workspace.load_configuration()
            configured = document.value.defaults.chunks_manifest if document else None
        manifest = self._root / (configured or "chunks/manifest.json")
        with suppress(AssayError, OSError, ValueError):  # a path with a null byte
            sizes = (path.stat().st_size for path in manifest.parent.glob("*.jsonl"))
            if sum(sizes) <= LARGEST_FILE:
                corpus = load_corpus(manifest, workspace.bounds)
                return {chunk.id: chunk for chunk in corpus.chunks}, corpus.sha256
        return {}, ""


def _content(path: Path) -> bytes:
    """The bytes of a file of a sensible size; empty if there is none."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_FILE:
            return b""
        return path.read_bytes()
    except (OSError, ValueError):  # a path with a null byte
        return b""


def _lines(data: bytes, as_type: type[T]) -> Iterator[T]:
    decoder = msgspec.json.Decoder(as_type)
    for line in data.split(b"\n"):
        if line.strip():
            try:
                yield decoder.decode(line)
            except UNREADABLE:
                return
