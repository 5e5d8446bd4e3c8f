from random import Random

import pytest

from assay.jobs.depth.chronicle.story import chronicle
from assay.jobs.depth.novel import EvidenceLocator
from assay.text.language import Language


def test_an_exact_passage_is_found_where_it_is():
    """An exact passage gives its offsets in the text and no note."""
    location = EvidenceLocator("Он пришёл. Он ушёл.").location(" Он ушёл. ")
    assert location is not None
    assert (location.span.start, location.span.end, location.how, location.note) == (
        11,
        19,
        "exact",
        "",
    )


def test_a_passage_in_two_places_says_so_and_takes_the_first():
    """The note of an ambiguous passage gives the number of places."""
    location = EvidenceLocator("Да. Нет. Да. Да.").location("Да.")
    assert location is not None
    assert (location.span.start, location.places) == (0, 3)
    assert "3 places" in location.note


def test_the_place_nearest_to_a_hint_is_taken():
    """With a hint, the nearest place is used and a repeated passage is not ambiguous."""
    location = EvidenceLocator("Да. Нет. Да. Да.").location("Да.", near=10)
    assert location is not None
    assert (location.span.start, location.places, location.note) == (9, 1, "")


@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        ("Он сказал:\n«Ещё —\nнет».", '"Еще - нет"', "«Ещё —\nнет»"),
        ("前文。共计４２，０００元\n整。后文。", "共计42,000元整。", "共计４２，０００元\n整。"),
    ],
)
def test_quotes_width_and_line_breaks_make_no_difference(text: str, passage: str, expected: str):
    """A match of the normalised form is mapped back to the original text."""
    location = EvidenceLocator(text).location(passage)
    assert location is not None
    assert location.how == "normalised"
    assert location.span.of(text) == expected


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
@pytest.mark.parametrize("size", [60, 900])
def test_a_passage_with_slips_is_found_roughly(language: Language, size: int):
    """If one letter in twenty is changed, the location is wrong by at most 12 characters."""
    text = chronicle(language, tokens=4000).text
    locator = EvidenceLocator(text)
    random = Random(size)
    for _ in range(4):
        start = random.randrange(len(text) - size)
        letters = list(text[start : start + size])
        for index in random.sample(range(size), size // 20):
            letters[index] = random.choice(("", "x", "жд"))
        location = locator.location("".join(letters))
        assert location is not None
        assert location.how == "fuzzy"
        assert "roughly" in location.note
        assert abs(location.span.start - start) <= 12
        assert abs(location.span.end - start - size) <= 12


def test_a_rough_passage_with_two_likely_places_says_so():
    """Two places that are equally similar to the passage are both counted."""
    sentence = "Глубокой зимой старый мельник нёс через лес тяжёлый мешок овса."
    text = f"{sentence} Потом долго шёл снег, и никто не выходил из дома. {sentence}"
    location = EvidenceLocator(text).location(sentence.replace("тяжёлый", "тежолый"))
    assert location is not None
    assert (location.how, location.places, location.span.start) == ("fuzzy", 2, 0)


@pytest.mark.parametrize("passage", ["", "  ", "Нигде такого предложения в тексте нет."])
def test_what_is_not_there_is_not_found(passage: str):
    """An empty passage and a passage from another book are not found."""
    assert (
        EvidenceLocator("Поезд подходил к городу. Было сыро и туманно.").location(passage) is None
    )
