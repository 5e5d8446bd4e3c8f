"""Known secrets in Base64 and in percent codes."""

import base64
import json
import os
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.mask import MASK, Mask, base64_forms, looks_secret

KEY = "sk-live/0123+456789=abcx"


@pytest.fixture(name="mask")
def _mask(monkeypatch: pytest.MonkeyPatch) -> Mask:
    for name in list(os.environ):
        if looks_secret(name):
            monkeypatch.delenv(name)
    mask = Mask()
    mask.add([KEY])
    return mask


@given(st.text(min_size=12, max_size=40), st.binary(max_size=5), st.binary(max_size=5))
def test_base64_of_a_longer_text_contains_a_form_of_the_secret(
    value: str, before: bytes, after: bytes
):
    """However many characters are before it, one of three forms is in it, in both alphabets."""
    data = before + value.encode() + after
    forms = list(base64_forms(value))
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        assert any(form in encode(data).decode() for form in forms)


@pytest.mark.parametrize("user", ["", "u:", "me:", "someone:"])
def test_base64_is_masked_in_texts_and_rows(mask: Mask, user: str):
    """A server that repeats its headers puts the password of ``Basic`` into an answer."""
    encoded = base64.b64encode(f"{user}{KEY}".encode()).decode()
    text = mask.text(f"you sent Basic {encoded}")
    row = mask.json(json.dumps({"answer": f"Basic {encoded}"}).encode()).decode()
    for masked in (text, row):
        assert MASK in masked
        assert not any(encoded[at : at + 10] in masked for at in range(8, len(encoded) - 10))


def test_a_secret_alone_leaves_nothing_of_its_base64(mask: Mask):
    """The padding at its end is masked too."""
    assert mask.text(f"b64 {base64.b64encode(KEY.encode()).decode()}.") == f"b64 {MASK}."


@pytest.mark.parametrize(
    "encoded",
    [
        quote(KEY, safe=""),
        quote(KEY),
        quote(KEY, safe="").lower().replace("%2f", "/"),
        "".join(f"%{ord(letter):02x}" for letter in KEY),
        "%73" + KEY[1:],
        quote(base64.b64encode(KEY.encode()).decode(), safe=""),
    ],
)
def test_a_secret_is_masked_whichever_of_its_characters_are_encoded(mask: Mask, encoded: str):
    """No end of it is left over."""
    assert mask.text(f"/ask?a=%20&k={encoded}&b=%FF") == f"/ask?a=%20&k={MASK}&b=%FF"
    row = json.dumps({"answer": f"k={encoded}&b"}).encode()
    assert json.loads(mask.json(row)) == {"answer": f"k={MASK}&b"}


def test_a_secret_that_has_a_code_itself_is_masked_as_it_is_understood(mask: Mask):
    """``%41`` in a secret is read as ``A`` by a server."""
    mask.add(["0123456789ab%41=="])
    for text in ("0123456789ab%41==", "0123456789abA==", "0123456789ab%2541=="):
        assert mask.text(f"key={text}&x") == f"key={MASK}&x"


@pytest.mark.parametrize("text", ["100% sure", "a%20b", "%", "%zz", "%FF%FE", "%E4%BD%A0 好"])
def test_other_texts_with_percent_signs_stay(mask: Mask, text: str):
    """Only a secret is replaced."""
    assert mask.text(text) == text
    row = json.dumps({"answer": text}).encode()
    assert mask.json(row) is row
