"""Units whose symbols differ only by case."""

import pytest

from assay.text.sentence import symbol_after, unit_symbol


@pytest.mark.parametrize(
    ("first", "second"),
    [("mW", "MW"), ("Mb", "MB"), ("mHz", "MHz"), ("мВт", "МВт"), ("мГц", "МГц"), ("m", "M"),
     ("kN", "kn"), ("mL", "ML"), ("nm", "NM"), ("мОм", "МОм"), ("Mbps", "MBps")],
)  # fmt: skip
def test_case_parts_two_units(first: str, second: str):
    """Where the case of a letter carries meaning, two spellings are two units."""
    assert unit_symbol(first) != unit_symbol(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [("kg", "KG"), ("kg", "Kg"), ("km", "KM"), ("кг", "КГ"), ("МГц", "МГЦ"), ("MHz", "mhz"),
     ("kN", "KN"), ("ml", "mL"), ("mg", "MG"), ("MB", "mb"), ("МВт", "МВТ"), ("MW", "МВт"), ("GHz", "GHZ")],
)  # fmt: skip
def test_usual_spellings_are_one_unit(first: str, second: str):
    """Where no other reading exists, capitals and small letters are the same unit."""
    assert unit_symbol(first) == unit_symbol(second)


def test_a_symbol_is_directly_after_its_number():
    """A word further away, or a longer word, is no symbol of the number."""
    assert symbol_after("5mW", 1) == ("mW", 1, 3)
    assert symbol_after("功率为5MW。", 4) == ("MW", 4, 6)
    assert symbol_after("5 of mW", 1) is None
    assert symbol_after("5 mWs", 1) is None
