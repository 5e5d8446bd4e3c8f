"""Values that were found before are found again without their words."""

from pathlib import Path

import pytest

from assay.redact.known import KnownValues
from assay.redact.mask import Masker
from assay.redact.pseudonym import Forgotten, KeyFile


def test_thousands_of_values_are_found():
    """Those that are compiled and those that are not yet, each whole."""
    known = KnownValues()
    values = [f"user{number}@example.org" for number in range(1000)]
    known.add(("EMAIL", value) for value in values)
    text = f"ask {values[3]}, {values[999]} or {values[10]}x and x{values[5]}"
    found = {each.value for each in known.find(text)}
    assert found == {values[3], values[999]}


@pytest.mark.parametrize(
    "text", ["7707083893", "№7707083893;", "в файле x7707083893.txt", "7707 083 893"]
)
def test_a_number_is_known_in_other_spellings(text: str):
    """The document said "ИНН", the answer does not."""
    masker = Masker(Forgotten())
    masker.mask("ИНН 7707083893")
    assert "[INN_" in masker.mask(text)


def test_a_longer_number_is_not_masked():
    """Digits inside another number are another number."""
    masker = Masker(Forgotten())
    masker.mask("ИНН 7707083893")
    assert masker.mask("сумма 177070838930 шт.") == "сумма 177070838930 шт."


def test_values_of_a_key_are_known_to_the_next_process(tmp_path: Path):
    """A resumed run masks what the first one found."""
    Masker(KeyFile(tmp_path / "key")).mask("СНИЛС лица: 112-233-445 95")
    assert Masker(KeyFile(tmp_path / "key")).mask("ответ 112-233-445 95") == "ответ [SNILS_1]"


def test_all_texts_of_a_record_are_searched_before_one_is_masked():
    """The word that gives the value away may be in a later field."""
    masked = Masker(Forgotten()).mask_all({"answer": "It is 7707083893.", "text": "ИНН 7707083893"})
    assert "7707083893" not in str(masked)


def test_a_private_key_is_masked_line_by_line():
    """A text that is divided at lines shows none of them."""
    line = "MIIEpAIBAAKCAQEAx7Jq2m4T9QwL0a"
    masker = Masker(Forgotten())
    masker.mask(f"-----BEGIN RSA PRIVATE KEY-----\n{line}\n-----END RSA PRIVATE KEY-----")
    assert line not in masker.mask(f"second line: {line}")


def test_a_value_that_was_cut_off_is_masked():
    """A log line or a message shows the beginning of a text, which may end inside a value."""
    masker = Masker(Forgotten())
    masker.mask("电话13812345678")
    assert "1381234" not in masker.mask("the reply has no text: 13812345…")
    assert masker.mask("第13812…") == "第13812…"  # too short to say what it was


def test_a_value_in_an_address_is_masked():
    """The message of an error names the address with the question in it."""
    masker = Masker(Forgotten())
    masker.mask("Телефон +7 903 438-06-69 отключён.")
    masked = masker.mask("cannot connect to http://x.org/?q=%2B7%20903%20438-06-69&n=1")
    assert "903" not in masked
