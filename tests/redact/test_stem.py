import sys
from collections.abc import Iterator

import pytest

from assay.redact import stem
from assay.redact.error_text import without_secrets
from tests.redact.labelled import LOOKALIKES, VALUES, draw


@pytest.fixture(autouse=True)
def caches() -> Iterator[None]:
    """No expression or place of another test is used, and none stays for the others."""
    for cache in (stem._expression, stem.stem_places):
        cache.cache_clear()
    yield
    for cache in (stem._expression, stem.stem_places):
        cache.cache_clear()


def test_the_same_stems_are_found_without_re2(monkeypatch: pytest.MonkeyPatch):
    """Errors are masked alike whether the extra is installed or not."""
    texts = [text for text, _ in (*draw(VALUES, 20, 5), *draw(LOOKALIKES, 20, 5))]
    found = [stem.stem_places(text) for text in texts]
    assert sum(map(bool, found)) > 100
    masked = [without_secrets(text) for text in texts]
    monkeypatch.setitem(sys.modules, "re2", None)
    for cache in (stem._expression, stem.stem_places):
        cache.cache_clear()
    assert [stem.stem_places(text) for text in texts] == found
    assert [without_secrets(text) for text in texts] == masked
    assert masked != texts
