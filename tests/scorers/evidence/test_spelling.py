"""Character references of HTML in a quotation or in its source."""

import pytest

from assay.judges.verifier import verify_quotation

PAIRS = [
    (
        "Smith &amp; Jones pay the rent within 30 days.",
        "Smith & Jones pay the rent within 30 days.",
    ),
    ("The fee is 5&nbsp;000 dollars per month.", "The fee is 5 000 dollars per month."),
    ("The &quot;Tenant&quot; pays on Monday.", 'The "Tenant" pays on Monday.'),
    ("The level is &lt;5 mg in all samples.", "The level is <5 mg in all samples."),
    ("pages 10&#8211;20 are missing here", "pages 10–20 are missing here"),
    ("pages 10&#x2013;20 are missing here", "pages 10–20 are missing here"),
    ("The fee is &euro;500 per month.", "The fee is €500 per month."),
    ("It was &minus;5&nbsp;&deg;C at night.", "It was −5 °C at night."),
    ("Фирма &laquo;Орёл&raquo; платит 5&nbsp;000 рублей.", "Фирма «Орёл» платит 5 000 рублей."),
    ("甲方&ldquo;宏达&rdquo;公司应于5日内付款。", "甲方“宏达”公司应于5日内付款。"),
]


@pytest.mark.parametrize(("escaped", "shown"), PAIRS)
def test_a_character_reference_is_its_character(escaped: str, shown: str):
    """A quotation that was copied from the source of a web page is merely reformatted."""
    for quotation, source in ((escaped, shown), (shown, escaped)):
        check = verify_quotation(quotation, f"{source} The rest is silence.")
        assert (check.valid, check.reasons) == (True, ())


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        (
            "Smith &amp; Jones pay within 20 days.",
            "Smith & Jones pay within 30 days. The rest is silence.",
        ),
        ("5&nbsp;001 dollars are paid", "5 000 dollars are paid each year."),
    ],
)
def test_a_change_beside_a_character_reference_is_found(quotation: str, source: str):
    """What the characters say is compared as usual."""
    assert not verify_quotation(quotation, source).valid
