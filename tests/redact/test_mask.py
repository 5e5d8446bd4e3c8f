"""Masking: nothing that was found stays, and a masked text stays as it is."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.redact.find import find_values
from assay.redact.known import SHORTEST
from assay.redact.mask import Masker
from assay.redact.pseudonym import Forgotten, KeyFile
from tests.redact.labelled import LOOKALIKES, VALUES, draw

SENTENCES = [text for text, _ in (*draw(VALUES, 2, 11), *draw(LOOKALIKES, 1, 12))]
TEXTS = st.lists(st.sampled_from(SENTENCES) | st.text(max_size=12), max_size=6).flatmap(
    lambda parts: st.sampled_from(["\n", " ", ""]).map(lambda between: between.join(parts))
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
def test_no_value_stays_and_a_masked_text_is_not_changed(text: str):
    """Whatever is found in a text is not in its masked form, which is masked only once."""
    masker = Masker(Forgotten())
    masked = masker.mask(text)
    assert masker.mask(masked) == masked
    for found in find_values(text):
        assert len(found.value) < SHORTEST or found.value not in masked, found


def test_a_value_is_also_masked_where_no_word_gives_it_away():
    """The second place has no "ИНН" before it."""
    masked = Masker(Forgotten()).mask("ИНН 7707083893 и ещё раз: в файле 7707083893.txt")
    assert "7707083893" not in masked
    assert masked.count("[INN_") == 2


@pytest.mark.parametrize("text", SENTENCES[:54:6])
def test_revealing_is_the_opposite_of_masking(tmp_path: Path, text: str):
    """With the key, the text comes back."""
    masker = Masker(KeyFile(tmp_path / "key"))
    masked = masker.mask(text)
    assert masked != text
    assert Masker(KeyFile(tmp_path / "key")).reveal(masked) == text


def test_records_are_masked_with_their_keys():
    """Texts in lists and mappings; numbers stay."""
    record = {"13812345678": ["li@example.cn", 13812345678, None], "n": {"x": "第12条"}}
    masked = Masker(Forgotten()).mask_all(record)
    written = msgspec.json.encode(masked).decode()
    assert "li@example.cn" not in written
    assert "[PHONE_" in next(iter(masked))
    assert masked["n"] == {"x": "第12条"}


def test_the_name_of_a_field_says_what_its_text_is():
    """A password or a tax number is known only by the name that is before it."""
    record = {"password": "Zx1234!abcd", "ИНН": ["7707083893"], "inn": "7707083893", "n": "12"}
    masked = Masker(Forgotten()).mask_all(record)
    assert "Zx1234" not in str(masked)
    assert "7707083893" not in str(masked)
    assert list(masked) == list(record)


def test_unknown_tags_stay():
    """A tag of another key is not turned back."""
    assert Masker(Forgotten()).reveal("[PHONE_7] [x]") == "[PHONE_7] [x]"
