"""Optional libraries, which are installed by an extra of this package."""

import importlib
from typing import Any

from assay.errors import UseError


def optional_library(module: str, extra: str, needed_by: str) -> Any:
    """Import a module of an optional library.

    Raises:
        UseError: the library is not installed or cannot be imported; the message names the
            extra that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UseError(
            f"{needed_by} needs {module} ({error}): pip install 'assay[{extra}]'"
        ) from error
