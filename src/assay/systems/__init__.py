"""What can be asked: the systems under test, and how they are loaded."""

from assay.moved import moved_name


def __getattr__(name: str) -> object:
    """A name that other packages import from here, as in assay 0.1."""
    return moved_name(__name__, name)
