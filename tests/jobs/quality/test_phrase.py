"""Whether an answer contains a phrase, judged as a human reader would."""

import pytest

from assay.jobs.quality.score import detach_scale_words, phrase_span


@pytest.mark.parametrize(
    ("phrase", "text", "written"),
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
def test_the_span_of_a_phrase_covers_its_text(phrase: str, text: str, written: str):
    """The span covers the phrase as the answer writes it."""
    span = phrase_span(phrase, text)
    assert span is not None
    assert span.of(text) == written


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
def test_a_phrase_is_not_found_inside_a_longer_one(phrase: str, text: str):
    """A part of a number or word, and another form of a word, do not match."""
    assert phrase_span(phrase, text) is None


def test_detaching_scale_words_keeps_every_offset():
    """The text keeps its length, and scale words no longer multiply a figure."""
    text = "3 млн 200 тыс., 4.2万, 5k"
    assert len(detach_scale_words(text)) == len(text)
    assert detach_scale_words(text) == "3|млн 200|тыс., 4.2|, 5|"
