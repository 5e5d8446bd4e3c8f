"""Known secrets are masked in other spellings too, and ordinary text is not."""

import json

import pytest

from assay.mask import MASK, Mask

KEY = "Tq9xZpL3mW8vR2kN7yB4cD6f"


@pytest.fixture(name="mask")
def _mask(monkeypatch: pytest.MonkeyPatch) -> Mask:
    monkeypatch.setattr("os.environ", {})
    mask = Mask()
    mask.add([KEY, "sk_live_51Habc_9Zq", "production-environment", "ordinary-word1"])
    return mask


@pytest.mark.parametrize(
    "spelling",
    [
        KEY,
        "Tq9xZpL3m\u200bW8vR2kN7yB4cD6f",
        "Tq9xZpL3m**W8vR2kN7yB4cD6f",
        "T\u00adq9x`ZpL3m`W8vR2kN\ufeff7yB4cD6f",
        KEY.upper(),
        KEY.lower(),
        KEY[-14:],
        KEY[-12:].upper(),
        KEY[:18],
        "Tq9xZpL3m\u2060W8vR2kN7y",
        "sk_live_51Habc_9Zq",
        r"sk\_live\_51Habc\_9Zq",
    ],
)
def test_a_spelling_is_masked(mask: Mask, spelling: str):
    """In text, in JSON and in JSON with escapes, with nothing of it left."""
    text = f"It is {spelling}, İ said."
    assert mask.text(text) == f"It is {MASK}, İ said."
    for is_ascii in (False, True):
        row = json.dumps({"answer": text, "n": 1}, ensure_ascii=is_ascii).encode()
        assert json.loads(mask.secrets(row)) == {"answer": f"It is {MASK}, İ said.", "n": 1}


@pytest.mark.parametrize(
    "text",
    [
        "The *production* _environment_ is Production-Environment2, **ready**.",
        "Ordinary-Words 1 and 9zq; sk live 51",
        "Tq9xZpL3m and W8vR2k",
        "4cD6f",
        "",
    ],
)
def test_ordinary_text_stays(mask: Mask, text: str):
    """Words of a secret, short pieces of it, and secrets that are words in other letters stay."""
    assert mask.text(text) == text


def test_marks_around_a_secret_stay(mask: Mask):
    """Only what is inside of it belongs to it."""
    assert mask.text(f"**{KEY.upper()}** \u200b") == f"**{MASK}** \u200b"


def test_two_secrets_in_a_row(mask: Mask):
    """Each of them is masked."""
    assert mask.text(f"{KEY.upper()} {KEY.lower()}") == f"{MASK} {MASK}"
