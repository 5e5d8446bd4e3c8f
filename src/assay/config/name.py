"""Names of results: they become names of files, so they must stay inside their folder."""

import re
from typing import Final

from assay.errors import UseError

NAME_PATTERN: Final = r"^\w[\w.-]*$(?!\n)"
"""Letters and digits of any language, ``_``, ``-`` and ``.``, but not first."""
LONGEST_NAME: Final = 150
"""In bytes: file systems allow 255, and the names of files beside it are longer."""


def check_name(name: str, option: str = "--name") -> str:
    """The name, if it is the name of a file; raises ``UseError`` that names ``option``.

    >>> check_name("договор_2.v1")
    'договор_2.v1'
    >>> check_name("../../x")
    Traceback (most recent call last):
    assay.errors.UseError: --name '../../x': use letters, digits, '_', '-' and '.', and begin with a letter or digit
    """
    if not re.match(NAME_PATTERN, name):
        raise UseError(
            f"{option} {name!r}: use letters, digits, '_', '-' and '.', and begin with a letter or "
            "digit"
        )
    if len(name.encode(errors="replace")) > LONGEST_NAME:
        raise UseError(f"{option}: the name is longer than {LONGEST_NAME} bytes")
    return name
