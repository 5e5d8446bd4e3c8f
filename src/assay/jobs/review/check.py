"""What is checked of a reply: each quotation against the clause, each citation against the laws."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.contract import read_laws
from assay.judges.verifier import AligningReranker, Reranker, verify_evidence
from assay.rag.embed import Embedder, HashedEmbedder
from assay.scorers.evidence import THRESHOLD
from assay.scorers.law_citation import (
    LawCitation,
    LawFinding,
    LawStore,
    check_law,
    law_citations,
    name_key,
)
from assay.scorers.risk import RISK_SCORES
from assay.scorers.risk.reply import QUOTES, ParsedReview

Worth = Sequence[Sequence[float]]


class Quotation(Struct, frozen=True, kw_only=True):
    """A quotation and what became of it: both scores, and the part of the clause it is nearest.

    The scores and the candidate are ``None`` where there was nothing to compare.
    """

    text: str
    valid: bool
    score: float | None = None
    embedding_score: float | None = None
    candidate: str | None = None
    start: int | None = None
    end: int | None = None
    reasons: tuple[str, ...] = ()


class Citation(Struct, frozen=True, kw_only=True):
    """A law as the reply cites it, one article each.

    ``finding`` is ``None`` where nothing could be checked: no article is named, or no laws
    were given. Such a citation counts neither as valid nor as invented.
    """

    text: str
    law: str | None = None
    article: str | None = None
    quoted: str | None = None
    finding: LawFinding | None = None


class Checks(Struct, frozen=True, kw_only=True):
    """All that a reply quotes and cites, checked."""

    evidence: tuple[Quotation, ...] = ()
    citations: tuple[Citation, ...] = ()


class Laws(Struct, frozen=True, kw_only=True):
    """The laws that citations are checked against, and a hash of their file."""

    store: LawStore
    sha256: str


class Judge(Struct, frozen=True, kw_only=True):
    """By what replies are judged: what verifies evidence, from which score, the laws, the costs."""

    embedder: Embedder = HashedEmbedder()
    reranker: Reranker = AligningReranker()
    threshold: float = THRESHOLD
    laws: Laws | None = None
    worth: Worth = RISK_SCORES

    @property
    def mark(self) -> dict[str, Any]:
        """What a row says of its judge; equal marks judge alike."""
        mark: dict[str, Any] = {
            "threshold": self.threshold,
            "verifier": f"{self.embedder.identity} + {self.reranker.identity}",
            "laws": self.laws.sha256[:12] if self.laws else None,
        }
        if not is_default(self.worth):
            mark["costs"] = [list(row) for row in self.worth]
        return mark


EMBEDDED: Final = Judge()
"""The judge that needs nothing but assay."""


def is_default(worth: Worth) -> bool:
    """Whether a table of what verdicts are worth is the one that comes with assay."""
    return [list(row) for row in worth] == [list(row) for row in RISK_SCORES]


def read_checked_laws(path: Path) -> Laws:
    """The laws of a file, JSONL or SQLite."""
    store = read_laws(path)
    return Laws(store=store, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def checks_from_row(checks: Checks) -> dict[str, list[Any]]:
    """The checks as a row holds them."""
    # by way of JSON, so that they are equal to what comes back from a journal
    made: dict[str, list[Any]] = msgspec.json.decode(msgspec.json.encode(checks))
    return made


async def check_reply(review: ParsedReview, clause: str, judge: Judge) -> Checks:
    """Check all that a reply quotes from its clause and cites from the laws."""
    return Checks(
        evidence=tuple([await check_quotation(text, clause, judge) for text in review.evidence]),
        citations=tuple(
            citation
            for text in review.laws
            for citation in check_citations(text, judge.laws.store if judge.laws else None)
        ),
    )


async def check_quotation(text: str, clause: str, judge: Judge) -> Quotation:
    """Check one quotation."""
    check = await verify_evidence(
        text,
        clause,
        embedder=judge.embedder,
        reranker=judge.reranker,
        threshold=judge.threshold,
    )
    best = check.candidate
    return Quotation(
        text=text,
        valid=check.valid,
        score=check.score,
        embedding_score=check.embedding_score,
        candidate=best.text if best else None,
        start=best.span.start if best else None,
        end=best.span.end if best else None,
        reasons=check.reasons,
    )


def check_citations(text: str, store: LawStore | None) -> list[Citation]:
    """Each article that one item of a reply's laws cites, checked where there is a store.

    Text quoted after a list of articles belongs to any of them.

    >>> from assay.scorers.law_citation import LawText
    >>> store = LawStore([LawText(name="Harbour Act", article="2", text="Parties act in good faith.")])
    >>> [one.finding for one in check_citations("Harbour Act, section 2: “Penalties are void.”", store)]
    ['text not in article']
    >>> [one.finding for one in check_citations("the usual customs", store)]
    [None]
    """
    cited = law_citations(text)
    if not cited:
        return [Citation(text=text)]
    made = []
    for place, one in enumerate(cited):
        after = [
            other.span.start for other in cited[place + 1 :] if other.span.start > one.span.start
        ]
        quoted = quoted_text(text[one.span.end : min(after, default=len(text))], one.law)
        finding = None if store is None else _finding(one, quoted, cited, store)
        made.append(
            Citation(text=text, law=one.law, article=one.article, quoted=quoted, finding=finding)
        )
    return made


def _finding(
    one: LawCitation, quoted: str | None, cited: Sequence[LawCitation], store: LawStore
) -> LawFinding:
    finding = check_law(one, quoted, store)
    if finding != "text not in article":
        return finding
    held = any(check_law(other, quoted, store) == "valid" for other in cited)
    return "valid" if held else finding


def quoted_text(text: str, law: str | None = None) -> str | None:
    """What stands in quotation marks after a citation; ``None`` where nothing does.

    The law's own name in quotation marks is not a quotation from it.

    >>> quoted_text("«Кодекс порта»: “Пеня ограничена.”", "Кодекс порта")
    'Пеня ограничена.'
    """
    openings = {pair[0]: pair[1] for pair in QUOTES}
    start = 0
    while start < len(text):
        closing = openings.get(text[start])
        end = text.find(closing, start + 1) if closing else -1
        if closing and end > start:
            inside = text[start + 1 : end]
            if law is None or name_key(inside) != name_key(law):
                # quotation marks inside the quotation end it too early: the last one ends it
                return text[start + 1 : text.rfind(closing)].strip() or None
            start = end
        start += 1
    return None
