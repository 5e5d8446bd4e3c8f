"""Search by dense scores at any prefix, by BM25, and by a weighted sum of both.

The hybrid score is ``dense_weight · cosine + lexical_weight · bm25 / best bm25``. Both parts are
between 0 and 1: a cosine below 0 counts as 0, and the best lexical hit of a query counts as 1.
The cosines are not stretched to fill this range. If they are almost equal for all chunks, they
therefore cannot outweigh lexical scores that do differ.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.config.workspace import make_folder
from assay.rag.dense import ApproximateIndex, DenseIndex, ExactIndex
from assay.rag.embed.protocol import Space, UsesFrequencies, Vectors
from assay.text.search_term import search_terms, words

# Lexical search: BM25 over words and character n-grams, with tantivy.
#
# ``assay.text.search_term`` splits texts into terms, so tantivy only counts and ranks. Texts with
# equal scores are in the order of the corpus, so the same corpus always gives the same ranking. An
# index that is saved in a folder is found again by its name, which contains a hash of the texts.

RECIPE = "terms-1"
"""Part of the hash in an index's name: change it whenever ``search_terms`` gives other terms."""

_WRITER_BYTES = 128 << 20
_FIELD = "terms"


class LexicalIndex:
    """BM25 (k1 = 1.2, b = 0.75) over a list of texts, in memory or saved in ``folder``.

    With ``words_only`` there are no n-grams: smaller and faster, for ``search_words``.
    """

    def __init__(
        self, texts: Iterable[str], folder: Path | None = None, *, words_only: bool = False
    ) -> None:
        self._terms = _word_terms if words_only else search_terms
        # Imported only here, because the library is 20 MB of machine code.
        import tantivy  # noqa: PLC0415

        self._tantivy: Any = tantivy
        self._schema = (
            tantivy.SchemaBuilder()
            .add_text_field(_FIELD, tokenizer_name="whitespace", index_option="freq")
            .add_unsigned_field("number", stored=False, fast=True)
            .build()
        )
        self._index = self._build(texts) if folder is None else self._open(list(texts), folder)
        self._searcher = self._index.searcher()

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """The numbers and scores of the best texts for a query, best first."""
        return self._ranked(list(dict.fromkeys(self._terms(text))), limit)

    def search_words(self, wanted: Iterable[str], limit: int, most: int) -> list[tuple[int, float]]:
        """As ``search``, for the ``most`` rarest of some words that ``assay.text.search_term.words`` gives.

        The rarest words have the shortest lists of texts, so this is fast in a large corpus.
        """
        counts = {term: self.frequency(term) for term in dict.fromkeys(_prefixed(wanted))}
        terms = sorted((term for term, count in counts.items() if count), key=counts.__getitem__)
        return self._ranked(terms[:most], limit)

    def _ranked(self, terms: Sequence[str], limit: int) -> list[tuple[int, float]]:
        if not terms:
            return []
        query, should = self._tantivy.Query, self._tantivy.Occur.Should
        any_term = query.boolean_query(
            [
                (should, query.term_query(self._schema, _FIELD, _token(term), "freq"))
                for term in terms
            ]
        )
        matches = self._searcher.search(any_term, limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in matches])
        hits = [
            (int(number or 0), float(score))
            for number, (score, _) in zip(numbers, matches, strict=True)
        ]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def frequency(self, term: str) -> int:
        """The number of texts that contain a term of ``search_terms``."""
        return int(self._searcher.doc_freq(_FIELD, _token(term)))

    def _build(self, texts: Iterable[str]) -> Any:
        return self._fill(self._tantivy.Index(self._schema), texts)

    def _open(self, texts: Sequence[str], folder: Path) -> Any:
        """Open the saved index of these texts, and build it first if necessary.

        It is built in a temporary folder that is then renamed, so a crash never leaves an
        incomplete index.
        """
        path = folder / f"lexical-{_digest(texts)}"
        if not path.exists():
            make_folder(folder)
            temporary = Path(tempfile.mkdtemp(prefix=".lexical-", dir=folder))
            self._fill(self._tantivy.Index(self._schema, path=str(temporary)), texts)
            try:
                temporary.rename(path)
            except OSError:  # another process has finished first
                shutil.rmtree(temporary)
        index = self._tantivy.Index.open(str(path))
        index.reload()
        return index

    def _fill(self, index: Any, texts: Iterable[str]) -> Any:
        writer = index.writer(_WRITER_BYTES, 1)  # one thread, so that the order is always the same
        for number, text in enumerate(texts):
            document = self._tantivy.Document()
            document.add_text(_FIELD, " ".join(map(_token, self._terms(text))))
            document.add_unsigned("number", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return index


def _word_terms(text: str) -> list[str]:
    return list(_prefixed(words(text)))


def _prefixed(found: Iterable[str]) -> Iterator[str]:
    return (f"w:{word}" for word in found)


def _token(term: str) -> str:
    """A term without white space, because white space separates terms in the index."""
    return term.replace(" ", "_")


def _digest(texts: Sequence[str]) -> str:
    digest = hashlib.blake2b(RECIPE.encode(), digest_size=8)
    for text in texts:
        digest.update(hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest())
    return digest.hexdigest()


IndexKind: TypeAlias = Literal["exact", "usearch"]

LONG = 4_000
"""With at least this many chunks, a search runs in a thread instead of on the event loop.

Measured at 128 to 2,048 dimensions, a hybrid query takes about 0.5 ms with 1,000 chunks, 1 to
2 ms with 3,000 and 3 to 4 ms with 10,000, most of it for the lexical part. Switching to a thread
and back takes 0.1 ms: less than a tenth of the search from this number of chunks on. Below it,
the search blocks the event loop only briefly.
"""


class Hit(Struct, frozen=True):
    """The number of a chunk in the corpus, and its score."""

    number: int
    score: float


class SearchIndex:
    """The search index of one corpus, by meaning and by words. All variants share it.

    Args:
        texts: the text of each chunk.
        space: the vectors of the chunks.
        folder: where the indexes are saved for the next run; with ``None`` they are only in
            memory.
        kind: how vectors are searched: ``exact`` compares all of them, ``usearch`` needs the
            extra of that name and is approximate.

    Raises:
        UseError: the extra is not installed.
    """

    def __init__(
        self,
        texts: Sequence[str],
        space: Space,
        folder: Path | None = None,
        *,
        kind: IndexKind = "exact",
    ) -> None:
        self.space = space
        self._dense: DenseIndex = (
            ApproximateIndex(space.matrix, folder)
            if kind == "usearch"
            else ExactIndex(space.matrix)
        )
        self._lexical = LexicalIndex(texts, folder)
        if isinstance(space, UsesFrequencies):
            space.use_frequencies(self._lexical.frequency)

    @property
    def is_long(self) -> bool:
        """Whether a search takes so long that it should not run on the event loop."""
        return len(self.space.matrix) >= LONG

    def is_ready(self, dim: int | None) -> bool:
        """Whether a search at this dimension can start without preparation."""
        return self._dense.is_ready(dim)

    def prepare(self, dim: int | None) -> None:
        """Prepare searches at this dimension, which may take long. Safe to call twice."""
        self._dense.prepare(dim)

    def dense(self, query: Vectors, dim: int | None, limit: int) -> list[Hit]:
        """The best chunks by cosine; chunks with equal scores are in the order of the corpus."""
        numbers, cosines = self._dense.nearest(query, dim, limit, np.empty(0, dtype=np.intp))
        return [Hit(int(numbers[hit.number]), hit.score) for hit in best_hits(cosines, limit)]

    def lexical(self, text: str, limit: int) -> list[Hit]:
        """The best chunks by BM25, with their unscaled scores."""
        return [Hit(number, score) for number, score in self._lexical.search(text, limit)]

    def hybrid(
        self,
        text: str,
        query: Vectors,
        *,
        dim: int | None,
        dense_weight: float,
        lexical_weight: float,
        limit: int,
    ) -> list[Hit]:
        """The best chunks by the weighted sum; equal scores are in the order of the corpus.

        A chunk without a lexical score can be among the best only if it is among the nearest.
        It is therefore enough to score the nearest chunks and the lexical hits.
        """
        hits = self.lexical(text, max(limit, 50)) if lexical_weight else []
        lexical_numbers = np.array([hit.number for hit in hits], dtype=np.intp)
        if dense_weight:
            numbers, cosines = self._dense.nearest(query, dim, limit, lexical_numbers)
            scores = np.float32(dense_weight) * np.maximum(cosines, np.float32(0))
        else:
            numbers = np.sort(lexical_numbers)
            scores = np.zeros(len(numbers), dtype=np.float32)
        if hits and hits[0].score > 0:
            lexical_scores = np.array([hit.score for hit in hits], dtype=np.float32)
            scores[np.searchsorted(numbers, lexical_numbers)] += (
                np.float32(lexical_weight) * lexical_scores / lexical_scores[0]
            )
        return [Hit(int(numbers[hit.number]), hit.score) for hit in best_hits(scores, limit)]


def best_hits(scores: NDArray[np.float32], limit: int) -> list[Hit]:
    """The ``limit`` highest scores above 0, best first; equal ones in the order of the corpus.

    >>> best_hits(np.array([0.1, 0.5, 0.0, 0.5], dtype=np.float32), 3)
    [Hit(number=1, score=0.5), Hit(number=3, score=0.5), Hit(number=0, score=0.10000000149011612)]
    """
    if limit < len(scores):
        lowest = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        candidates = np.flatnonzero(scores >= lowest)
    else:
        candidates = np.arange(len(scores))
    ranked = candidates[np.argsort(-scores[candidates], kind="stable")][:limit]
    return [Hit(int(number), float(scores[number])) for number in ranked if scores[number] > 0]


def fuse_hits(rankings: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """Reciprocal rank fusion: the score of a chunk is the sum of ``1 / (k + rank)``.

    The sum is over all rankings that contain the chunk; ranks start at 1.

    >>> [hit.number for hit in fuse_hits([[Hit(7, 1.0), Hit(3, 0.5)], [Hit(3, 9.0)]], k=60)]
    [3, 7]
    """
    totals: dict[int, float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            totals[hit.number] = totals.get(hit.number, 0.0) + 1 / (k + rank)
    return _sorted_hits(totals)


def best_of(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Fusion without ranks: the score of a chunk is the best of its scores.

    >>> [hit.number for hit in best_of([[Hit(7, 0.9), Hit(3, 0.5)], [Hit(3, 0.95)]])]
    [3, 7]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for hit in ranking:
            scores[hit.number] = max(scores.get(hit.number, 0.0), hit.score)
    return _sorted_hits(scores)


def _sorted_hits(scores: dict[int, float]) -> list[Hit]:
    pairs = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Hit(number, score) for number, score in pairs]
