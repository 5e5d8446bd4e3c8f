"""The bundle of the page: the script and the style that ``npm run build`` made from ``web/``."""

from importlib.resources import files
from typing import Final

from assay.errors import UseError
from assay.extra import install_command

NAMES: Final = ("app.js", "app.css")
REMEDY: Final = (
    "the page is not built: its script is made from the folder web/ with npm. In a clone, run "
    f"make page; otherwise install a wheel that contains it: {install_command(again=True)}"
)


def bundle_file(name: str) -> bytes:
    """A file of the bundle; raises ``UseError`` with the remedy if it was not built."""
    try:
        return (files("assay.web") / "bundle" / name).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise UseError(REMEDY) from None


def is_built() -> bool:
    """Whether the bundle exists."""
    return all((files("assay.web") / "bundle" / name).is_file() for name in NAMES)
