import pytest

from assay.jobs.contract.clause import ClauseQuestion
from assay.jobs.contract.handler import ReviewHandler
from assay.jobs.contract.law_citation import LawStore, LawText
from assay.jobs.contract.reply import parse_review
from assay.jobs.contract.reply_check import (
    Judge,
    check_citations,
    check_reply_offline,
    quoted_text,
    stored_checks,
)
from assay.records import Answer, Case, Variant
from assay.systems.scripted import ScriptedSystem

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
def test_the_finding_says_what_is_wrong_with_a_citation(cited: str, findings: list[str | None]):
    """A finding says whether the law, the article or the quoted text is wrong, in any language."""
    assert [citation.finding for citation in check_citations(cited, STORE)] == findings


def test_without_laws_a_citation_has_no_finding():
    """Without laws a citation is neither valid nor invented."""
    (citation,) = check_citations("Harbour Act, section 22", None)
    assert (citation.law, citation.article, citation.finding) == ("Harbour Act", "22", None)


def test_a_quotation_may_hold_quotation_marks():
    """A quotation ends at the last closing mark; the name of the law is not a quotation."""
    assert quoted_text(": “The “Fee” is due.”") == "The “Fee” is due."
    assert quoted_text(" «Кодекса порта»", "Кодекса порта") is None
    assert quoted_text(", unclosed “mark") is None


def test_both_scores_and_the_candidate_are_kept():
    """A checked quotation has both scores, the most similar part of the clause, and reasons."""
    clause = "The fee is 300. The Tenant pays it within 30 days."
    review = parse_review("Level: high\nEvidence: “The Tenant pays it within 20 days.”")
    (quotation,) = check_reply_offline(review, clause, Judge()).evidence
    assert not quotation.valid
    assert quotation.score is not None
    assert quotation.embedding_score is not None
    assert quotation.start is not None
    assert quotation.candidate == clause[quotation.start : quotation.end]
    assert "30 days" in quotation.candidate
    assert quotation.reasons


@pytest.mark.parametrize("score", [5.0, -0.2])
def test_a_stored_score_that_no_verifier_gives_is_refused(score: float):
    """The quotation would count as found, or as invented, by a number from a damaged file."""
    quotation = {"text": "thirty days", "valid": True, "score": score}
    with pytest.raises(ValueError, match=rf"'thirty days' has the score {score:g}, which is not"):
        stored_checks({"evidence": [quotation], "citations": []})
    sound = stored_checks({"evidence": [quotation | {"score": 1.0}, {**quotation, "score": None}]})
    assert [each.score for each in sound.evidence] == [1.0, None]
    assert stored_checks(sound) == sound


def test_a_review_does_not_score_by_a_damaged_verdict():
    """Scoring fails, so that the answer stays without a score."""
    clause = ClauseQuestion(id="c1", text="Notice is thirty days.", risk_level="high")
    handler = ReviewHandler(ScriptedSystem(lambda *_: "x"), [clause], Judge())
    case = Case(question=clause, variant=Variant(name="on"), key="c1::on::", fingerprint="")
    verdict = {"evidence": [{"text": "thirty days", "valid": True, "score": 5}], "citations": []}
    answer = Answer(text='{"risk_level": "high", "evidence": ["thirty days"]}')
    with pytest.raises(ValueError, match="has the score 5"):
        handler.score(case, answer, verdict)
