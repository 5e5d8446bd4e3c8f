import asyncio

import pytest

from assay.jobs.review.check import EMBEDDED, check_citations, check_reply, quoted_text
from assay.scorers.law_citation import LawStore, LawText
from assay.scorers.risk.reply.parse import parse_review

STORE = LawStore(
    [
        LawText(name="Harbour Act", article="22", text="A court may reduce a penalty."),
        LawText(name="Harbour Act", article="23", text="Interest on interest is void."),
        LawText(name="民法典", article="585", text="违约金过高的，可以适当减少。"),
        LawText(name="Кодекс порта", article="41", text="Пеня не превышает долга."),
    ]
)


@pytest.mark.parametrize(
    ("cited", "findings"),
    [
        ("Harbour Act, section 22", ["valid"]),
        ("Harbour Act, section 22: “A court may reduce a penalty.”", ["valid"]),
        ("Harbour Act, section 22: “The moon is cheese.”", ["text not in article"]),
        ("Harbour Act, section 99", ["article unknown"]),
        ("Moon Act, section 1", ["law unknown"]),
        ("《民法典》第五百八十五条：“违约金过高的，可以适当减少。”", ["valid"]),
        ("ст. 41 «Кодекса порта»: “Пеня не превышает долга.”", ["valid"]),
        ("ст. 41 «Кодекса порта»: “Пеня не ограничена ничем.”", ["text not in article"]),
        ("Harbour Act, sections 22 and 23: “Interest on interest is void.”", ["valid", "valid"]),
        ("Harbour Act, sections 22 and 24", ["valid", "article unknown"]),
        ("the customs of the port", [None]),
    ],
)
def test_the_three_ways_a_citation_is_wrong_are_told_apart(cited: str, findings: list[str | None]):
    """An unknown law, an unknown article and a text that is not in it, in three languages."""
    assert [one.finding for one in check_citations(cited, STORE)] == findings


def test_without_laws_nothing_is_said_of_a_citation():
    """No store, no finding: neither valid nor invented."""
    (found,) = check_citations("Harbour Act, section 22", None)
    assert (found.law, found.article, found.finding) == ("Harbour Act", "22", None)


def test_a_quotation_may_hold_quotation_marks():
    """What is quoted ends at the last mark, and the law's own name is not quoted from it."""
    assert quoted_text(": “The “Fee” is due.”") == "The “Fee” is due."
    assert quoted_text(" «Кодекса порта»", "Кодекса порта") is None
    assert quoted_text(", unclosed “mark") is None


def test_both_scores_and_the_candidate_are_kept():
    """A quotation's record says where in the clause it is nearest, and what disagrees."""
    clause = "The fee is 300. The Tenant pays it within 30 days."
    review = parse_review("Level: high\nEvidence: “The Tenant pays it within 20 days.”")
    (found,) = asyncio.run(check_reply(review, clause, EMBEDDED)).evidence
    assert not found.valid
    assert found.score is not None
    assert found.embedding_score is not None
    assert found.start is not None
    assert found.candidate == clause[found.start : found.end]
    assert "30 days" in found.candidate
    assert found.reasons
