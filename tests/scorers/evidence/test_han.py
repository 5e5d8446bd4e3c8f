"""Chinese characters in one spelling."""

import pytest

from assay import verify_quotation


@pytest.mark.parametrize(
    ("quotation", "source", "valid"),
    [
        ("租金五仟元", "租金五千元。", True),
        ("租金人民币伍仟元整", "租金人民币5000元整。", True),
        ("租金伍仟圆整", "租金伍仟元整。", True),
        ("租金5仟元", "租金五千元。", True),
        ("乙方每月支付租金五仟元", "乙方每月支付租金五万元。", False),
        ("六某向伍某借款三年", "陆某向伍某借款三年。", False),
    ],
)
def test_formal_numerals_are_the_usual_ones(quotation: str, source: str, valid: bool):
    """The formal characters of a numeral change nothing; a surname is no numeral."""
    assert verify_quotation(quotation, source).valid is valid
