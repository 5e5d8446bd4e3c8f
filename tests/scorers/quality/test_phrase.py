"""Phrases as someone who checks answers reads them."""

import pytest

from assay.scorers.quality.phrase import figures_apart, phrase_span


@pytest.mark.parametrize(
    ("phrase", "text", "said"),
    [
        ("12 641,0", "**12 641,0** млн руб.", "12 641,0"),
        ("37,4", "37,4 тыс. руб.", "37,4"),
        ("4.2", "4.2万元", "4.2"),
        ("13,3–13,8", "13,3-13,8 млрд руб.", "13,3-13,8"),
        ("5", "$5m", "5"),
        ("200", "3 млн 200 тыс.", "200"),
        ("млн", "235млн руб.", "млн"),
        ("XX", "20XX год", "XX"),
        ("违約金", "支付违约金", "违约金"),
        ("не указано", "Срок не **указано** в нём", "не **указано**"),
        ("**", "a ** b", "**"),
        ("9,85%", "9,85 %", "9,85 %"),
    ],
)
def test_a_phrase_is_found_where_it_stands(phrase: str, text: str, said: str):
    """The span covers what the answer writes."""
    span = phrase_span(phrase, text)
    assert span is not None
    assert span.of(text) == said


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("235", "1235млн"),
        ("235", "1 235 млн"),
        ("5", "15 млн"),
        ("5%", "75%"),
        ("млн", "миллион"),
        ("XX", "XXL"),
        ("art", "start"),
        ("Веденяпин", "Веденяпина"),
        ("235 тыс.", "1 235 тыс."),
        ("", "text"),
    ],
)
def test_a_phrase_is_not_found_in_another(phrase: str, text: str):
    """Part of a number, of a word or of another form is none of it."""
    assert phrase_span(phrase, text) is None


def test_figures_apart_keeps_every_offset():
    """The text has the same length, and scale words multiply nothing any more."""
    text = "3 млн 200 тыс., 4.2万, 5k"
    assert len(figures_apart(text)) == len(text)
    assert figures_apart(text) == "3|млн 200|тыс., 4.2|, 5|"
