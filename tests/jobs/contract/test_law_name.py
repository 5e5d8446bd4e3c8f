"""Names of laws: spellings that are one name."""

import pytest

from assay.jobs.contract.law_citation import name_key, short_keys


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Хозяйственного кодекса Северной области", "«Хозяйственный кодекс Северной области»"),
        ("Зелёный кодекс", "зеленого КОДЕКСА"),
        ("the Harbour Contracts Act", "“HARBOUR CONTRACTS ACT”"),
        ("《云州商事合同条例》", "云州商事合同条例"),
        ("中华人民共和国民法典", "《民法典》"),
    ],
)
def test_names_are_compared_without_their_spelling(first: str, second: str):
    """Quotation marks, case, ё and Russian endings make no difference."""
    assert name_key(first) == name_key(second)


def test_a_name_of_nothing_but_a_state_has_a_key():
    """A name may be only the state, or only a year, and still has short names or none."""
    assert list(short_keys("РФ")) == []
    assert name_key("1984") == ("1984",)
