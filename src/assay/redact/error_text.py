"""Texts of errors, which are written and shown without secrets of any form.

A library may put the key, the header or the address with which it was called into its error.
``assay.mask`` knows only the secrets of this process and of its configuration; a key that the
user's code has from elsewhere is known by its form alone. Answers are not masked like this.
"""

import re
from collections.abc import Mapping
from typing import Final

from assay.mask import MASK, redactor
from assay.redact.key_form import KEYS
from assay.text.lexicon import lazy_pattern

_LITERALS: Final = "|".join(re.escape(literal) for literal, _ in KEYS)
_MAY_HAVE_SECRET: Final = lazy_pattern(
    rf"://|key|secret|token|passw|pass ?(?:code|phrase)|pwd|bearer|authorization|cookie|[^\x00-\x7f]|{_LITERALS}"
)
"""What all secrets have near them; labels of other languages have letters beyond ASCII."""


def masked_error(text: str) -> str:
    """The text of an error with ``***`` in place of what has the form of a secret.

    With redaction, the doors put tags in their place, which can be turned back.

    >>> masked_error("401 for https://me:hunter2@host/v1?api_key=topsecret123")
    '401 for https://***@host/v1?api_key=***'
    """
    return text if redactor() is not None else without_secrets(text)


def masked_errors(errors: Mapping[str, str]) -> dict[str, str]:
    """The same for several errors by their names."""
    return {name: masked_error(text) for name, text in errors.items()}


def without_secrets(text: str) -> str:
    """The text with ``***`` in place of what has the form of a secret."""
    if not _MAY_HAVE_SECRET.search(text):
        return text
    # reads the word lists of three languages, which most errors do not need
    from assay.redact.credential import find_passwords  # noqa: PLC0415
    from assay.redact.secret import find_secrets  # noqa: PLC0415

    rest, parts = 0, []
    for finding in sorted([*find_secrets(text), *find_passwords(text)]):
        if finding.end > rest:  # findings may overlap
            parts += [text[rest : max(rest, finding.start)]]
            parts += [MASK] if finding.start >= rest else []
            rest = finding.end
    return "".join([*parts, text[rest:]])
