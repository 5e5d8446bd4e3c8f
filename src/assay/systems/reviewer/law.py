"""The laws that a reviewer may cite: the articles with their citations and texts."""

import hashlib
from pathlib import Path

from msgspec import Struct

from assay.data.contract import read_laws
from assay.records import Passage
from assay.scorers.law_citation import LawStore, canonical_article, law_citations
from assay.text import Language


class Article(Struct, frozen=True, kw_only=True):
    """An article: its citation as written, its text, and ``name``, the law and the number."""

    citation: str
    name: str
    text: str

    @property
    def passage(self) -> Passage:
        """The article as a passage on which a reply is based."""
        return Passage(id=self.name, text=self.text)


class LawBook:
    """A store of laws and the hash of its content; without a store no article is known."""

    def __init__(self, store: LawStore | None = None, *, sha256: str = "") -> None:
        self._store = store
        self.sha256 = sha256

    def articles(self, citation: str) -> list[Article]:
        """The articles that a citation names; articles that are not in the store are left out.

        >>> from assay.scorers.law_citation import LawText
        >>> book = LawBook(LawStore([LawText(name="Harbour Act", article="22", text="No penalty.")]))
        >>> [article.text for article in book.articles("Harbour Act, section 22")]
        ['No penalty.']
        >>> book.articles("Harbour Act, section 9")
        []
        """
        articles = []
        for cited in law_citations(citation):
            known = self._store.articles_of(cited.law) if self._store and cited.law else None
            text = (known or {}).get(canonical_article(cited.article))
            if text is not None:
                name = f"{cited.law}#{canonical_article(cited.article)}"
                articles.append(Article(citation=citation, name=name, text=text))
        return articles


def read_law_book(path: Path) -> LawBook:
    """Read the laws of a JSONL or SQLite file; the hash is that of the file's bytes."""
    store = read_laws(path)
    return LawBook(store, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def with_text(article: Article, language: Language) -> str:
    """The citation of an article followed by the article's text in quotation marks."""
    colon = "：" if language == "zh" else ": "
    return f"{article.citation}{colon}“{article.text}”"
