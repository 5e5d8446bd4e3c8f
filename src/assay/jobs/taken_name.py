"""A name that belongs to another run already: its summary must not be replaced unnoticed."""

from collections.abc import Iterable
from pathlib import Path

from assay.errors import UseError
from assay.journal import Summary, read_summary, summary_path
from assay.mask import mask_text
from assay.records import RunHeader


def refuse_taken_name(journal: Path, header: RunHeader, *, other_systems: bool) -> None:
    """Refuse a run whose name has the results of another job, or of other systems.

    A run that loses none of its systems goes on. ``other_systems`` is true if they are refused too.
    A summary whose rows are gone belongs to no run.

    Raises:
        UseError: The name is taken.
    """
    previous = read_summary(summary_path(journal))
    if previous is None or not journal.is_file() or not journal.stat().st_size:
        return
    if previous.job != header.job:
        raise UseError(_line(journal, f"the job {previous.job}"))
    recorded = _names(previous)
    chosen = _names(header)
    if other_systems and not any(
        recorded <= names for names in (chosen, set(map(mask_text, chosen)))
    ):
        raise UseError(_line(journal, _listed(recorded)))


def _names(run: Summary | RunHeader) -> set[str]:
    return {variant.name for variant in run.variants}


def _listed(names: Iterable[str]) -> str:
    return " and ".join(sorted(names))


def _line(journal: Path, owner: str) -> str:
    return (
        f"{journal}: this name belongs to a run of {owner}, and its summary would be replaced; use "
        "another --name, or --fresh if that is meant (the old files are kept)"
    )
