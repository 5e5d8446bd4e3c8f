import pytest

from assay.text.language import Simplification, simplified
from assay.text.normalise import normalise, normalised
from assay.text.search_term import exact_match, find_phrase


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("違約責任", "违约责任"), ("後裏", "后里"), ("资讯", "资讯"), ("資訊", "资讯"), ("Статья", "Статья"), ("", ""),
    ],
)  # fmt: skip
def test_traditional_becomes_simplified(text: str, expected: str):
    """Each character is converted to one character, and other text does not change."""
    assert simplified(text) == expected
    assert normalised(text, simplify=True) == expected


def test_the_table_is_closed():
    """Converting twice changes nothing more, whatever the character is."""
    table = Simplification()
    changed = {code: table[code] for code in range(0x3400, 0x2A6E0) if table[code] != code}
    assert len(changed) > 3000
    assert not changed.keys() & changed.values()


def test_matching_across_scripts_is_an_option():
    """A simplified phrase is found in traditional text only if ``simplify`` is true."""
    assert find_phrase("违约责任", "違約責任") is None
    assert find_phrase("违约责任", "承擔違約責任。", simplify=True) is not None
    assert exact_match("違約", "违约", simplify=True)


def test_offsets_are_right_after_simplification():
    """The original span of a simplified piece covers its traditional characters."""
    text = "承擔　違約責任"
    form = normalise(text, simplify=True)
    start = form.text.index("违约")
    assert form.original_span(start, start + 2).of(text) == "違約"
