"""Check a reply: each quotation is compared with the clause, each citation with the laws."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from assay.checks.quotation import THRESHOLD, Verification, verify_quotation
from assay.jobs.contract.classification import RISK_SCORES, Worth
from assay.jobs.contract.law import read_law_file
from assay.jobs.contract.law_citation import (
    LawCitation,
    LawFinding,
    LawStore,
    check_law,
    law_citations,
    name_key,
)
from assay.jobs.contract.reply import ParsedReview
from assay.jobs.contract.risk import QUOTES
from assay.judge.verifier import (
    AligningReranker,
    CrossEncoderReranker,
    OnnxReranker,
    Reranker,
    verify_quotation_with,
)
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.embed.protocol import Embedder
from assay.words.message import Message

_ROUNDING: Final = 1e-6


class Quotation(Struct, frozen=True, kw_only=True):
    """A checked quotation: both scores, and the most similar part of the clause.

    ``start`` and ``end`` are the position of this part, ``candidate``, in the clause. The
    scores and the candidate are ``None`` if there was nothing to compare. ``veto`` has the
    objections of the rules if a model gave the score; without a model it is not set, because
    the rules are part of the score then.
    """

    text: str
    valid: bool
    score: float | None = None
    embedding_score: float | None = None
    candidate: str | None = None
    start: int | None = None
    end: int | None = None
    reasons: tuple[str, ...] = ()
    veto: tuple[str, ...] | UnsetType = UNSET


class Citation(Struct, frozen=True, kw_only=True):
    """One article of a law that the reply cites.

    ``finding`` is ``None`` if it could not be checked, because the reply names no article or
    because there are no laws. Such a citation counts neither as valid nor as invented.
    """

    text: str
    law: str | None = None
    article: str | None = None
    quoted: str | None = None
    finding: LawFinding | None = None


class Checks(Struct, frozen=True, kw_only=True):
    """The checked quotations and citations of a reply."""

    evidence: tuple[Quotation, ...] = ()
    citations: tuple[Citation, ...] = ()


class Laws(Struct, frozen=True, kw_only=True):
    """The laws that citations are checked against, the hash of their file, and notes on it."""

    store: LawStore
    sha256: str
    notes: tuple[Message | str, ...] = ()


class Judge(Struct, frozen=True, kw_only=True):
    """How replies are scored: the verifier, its threshold, the laws, and the value of verdicts.

    ``worth`` has a row for each true level and a column for each stated level.
    """

    embedder: Embedder = HashedEmbedder()
    reranker: Reranker = AligningReranker()
    threshold: float = THRESHOLD
    laws: Laws | None = None
    worth: Worth = RISK_SCORES

    @property
    def is_offline(self) -> bool:
        """Whether the verifier needs no model, so that it never waits."""
        return isinstance(self.embedder, HashedEmbedder) and isinstance(
            self.reranker, AligningReranker
        )

    @property
    def computes(self) -> bool:
        """Whether a model runs in this process, so that the judge is worth a worker."""
        has_model = not isinstance(self.embedder, HashedEmbedder)
        return has_model or isinstance(self.reranker, CrossEncoderReranker | OnnxReranker)

    @property
    def checks_by(self) -> dict[str, Any]:
        """What the checks of quotations and citations depend on, besides the threshold."""
        return {
            "verifier": f"{self.embedder.identity} + {self.reranker.identity}",
            "laws": self.laws.sha256[:12] if self.laws else None,
        }

    @property
    def mark(self) -> dict[str, Any]:
        """The field ``judged_by`` of a row; judges with equal marks give equal scores."""
        mark: dict[str, Any] = {"threshold": self.threshold, **self.checks_by}
        if not is_default(self.worth):
            mark["costs"] = [list(row) for row in self.worth]
        return mark


def is_default(worth: Worth) -> bool:
    """Whether the table of the value of verdicts is the one that comes with assay."""
    return [list(row) for row in worth] == [list(row) for row in RISK_SCORES]


def read_checked_laws(path: Path) -> Laws:
    """Read the laws of a file."""
    file = read_law_file(path)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return Laws(store=file.store, sha256=sha256, notes=file.notes)


def check_fields(checks: Checks) -> dict[str, list[Any]]:
    """The checks as fields of a row."""
    # converted through JSON, so that they equal the fields that are read from a journal
    fields: dict[str, list[Any]] = msgspec.json.decode(msgspec.json.encode(checks))
    return fields


def stored_checks(verdict: Any) -> Checks:
    """The checks of a verdict that was read from a file.

    Raises:
        ValueError: it has other fields, or a score that no verifier gives.
    """
    checks = msgspec.convert(verdict, Checks)
    for quotation in checks.evidence:
        if quotation.score is not None and not -_ROUNDING <= quotation.score <= 1 + _ROUNDING:
            raise ValueError(
                f"the quotation {quotation.text!r} has the score {quotation.score:g}, which is not "
                "in 0..1; take its line out of the file of verdicts to have it checked again"
            )
    return checks


async def check_reply(review: ParsedReview, clause: str, judge: Judge) -> Checks:
    """Check all quotations from the clause and all citations of laws in a reply."""
    evidence = [
        _quotation(
            text,
            await verify_quotation_with(
                text,
                clause,
                embedder=judge.embedder,
                reranker=judge.reranker,
                threshold=judge.threshold,
            ),
        )
        for text in review.evidence
    ]
    return Checks(evidence=tuple(evidence), citations=_citations(review, judge.laws))


def check_reply_offline(review: ParsedReview, clause: str, judge: Judge) -> Checks:
    """The checks of a judge that needs no model (``Judge.is_offline``)."""
    evidence = tuple(check_quotation(text, clause, judge.threshold) for text in review.evidence)
    return Checks(evidence=evidence, citations=_citations(review, judge.laws))


def check_quotation(text: str, clause: str, threshold: float = THRESHOLD) -> Quotation:
    """Compare one quotation with its clause, without a model."""
    return _quotation(text, verify_quotation(text, clause, threshold=threshold))


def _citations(review: ParsedReview, laws: Laws | None) -> tuple[Citation, ...]:
    store = laws.store if laws else None
    return tuple(citation for text in review.laws for citation in check_citations(text, store))


def _quotation(text: str, check: Verification) -> Quotation:
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
        veto=UNSET if check.veto is None else check.veto,
    )


def check_citations(text: str, store: LawStore | None) -> list[Citation]:
    """The articles that ``text``, one item of a reply's list of laws, cites.

    Without a ``store`` they are not checked. A quotation after a list of articles is valid if
    any of the articles contains it.

    >>> from assay.jobs.contract.law_citation import LawText
    >>> store = LawStore([LawText(name="Harbour Act", article="2", text="Parties act in good faith.")])
    >>> checked = check_citations("Harbour Act, section 2: “Penalties are void.”", store)
    >>> [citation.finding for citation in checked]
    ['text not in article']
    >>> [citation.finding for citation in check_citations("the usual customs", store)]
    [None]
    """
    cited = law_citations(text)
    if not cited:
        return [Citation(text=text)]
    citations = []
    for index, citation in enumerate(cited):
        start = citation.span.start
        next_starts = [other.span.start for other in cited[index + 1 :] if other.span.start > start]
        end = min(next_starts, default=len(text))
        quoted = quoted_text(text[citation.span.end : end], citation.law)
        finding = None if store is None else _finding(citation, quoted, cited, store)
        citations.append(
            Citation(
                text=text,
                law=citation.law,
                article=citation.article,
                quoted=quoted,
                finding=finding,
            )
        )
    return citations


def _finding(
    citation: LawCitation, quoted: str | None, cited: Sequence[LawCitation], store: LawStore
) -> LawFinding:
    finding = check_law(citation, quoted, store)
    if finding != "text not in article":
        return finding
    is_in_another = any(check_law(other, quoted, store) == "valid" for other in cited)
    return "valid" if is_in_another else finding


def quoted_text(text: str, law: str | None = None) -> str | None:
    """The text in quotation marks after a citation; ``None`` if there is none.

    The name of the law itself in quotation marks does not count.

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
                # a quotation may contain quotation marks, so the last closing mark ends it
                return text[start + 1 : text.rfind(closing)].strip() or None
            start = end
        start += 1
    return None
