"""Loading a Python system by its path, into this process or into one of its own."""

from typing import Literal

from assay.config import PassagesOrder
from assay.systems.protocol import System
from assay.systems.python.isolated import IsolatedPythonSystem
from assay.systems.python.system import PythonSystem
from assay.systems.python.target import read_target


def load_python(
    path: str,
    passages: PassagesOrder | None = None,
    *,
    max_concurrency: int | None = None,
    vouched: int | None = None,
    isolate: Literal["process"] | None = None,
) -> System:
    """Load the system at ``package.module:callable``; the current folder is searched first.

    ``passages`` and ``max_concurrency`` are what the configuration declares, ``vouched`` is the
    number of questions at once that the user asks for. Raises ``SystemLoadError`` if the module
    cannot be imported or has no such callable.
    """
    if isolate == "process":
        return IsolatedPythonSystem(
            path, passages=passages, max_concurrency=max_concurrency, vouched=vouched
        )
    return PythonSystem.of(
        read_target(path), passages=passages, max_concurrency=max_concurrency, vouched=vouched
    )
