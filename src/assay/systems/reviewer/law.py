"""The laws that a reviewer may cite: an article by its citation, and what it says."""

import hashlib
from pathlib import Path

from msgspec import Struct

from assay.data.contract import read_laws
from assay.records import Passage
from assay.scorers.law_citation import LawStore, canonical_article, law_citations
from assay.text import Language


class Article(Struct, frozen=True, kw_only=True):
    """An article as it was cited, and its text. ``name`` is the law and the article's number."""

    citation: str
    name: str
    text: str

    @property
    def passage(self) -> Passage:
        """The article as something that a reply rests on."""
        return Passage(id=self.name, text=self.text)


class LawBook:
    """A store of laws with a hash of it; without a store no article is known."""

    def __init__(self, store: LawStore | None = None, *, sha256: str = "") -> None:
        self._store = store
        self.sha256 = sha256

    def articles(self, citation: str) -> list[Article]:
        """The articles that a citation names and the store has; what it has not is left out.

        >>> from assay.scorers.law_citation import LawText
        >>> book = LawBook(LawStore([LawText(name="Harbour Act", article="22", text="No penalty.")]))
        >>> [one.text for one in book.articles("Harbour Act, section 22")]
        ['No penalty.']
        >>> book.articles("Harbour Act, section 9")
        []
        """
        found = []
        for cited in law_citations(citation):
            known = self._store.articles_of(cited.law) if self._store and cited.law else None
            text = (known or {}).get(canonical_article(cited.article))
            if text is not None:
                name = f"{cited.law}#{canonical_article(cited.article)}"
                found.append(Article(citation=citation, name=name, text=text))
        return found


def read_law_book(path: Path) -> LawBook:
    """The laws of a file, JSONL or SQLite, with the hash of its bytes."""
    store = read_laws(path)
    return LawBook(store, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def with_text(article: Article, spoken: Language) -> str:
    """A citation with what the article says in quotation marks."""
    colon = "：" if spoken == "zh" else ": "
    return f"{article.citation}{colon}“{article.text}”"
