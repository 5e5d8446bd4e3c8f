"""Lexical search: BM25 over words and character n-grams, by tantivy.

Terms come from ``assay.text.search_terms`` and are handed over ready-made, so that tantivy
only counts and ranks. Ties are broken by the order of the chunks, so that the same corpus
always gives the same ranking. An index that was written to a folder is opened again at once;
its name is a hash of the texts.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.text import search_terms

RECIPE = "terms-1"
"""Part of an index's name: raise it whenever ``search_terms`` gives other terms."""

_WRITER_BYTES = 128 << 20
_FIELD = "terms"


class LexicalIndex:
    """BM25 (k1 1.2, b 0.75) over a list of texts, in memory or in ``folder``."""

    def __init__(self, texts: Sequence[str], folder: Path | None = None) -> None:
        # Loaded at first use: it is 20 MB of machine code.
        import tantivy  # noqa: PLC0415

        self._tantivy: Any = tantivy
        self._schema = (
            tantivy.SchemaBuilder()
            .add_text_field(_FIELD, tokenizer_name="whitespace", index_option="freq")
            .add_unsigned_field("number", stored=False, fast=True)
            .build()
        )
        self._index = self._in_memory(texts) if folder is None else self._in_folder(texts, folder)
        self._searcher = self._index.searcher()

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Numbers and scores of the best texts for a query, best first."""
        terms = list(dict.fromkeys(search_terms(text)))
        if not terms:
            return []
        query, should = self._tantivy.Query, self._tantivy.Occur.Should
        wanted = query.boolean_query(
            [
                (should, query.term_query(self._schema, _FIELD, _token(term), "freq"))
                for term in terms
            ]
        )
        found = self._searcher.search(wanted, limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in found])
        scored = [
            (int(number or 0), float(score))
            for number, (score, _) in zip(numbers, found, strict=True)
        ]
        return sorted(scored, key=lambda hit: (-hit[1], hit[0]))

    def frequency(self, term: str) -> int:
        """How many texts hold a term of ``search_terms``."""
        return int(self._searcher.doc_freq(_FIELD, _token(term)))

    def _in_memory(self, texts: Sequence[str]) -> Any:
        return self._filled(self._tantivy.Index(self._schema), texts)

    def _in_folder(self, texts: Sequence[str], folder: Path) -> Any:
        """Open the index of these texts, made first if it is not there.

        It is made beside and renamed, so that a crash leaves none or a whole one.
        """
        home = folder / f"lexical-{_digest(texts)}"
        if not home.exists():
            folder.mkdir(parents=True, exist_ok=True)
            beside = Path(tempfile.mkdtemp(prefix=".lexical-", dir=folder))
            self._filled(self._tantivy.Index(self._schema, path=str(beside)), texts)
            try:
                beside.rename(home)
            except OSError:  # another process was quicker
                shutil.rmtree(beside)
        index = self._tantivy.Index.open(str(home))
        index.reload()
        return index

    def _filled(self, index: Any, texts: Sequence[str]) -> Any:
        writer = index.writer(_WRITER_BYTES, 1)  # one thread: one order of documents
        for number, text in enumerate(texts):
            document = self._tantivy.Document()
            document.add_text(_FIELD, " ".join(map(_token, search_terms(text))))
            document.add_unsigned("number", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return index


def _token(term: str) -> str:
    """A term without white space, which parts terms here."""
    return term.replace(" ", "_")


def _digest(texts: Sequence[str]) -> str:
    whole = hashlib.blake2b(RECIPE.encode(), digest_size=8)
    for text in texts:
        whole.update(hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest())
    return whole.hexdigest()
