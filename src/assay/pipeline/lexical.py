"""Lexical search: BM25 over words and character n-grams, by tantivy.

Terms come from ``assay.text.search_terms`` and are handed over ready-made, so that tantivy
only counts and ranks. The index lives in memory; ties are broken by the order of the chunks,
so that the same corpus always gives the same ranking.
"""

from collections.abc import Sequence
from typing import Any

from assay.text import search_terms

_WRITER_BYTES = 128 << 20
_FIELD = "terms"


class LexicalIndex:
    """BM25 (k1 1.2, b 0.75) over a list of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        # Loaded at first use: it is 20 MB of machine code.
        import tantivy  # noqa: PLC0415

        self._tantivy: Any = tantivy
        schema = (
            tantivy.SchemaBuilder()
            .add_text_field(_FIELD, tokenizer_name="whitespace", index_option="freq")
            .add_unsigned_field("number", stored=False, fast=True)
            .build()
        )
        self._schema = schema
        self._index = tantivy.Index(schema)
        writer = self._index.writer(_WRITER_BYTES, 1)  # one thread: one order of documents
        for number, text in enumerate(texts):
            document = tantivy.Document()
            document.add_text(_FIELD, " ".join(_token(term) for term in search_terms(text)))
            document.add_unsigned("number", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Numbers and scores of the best texts for a query, best first."""
        terms = list(dict.fromkeys(search_terms(text)))
        if not terms:
            return []
        query = self._tantivy.Query
        should = self._tantivy.Occur.Should
        wanted = query.boolean_query(
            [
                (should, query.term_query(self._schema, _FIELD, _token(term), "freq"))
                for term in terms
            ]
        )
        found = self._searcher.search(wanted, limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in found])
        scored = [(int(number or 0), float(score)) for number, (score, _) in zip(numbers, found, strict=True)]
        return sorted(scored, key=lambda hit: (-hit[1], hit[0]))


def _token(term: str) -> str:
    """A term without white space, which parts terms here."""
    return term.replace(" ", "_")
