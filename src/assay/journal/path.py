"""The files of a run: its journal ``NAME.jsonl`` and what stands beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from assay.errors import UseError

PLAN_SUFFIX: Final = ".plan.jsonl"
VERDICTS_SUFFIX: Final = ".verdicts.jsonl"
DRAW_SUFFIX: Final = ".draw.jsonl"
ORDER_SUFFIX: Final = ".order.jsonl"
COMPANIONS: Final = (PLAN_SUFFIX, VERDICTS_SUFFIX, DRAW_SUFFIX, ORDER_SUFFIX)
"""How the names of files end that stand beside a journal and have lines of their own."""


def summary_path(journal: Path) -> Path:
    """The path of the summary: ``NAME.json`` next to ``NAME.jsonl``."""
    return journal.with_suffix(".json")


def plan_path(journal: Path) -> Path:
    """The path of the stored plan: ``NAME.plan.jsonl`` next to ``NAME.jsonl``."""
    return journal.with_suffix(PLAN_SUFFIX)


def verdicts_path(journal: Path) -> Path:
    """The path of the judges' verdicts: ``NAME.verdicts.jsonl`` next to ``NAME.jsonl``."""
    return journal.with_suffix(VERDICTS_SUFFIX)


def draw_path(journal: Path) -> Path:
    """The path of the answers drawn for labelling: ``NAME.draw.jsonl`` next to ``NAME.jsonl``."""
    return journal.with_suffix(DRAW_SUFFIX)


def order_path(journal: Path) -> Path:
    """The path of the order of asking: ``NAME.order.jsonl`` next to ``NAME.jsonl``."""
    return journal.with_suffix(ORDER_SUFFIX)


def check_rows_path(path: Path) -> Path:
    """The path of a journal; raises ``UseError`` if its companions would have the same name.

    The summary of ``NAME.jsonl`` is ``NAME.json``: rows in a file of that name would be
    overwritten by it.
    """
    if path.suffix != ".jsonl":
        raise UseError(
            f"{path}: rows are written to a file ending in .jsonl (the summary is beside it, in "
            ".json); give such a name"
        )
    if not without_companions([path]):
        raise UseError(
            f"{path}: this is the name of a file that stands beside the rows of "
            f"{path.name.split('.')[0]}; give another name"
        )
    return path


def torn_path(journal: Path) -> Path:
    """The path of incomplete last lines that were set aside: ``NAME.jsonl.torn``."""
    return journal.with_name(journal.name + ".torn")


def find_journals(folder: Path) -> list[Path]:
    """The journals in ``folder``, without the other files that stand beside them.

    A pipe or a device is no journal: reading it would wait for ever.
    """
    return [path for path in without_companions(sorted(folder.glob("*.jsonl"))) if path.is_file()]


def without_companions(paths: Sequence[Path]) -> list[Path]:
    """The paths without plans, verdicts, draws and orders of asking.

    >>> [path.name for path in without_companions([Path("a.jsonl"), Path("a.plan.jsonl")])]
    ['a.jsonl']
    """
    return [path for path in paths if not path.name.endswith(COMPANIONS)]
