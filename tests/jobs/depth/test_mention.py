import pytest

from assay.jobs.depth.novel import Mentions


@pytest.mark.parametrize(
    ("phrase", "sentence"),
    [
        ("Красная площадь", "Он гулял по Красной площади."),
        ("ёлка", "Ёлки, «ЁЛКИ» кругом!"),
        ("孙悟空", "那孙 悟空道："),
        ("42000元", "共计四万二千元。"),
        ("42 000", "It cost 42,000 in all."),
        ("the red house", "The red, red: the Red House!"),
    ],
)
def test_a_mention_is_found_however_it_is_written(phrase: str, sentence: str):
    """Case, endings, punctuation, spaces and number formats make no difference."""
    assert list(Mentions(["Тихо.", sentence, "好。"]).of(phrase)) == [1]


@pytest.mark.parametrize(
    ("phrase", "sentence"),
    [("art", "They start early."), ("235", "All 1235 of them."), ("。", "好。"), ("悟空", "悟。")],
)
def test_what_only_looks_alike_is_no_mention(phrase: str, sentence: str):
    """Parts of words and numbers do not match, nor does a phrase without letters."""
    assert list(Mentions([sentence]).of(phrase)) == []


def test_every_sentence_is_found_once():
    """A sentence that mentions a phrase twice is listed once."""
    assert list(Mentions(["Дом, дом!", "Нет.", "Дом."]).of("дом")) == [0, 2]


def test_a_copy_of_several_sentences_is_found_as_a_whole():
    """Two sentences that are repeated in a row are a copy; one of them alone is not."""
    mentions = Mentions(["А пришёл.", "Б ушёл.", "А пришёл.", "В пел.", "«А пришёл»", "Б ушёл!"])
    assert mentions.copies(0, 2) == [4, 5]
