"""Lexical search: BM25 over words and character n-grams, with tantivy.

``assay.text.search_terms`` splits texts into terms, so tantivy only counts and ranks. Texts with
equal scores are in the order of the corpus, so the same corpus always gives the same ranking. An
index that is saved in a folder is found again by its name, which contains a hash of the texts.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from assay.text import search_terms, words

RECIPE = "terms-1"
"""Part of the hash in an index's name: change it whenever ``search_terms`` gives other terms."""

_WRITER_BYTES = 128 << 20
_FIELD = "terms"


class LexicalIndex:
    """BM25 (k1 = 1.2, b = 0.75) over a list of texts, in memory or saved in ``folder``.

    With ``words_only`` there are no n-grams: smaller and faster, for ``search_words``.
    """

    def __init__(
        self, texts: Sequence[str], folder: Path | None = None, *, words_only: bool = False
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
        self._index = self._build(texts) if folder is None else self._open(texts, folder)
        self._searcher = self._index.searcher()

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """The numbers and scores of the best texts for a query, best first."""
        return self._ranked(list(dict.fromkeys(self._terms(text))), limit)

    def search_words(self, wanted: Iterable[str], limit: int, most: int) -> list[tuple[int, float]]:
        """As ``search``, for the ``most`` rarest of some words that ``assay.text.words`` gives.

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

    def _build(self, texts: Sequence[str]) -> Any:
        return self._fill(self._tantivy.Index(self._schema), texts)

    def _open(self, texts: Sequence[str], folder: Path) -> Any:
        """Open the saved index of these texts, and build it first if necessary.

        It is built in a temporary folder that is then renamed, so a crash never leaves an
        incomplete index.
        """
        path = folder / f"lexical-{_digest(texts)}"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(prefix=".lexical-", dir=folder))
            self._fill(self._tantivy.Index(self._schema, path=str(temporary)), texts)
            try:
                temporary.rename(path)
            except OSError:  # another process has finished first
                shutil.rmtree(temporary)
        index = self._tantivy.Index.open(str(path))
        index.reload()
        return index

    def _fill(self, index: Any, texts: Sequence[str]) -> Any:
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
