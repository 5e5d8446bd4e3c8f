"""Limits beside a value, and how a period stands to an event."""

import pytest

from assay import verify_quotation


@pytest.mark.parametrize(
    ("quotation", "source", "reason"),
    [
        ("The Buyer shall pay at least 5,000 dollars", "The Buyer shall pay 5,000 dollars.", "limit added: at least (5,000 dollars)"),
        ("The Buyer shall pay not more than 5,000 dollars", "The Buyer shall pay 5,000 dollars.", "limit added: not more than (5,000 dollars)"),
        ("The Buyer shall pay 5,000 dollars or more", "The Buyer shall pay 5,000 dollars.", "limit added: or more (5,000 dollars)"),
        ("The Buyer shall pay about 5,000 dollars", "The Buyer shall pay 5,000 dollars.", "limit added: approximate (5,000 dollars)"),
        ("The rent shall be 900 crowns", "The rent shall be up to 900 crowns.", "limit dropped: up to (900)"),
        ("违约金不超过一万元", "任何一方违约，应向对方支付违约金一万元。", "limit added: 不超过 (一万元)"),
        ("违约金一万元以上", "任何一方违约，应向对方支付违约金一万元。", "limit added: 以上 (一万元)"),
        ("违约金约一万元", "任何一方违约，应向对方支付违约金一万元。", "limit added: approximate (一万元)"),
        ("租期三年，可续租", "租期不少于三年，可续租。", "limit dropped: 不少于 (三年)"),
        ("Покупатель уплачивает 5000 рублей", "Покупатель уплачивает не менее 5000 рублей.", "limit dropped: не менее (5000 рублей)"),
        ("Покупатель уплачивает свыше 5000 рублей в год", "Покупатель уплачивает 5000 рублей в год.", "limit added: свыше (5000 рублей)"),
        ("Покупатель уплачивает около 5000 рублей", "Покупатель уплачивает 5000 рублей.", "limit added: approximate (5000 рублей)"),
    ],
)  # fmt: skip
def test_a_limit_on_one_side_only_is_a_change(quotation: str, source: str, reason: str):
    """A quotation that adds or drops a limit, or an approximation, is refused with the reason."""
    check = verify_quotation(quotation, source)
    assert not check.valid
    assert reason in check.reasons


@pytest.mark.parametrize(
    ("quotation", "source", "reason"),
    [
        ("Payment within thirty days before delivery", "Payment is due within thirty days of delivery.", "turned round: of -> before"),
        ("The lease runs within five years", "The lease runs for five years.", "turned round: for -> within"),
        ("Договор может быть расторгнут через 30 дней", "Договор может быть расторгнут за 30 дней.", "turned round: за -> через"),
        ("乙方应在收货后5日前付款", "乙方应在收货后5日内付款。", "turned round: 内 -> 前"),
    ],
)  # fmt: skip
def test_another_relation_of_a_period_is_a_change(quotation: str, source: str, reason: str):
    """A period before, after or within which something happens is not another one."""
    check = verify_quotation(quotation, source)
    assert not check.valid
    assert reason in check.reasons


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("The notice period is no less than 30 days", "The notice period is at least 30 days."),
        ("The rent is 900 crowns or more", "The rent is at least 900 crowns."),
        ("The fee is not more than $500 a year", "The fee shall not be more than $500 a year."),
        ("The fee is paid 30 days after receipt", "The fee is paid within 30 days of receipt."),
        ("At least thirty (30) days are given", "At least 30 days are given."),
        ("赔偿额最高一万元", "赔偿额不超过一万元。"),
        ("赔偿额为1万元以内", "赔偿额不超过一万元。"),
        ("Пеня составляет до 10 % цены", "Пеня составляет не более 10 % цены."),
        (
            "Срок уведомления составляет по меньшей мере 30 дней",
            "Срок уведомления составляет не менее 30 дней.",
        ),
    ],
)
def test_the_same_limit_in_other_words_is_no_change(quotation: str, source: str):
    """Two ways to say one limit, or one relation, agree."""
    assert verify_quotation(quotation, source).valid
