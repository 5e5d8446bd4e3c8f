"""Remove what looks like a secret from data of other tools before it is kept or shown.

The header of a published results file may contain the API key of its author.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

_NAME: Final = re.compile(
    r"api.?key|secret|passw|authori[sz]ation|credential|bearer|(?:access|auth|id|api).?token",
    re.IGNORECASE,
)
_LOGIN: Final = re.compile(r"(?<=://)[^/@\s]*@")
_KEY: Final = re.compile(r"\b(?:sk|pk|key)-[\w-]{8,}")


def without_secrets(value: Any) -> Any:
    """A JSON-like value without anything that looks like a secret.

    >>> without_secrets({"api_key": "k-1", "max_tokens": 9, "url": "https://me:pw@host/v1"})
    {'max_tokens': 9, 'url': 'https://host/v1'}
    """
    if isinstance(value, Mapping):
        return {
            name: without_secrets(item)
            for name, item in value.items()
            if not _NAME.search(str(name))
        }
    if isinstance(value, list | tuple):
        return [without_secrets(item) for item in value]
    return _KEY.sub("***", _LOGIN.sub("", value)) if isinstance(value, str) else value
