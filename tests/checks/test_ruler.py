"""The name of the rules changes with their verdicts."""

import hashlib
from itertools import product

from assay.checks.abstention import assess_abstention
from assay.checks.answer import check_answer
from assay.checks.citation_support import support
from assay.checks.invention import inventions
from assay.checks.quotation import verify_quotation
from assay.checks.registered import RULER

EXPECTED = (
    "Paris", "$5,000", "2020-08-30", "3 years", "yes", "否", "Anna Maria Petrova", "не указано", "under the roof", "Group A", "USA", "三十天",
)  # fmt: skip
TEXTS = (
    "It is Paris.",
    "It is not in Paris or Rome.",
    "The fee is €5,000, or 5 thousand dollars.",
    "It was signed on 30 August 2020; it ends in August 2023.",
    "It lasts 3 years and 6 months.",
    "Yes, at least 3 years.",
    "No problem, Anna Petrova said.",
    "否（第2页），期限为30日。",
    "В документе нет информации о сроке.",
    "The documents do not mention it. However, the roof is red.",
    "无法从给定的上下文中确定答案。",
    "Group B is under a roof in the United States.",
    "Не указано.",
    "",
)
DIGEST = "8a057b934d83"


def test_the_ruler_has_another_name_when_a_verdict_changes():
    """Bump RULER when this fails, and then pin the new digest: two runs must not share a name of rules."""
    answers = [check_answer(*pair) for pair in product(EXPECTED, TEXTS)]
    quotations = [verify_quotation(*pair) for pair in product(TEXTS, TEXTS)]
    refusals = [assess_abstention(text) for text in TEXTS]
    added = [inventions(text, [TEXTS[3]]) for text in TEXTS]
    supported = [support(text, [passage]) for text, passage in product(TEXTS, TEXTS)]
    verdicts = [
        [(found.outcome, found.leans_right) for found in answers],
        [(found.outcome, found.valid) for found in quotations],
        [(found.outcome, found.leans_abstaining) for found in refusals],
        [[each.text for each in found] for found in added],
        supported,
    ]
    digest = hashlib.sha256(repr(verdicts).encode()).hexdigest()[:12]
    assert (RULER, digest) == ("checks 2", DIGEST)
