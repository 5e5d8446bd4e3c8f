from random import Random

import pytest

from assay.data.chronicle.story import chronicle
from assay.data.novel.evidence_location import EvidenceLocator
from assay.text import Language


def test_an_exact_passage_is_found_where_it_stands():
    """Offsets are of the text, and nothing need be said."""
    found = EvidenceLocator("Он пришёл. Он ушёл.").location(" Он ушёл. ")
    assert found is not None
    assert (found.span.start, found.span.end, found.how, found.note) == (11, 19, "exact", "")


def test_a_passage_in_two_places_says_so_and_takes_the_first():
    """Ambiguity is reported with the number of places."""
    found = EvidenceLocator("Да. Нет. Да. Да.").location("Да.")
    assert found is not None
    assert (found.span.start, found.places) == (0, 3)
    assert "3 places" in found.note


def test_the_place_nearest_to_a_hint_is_taken():
    """Where offsets hint at a place, a passage in several places is no longer ambiguous."""
    found = EvidenceLocator("Да. Нет. Да. Да.").location("Да.", near=10)
    assert found is not None
    assert (found.span.start, found.places, found.note) == (9, 1, "")


@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        ("Он сказал:\n«Ещё —\nнет».", '"Еще - нет"', "«Ещё —\nнет»"),
        ("前文。共计４２，０００元\n整。后文。", "共计42,000元整。", "共计４２，０００元\n整。"),
    ],
)
def test_quotes_width_and_line_breaks_make_no_difference(text: str, passage: str, expected: str):
    """The normal form is found and mapped back to what is written."""
    found = EvidenceLocator(text).location(passage)
    assert found is not None
    assert found.how == "normalised"
    assert found.span.of(text) == expected


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
@pytest.mark.parametrize("size", [60, 900])
def test_a_passage_with_slips_is_found_roughly(language: Language, size: int):
    """A changed letter in twenty moves the place found by no more than a few characters."""
    text = chronicle(language, tokens=4000).text
    locator = EvidenceLocator(text)
    random = Random(size)
    for _ in range(4):
        start = random.randrange(len(text) - size)
        letters = list(text[start : start + size])
        for place in random.sample(range(size), size // 20):
            letters[place] = random.choice(("", "x", "жд"))
        found = locator.location("".join(letters))
        assert found is not None
        assert found.how == "fuzzy"
        assert "roughly" in found.note
        assert abs(found.span.start - start) <= 12
        assert abs(found.span.end - start - size) <= 12


def test_a_rough_passage_with_two_likely_places_says_so():
    """Two places equally like the passage are both counted."""
    once = "Глубокой зимой старый мельник нёс через лес тяжёлый мешок овса."
    text = f"{once} Потом долго шёл снег, и никто не выходил из дома. {once}"
    found = EvidenceLocator(text).location(once.replace("тяжёлый", "тежолый"))
    assert found is not None
    assert (found.how, found.places, found.span.start) == ("fuzzy", 2, 0)


@pytest.mark.parametrize("passage", ["", "  ", "Нигде такого предложения в тексте нет."])
def test_what_is_not_there_is_not_found(passage: str):
    """Nothing, and a passage of another book, have no place."""
    assert (
        EvidenceLocator("Поезд подходил к городу. Было сыро и туманно.").location(passage) is None
    )
