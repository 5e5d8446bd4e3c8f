"""A telephone that was found once is masked in every spelling, and has one tag."""

from pathlib import Path

import pytest

from assay.redact.mask import Masker
from assay.redact.phone import PhoneTags
from assay.redact.pseudonym import TAG, Forgotten, KeyFile

SPELLINGS = {
    "тел. +7 903 555-77-88": (
        *("+7 903 555-77-88", "+79035557788", "79035557788", "7 903 555 77 88", "89035557788"),
        *("8 (903) 555-77-88", "9035557788", "903 555 77 88", "903-555-7788", "007 903 5557788"),
        *("7.903.555.77.88", "7_903_555_77_88", "7‑903‑555‑77‑88", "＋７９０３５５５７７８８"),
        *("%2B79035557788", "%2B7%20903%20555-77-88", "7+903+555-77-88", "tel:+7-903-555-77-88"),
        *(r"\u002b79035557788", "&#43;7&nbsp;903 555 77 88", "7903\u200b5557788", "79035557788.0"),
        *("7,903,555,77,88", "2026-01-02 79035557788 5", "1. 79035557788 9161112233"),
    ),
    "call +1 212 456 7890": (
        *("12124567890", "2124567890", "(212) 456-7890", "1-212-456-7890", "0012124567890"),
        *("212.456.7890", "011 1 212 456 7890", "１２１２４５６７８９０"),
    ),
    "电话 +86 139 1234 5678": (
        *("8613912345678", "13912345678", "86 139-1234-5678", "008613912345678"),
        *("(+86)13912345678", "１３９１２３４５６７８", "013912345678"),
    ),
    "电话13912345678": ("+86 139 1234 5678", "8613912345678", "+8613912345678"),
    "电话：010-82345678": ("+86 10 8234 5678", "861082345678", "1082345678", "(010) 82345678"),
    "Tel. 020 7946 0958": (
        *("+44 20 7946 0958", "442079460958", "02079460958", "2079460958", "+44 (0)20 7946 0958"),
        *("4402079460958", "00442079460958"),
    ),
    "тел. 916 123-45-67": ("+7 916 123-45-67", "79161234567", "89161234567", "9161234567"),
    "Her number is +49 30 901820": ("4930901820", "030901820", "030/901820", "+49 (0)30 901820"),
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_every_spelling_is_masked_with_one_tag(text: str):
    """The number is alone in its text, without a word that gives it away."""
    masker = Masker(Forgotten())
    (found,) = masker.find(text)
    tag = masker.mask(text)[found.start :]
    for spelling in SPELLINGS[text]:
        for sentence in (f"Иванов: {spelling} / x", f"{spelling}", f"({spelling})，好"):
            masked = masker.mask(sentence)
            assert tag in masked, (spelling, masked)
            assert "+" not in masked.replace("+&", ""), masked


@pytest.mark.parametrize("text", SPELLINGS)
def test_the_other_fields_of_a_record_are_masked(text: str):
    """The spelling may come before the text that gives the number away."""
    for spelling in SPELLINGS[text]:
        masked = Masker(Forgotten()).mask_all({"answer": f"It is {spelling} ok", "question": text})
        tags = {part.split("]")[0] for part in str(masked).split("[")[1:]}
        assert len(tags) == 1, (spelling, masked)
        assert sum(map(str.isdecimal, masked["answer"])) <= 20, masked


def test_the_tag_is_the_same_in_the_next_process(tmp_path: Path):
    """A key that was written with one spelling knows the others."""
    Masker(KeyFile(tmp_path / "key")).mask("тел. +7 916 123-45-67")
    masked = Masker(KeyFile(tmp_path / "key")).mask("x 89161234567, y 79161234567, z 9161234567")
    assert masked == "x [PHONE_1], y [PHONE_1], z [PHONE_1]"


def test_a_digit_before_a_number_stays():
    """The id of a question may end with a digit of its own; the number comes back as it was."""
    masker = Masker(Forgotten())
    masker.mask("电话139 6647 3782")
    masked = masker.mask("q-0-139 6647 3782")
    assert masked.startswith("q-0-[PHONE_")
    assert masker.can_restore(masked)


def test_numbers_of_two_countries_are_two():
    """The same ten digits in Russia and in the USA are not one number."""
    masker = Masker(Forgotten())
    masked = masker.mask("тел. +7 916 223-45-67, call +1 916 223 4567")
    first, second = (part.split("]")[0] for part in masked.split("[")[1:])
    assert first != second


def test_a_number_without_country_belongs_to_the_first_country():
    """What is known later does not make one number of two."""
    tags = PhoneTags()
    tags.add("[PHONE_1]", "916 223-45-67")
    assert tags.tag("+7 916 223 45 67") == "[PHONE_1]"
    tags.add("[PHONE_1]", "+7 916 223 45 67")
    tags.add("[PHONE_1]", "9162234567")
    assert tags.tag("+1 916 223 4567") is None


def test_other_numbers_stay():
    """A number that only contains the digits of a telephone is another number."""
    masker = Masker(Forgotten())
    masker.mask("тел. +7 903 555-77-88")
    for text in (
        "заказ 579035557788",
        "счёт 7903555778855 шт.",
        "в 2035 году 7788 штук",
        "555-77-88",
    ):
        assert masker.mask(text) == text


@pytest.mark.parametrize("first", ["+7 916 123-45-67", "8 916 123-45-67", "916 123-45-67"])
@pytest.mark.parametrize("word", ["тел. ", "тел.: ", "телефон ", "моб. ", ""])
@pytest.mark.parametrize(
    "before", ["директор ИНН 7707083893, ", "ИНН: 7707083893; ", "СНИЛС 112-233-445 95, "]
)
def test_a_telephone_after_another_number_is_a_telephone(before: str, word: str, first: str):
    """The nearest word counts, also if the ten digits pass the check digit of an ИНН."""
    if not word and not first.startswith("+"):
        return  # nothing says what it is
    masker = Masker(Forgotten())
    text = f"{before}{word}{first}, почта a@b.example. Потом: 79161234567 и 8 (916) 123-45-67"
    assert next(each.value for each in masker.find(text) if each.kind == "PHONE") == first
    masked = masker.mask(text)
    assert masked.count("[PHONE_") == 3
    assert "916" not in TAG.sub(
        "", masked
    )  # the mark of the tags is drawn, and may have any digits
    assert "+" not in masked
    assert len({part.split("]")[0] for part in masked.split("[PHONE_")[1:]}) == 1


def test_a_known_tax_number_is_not_cut_out_of_a_telephone():
    """The same ten digits are somebody's ИНН; a + belongs to the telephone."""
    masker = Masker(Forgotten())
    masker.mask("ИНН 9161234567")
    masked = masker.mask("её номер +7 916 123-45-67 и +79161234567")
    assert "+" not in masked
    assert "916" not in masked


@pytest.mark.parametrize(
    "text",
    ["ИНН/ОГРН: 7707083893/1027700132195", "ИНН, ОГРН: 7707083893, 1027700132195",
     "ИНН и тел.: 7707083893, 8 916 123-45-67", "ИНН, КПП, тел. 7707083893"],
)  # fmt: skip
def test_words_that_are_together_keep_their_values(text: str):
    """Several words before several values: all values are masked."""
    masked = Masker(Forgotten()).mask(text)
    assert not any(part in masked for part in ("7707", "1027", "916"))
