"""Quotations word for word: what they must not be cut off from, and what dots may stand for."""

import pytest

from assay import verify_quotation
from assay.scorers.evidence.verbatim import cut_reasons, is_verbatim

SALE = (
    "The Buyer, Anna Petrova, shall pay the Seller, Boris Ivanov, 5,000 dollars within thirty days of"
    " delivery. The Seller shall not be liable for delays caused by force majeure. The Buyer may"
    " terminate this agreement upon sixty days written notice."
)
LEASE_ZH = "甲方应向乙方支付租金五千元以上，乙方不得将房屋转租给第三方。甲方可以随时检查房屋。"
LEASE_RU = (
    "Арендатор не вправе передавать помещение в субаренду. Штраф составляет 5000 рублей и более."
)


@pytest.mark.parametrize(
    ("quotation", "source", "reason"),
    [
        ("房屋转租给第三方", LEASE_ZH, "denial dropped: 不得"),
        ("转租给第三方", LEASE_ZH, "denial dropped: 不得"),
        ("乙方支付租金", LEASE_ZH, "party changed: 向乙方 -> 乙方"),
        ("甲方应向乙方支付租金五千元", LEASE_ZH, "limit dropped: 以上 (五千元)"),
        ("передавать помещение в субаренду", LEASE_RU, "denial dropped: не"),
        ("Штраф составляет 5000 рублей", LEASE_RU, "limit dropped: и более (5000 рублей)"),
        ("liable for delays caused by force majeure", SALE, "denial dropped: not"),
        (
            "within thirty days of delivery The Seller shall not be liable",
            SALE,
            "parts of different sentences joined: within thirty days of delivery The Seller shall not be liable",
        ),
        (
            "The Buyer, Anna Petrova ... delays caused",
            SALE,
            "parts of different sentences joined: delays caused",
        ),
    ],
)
def test_words_cut_off_from_what_changes_them_are_refused(quotation: str, source: str, reason: str):
    """Words of the source that say something else where they stand are no quotation of it."""
    assert not is_verbatim(quotation, source)
    assert cut_reasons(quotation, source) == (reason,)
    assert not verify_quotation(quotation, source).valid


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("第三方", LEASE_ZH),
        ("乙方不得将房屋转租", LEASE_ZH),
        ("支付租金五千元以上", LEASE_ZH),
        ("甲方应向乙方支付租金", LEASE_ZH),
        ("Арендатор не вправе передавать помещение", LEASE_RU),
        ("5000 рублей", LEASE_RU),
        ("delays caused by force majeure", SALE),
        ("The Seller shall not be liable", SALE),
        ("within thirty days of delivery. The Seller shall not be liable", SALE),
        ("The Buyer … written notice", SALE),
        ("The Buyer [...] shall pay the Seller [...] within thirty days", SALE),
        ("shall pay the Seller … The Seller shall not be liable", SALE),
    ],
)
def test_a_quotation_may_begin_and_end_anywhere_else(quotation: str, source: str):
    """Any other stretch is verbatim, and dots may stand for words within or between sentences."""
    assert is_verbatim(quotation, source)
    assert cut_reasons(quotation, source) == ()
    assert verify_quotation(quotation, source).score == 1.0
