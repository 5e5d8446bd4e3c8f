"""Libraries that only an extra installs."""

import importlib
from typing import Any

from assay.errors import UseError


def optional_library(module: str, extra: str, needed_by: str) -> Any:
    """A library that only an extra installs.

    Raises:
        UseError: it is not there or does not load; the message names the extra.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UseError(
            f"{needed_by} needs {module} ({error}): pip install 'assay[{extra}]'"
        ) from error
