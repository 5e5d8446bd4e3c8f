"""The steps a scenario is made of: write a file, run a command, keep what it wrote."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Write:
    """Put a file into the scenario's folder."""

    path: str
    content: str | bytes


@dataclass(frozen=True)
class Run:
    """Run ``assay`` with these words, split as a shell does.

    ``exit`` is the code it must end with. ``save`` names a record for standard output, where
    that is data; otherwise standard output is recorded among the messages. ``leaves`` names
    files whose bytes the command must not change. ``quiet`` records no messages, for runs
    whose lines come in no fixed order.
    """

    words: str
    exit: int = 0
    save: str | None = None
    leaves: tuple[str, ...] = ()
    quiet: bool = False
    timed: bool = False


@dataclass(frozen=True)
class Keep:
    """Record a file that a command wrote.

    ``timed`` keeps its latencies, which are the same in every run only after ``Retime``.
    """

    path: str
    name: str | None = None
    timed: bool = False


@dataclass(frozen=True)
class Retime:
    """Give every row of a journal a made-up latency that depends on its key alone."""

    path: str


@dataclass(frozen=True)
class Edit:
    """Change a file in the scenario's folder as its user would in an editor."""

    path: str
    change: Callable[[str], str]


@dataclass(frozen=True)
class ListFiles:
    """Record the names of the files in a folder."""

    path: str = "."


Step = Write | Run | Keep | Retime | Edit | ListFiles


@dataclass(frozen=True)
class Scenario:
    """A name, and the steps in their order; they start in an empty folder."""

    name: str
    steps: tuple[Step, ...]


RECORDS = Path(__file__).with_name("records")
