"""Answers whose unit differs from the expected one only by case."""

import pytest

from assay.scorers.correctness import correctness, token_f1
from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("5 MW", "The plant gives 5 mW."),
        ("100 MB", "100 Mb"),
        ("100 megabytes", "100 Mb"),
        ("5 МВт", "Мощность станции 5 мВт."),
        ("5 мегагерц", "5 мГц"),
        ("5 metres", "5 M"),
        ("5 m", "5 M"),
        ("5 MHz", "频率是5mHz。"),
        ("The laser emits 5 mW", "the laser emits 5 MW"),
        ("1 mW", "1000 kW"),
    ],
)
def test_another_unit_is_refused(expected: str, answer: str):
    """The same number with a unit that differs by case is another quantity."""
    found = correctness([expected], answer)
    assert (found.exact, found.contained) == (False, False)
    assert found.f1 < 1
    assert token_f1(expected, answer) < 1
    assert not text_verdict(answer, expected).holds


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("5 kg", "It weighs 5 KG."),
        ("5 MHz", "5 MHZ"),
        ("5 МГц", "частота 5 МГЦ"),
        ("10 km", "10 KM"),
        ("1 MW", "1000 kW"),
        ("5 MW", "5 megawatts"),
        ("5 МВт", "5 мегаватт"),
        ("500 ml", "500 mL"),
        ("5 MW", "It was planned as 5 mW but built as 5 MW."),
    ],
)
def test_the_same_unit_is_kept(expected: str, answer: str):
    """Usual spellings and other units of the same quantity are right."""
    assert correctness([expected], answer).contained
    assert text_verdict(answer, expected).holds
