"""Quotations that are joined from two places of the source."""

import pytest

from assay import verify_quotation

DUTIES = (
    "The Buyer shall pay the price and the Seller shall bear the cost of transport. The Carrier shall"
    " inspect the goods within five days of loading."
)
DUTIES_ZH = "甲方支付租金，乙方交付房屋。丙方应在收到通知后五日内验收货物。"
DUTIES_RU = "Покупатель оплачивает товар, а Продавец несёт расходы по доставке."


@pytest.mark.parametrize(
    ("quotation", "source", "reason"),
    [
        ("The Buyer shall bear the cost of transport", DUTIES, "party changed: Seller -> Buyer"),
        ("甲方交付房屋", DUTIES_ZH, "party changed: 乙方 -> 甲方"),
        (
            "Покупатель несёт расходы по доставке",
            DUTIES_RU,
            "party changed: Продавец -> Покупатель",
        ),
        (
            "The Seller shall bear the cost of loading",
            DUTIES,
            "parts of different sentences joined: of loading",
        ),
        (
            "乙方交付房屋后五日内验收货物",
            DUTIES_ZH,
            "parts of different sentences joined: 后五日内验收货物",
        ),
    ],
)
def test_two_places_that_say_something_else_together_are_refused(
    quotation: str, source: str, reason: str
):
    """Joined parts of two sentences, or what another party does, are no quotation."""
    check = verify_quotation(quotation, source)
    assert not check.valid
    assert reason in check.reasons


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("the Seller shall bear the cost of transport", DUTIES),
        ("The Buyer shall pay the price. The Carrier shall inspect the goods", DUTIES),
        ("乙方交付房屋", DUTIES_ZH),
        ("丙方应在五日内验收货物", DUTIES_ZH),
        ("Продавец несёт расходы", DUTIES_RU),
        (
            "The Buyer shall pay the price",
            "The Buyer, having received the goods from the Seller, shall pay the price.",
        ),
        ("The Buyer shall pay the price", "The Buyer, Anna Petrova, shall pay the price."),
    ],
)
def test_leaving_out_an_insertion_changes_nothing(quotation: str, source: str):
    """What is left out may stand between commas, or must not end with another name."""
    assert verify_quotation(quotation, source).valid
