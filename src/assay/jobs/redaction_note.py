"""What a run with redaction has to tell before it begins."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import UNSET

from assay.journal import read_summary, summary_path
from assay.mask import mask_json, redactor
from assay.systems import System

OWN_CODE = ("python:", "command:")
"""How the identities of systems begin that run code of the user."""


def learn_plain_rows(journal: Path) -> None:
    """Search rows that were written without redaction, before they are shown with it."""
    summary = read_summary(summary_path(journal))
    if redactor() is None or (summary is not None and summary.redact is not UNSET):
        return
    with journal.open("rb") as file:
        for line in file:
            mask_json(line)


def redaction_notes(system: System, journal: Path) -> Iterator[str]:
    """One line for each note; none without redaction."""
    active = redactor()
    if active is None:
        return
    kept = "" if active.has_key else "; no key is kept, and there is no call cache"
    where = "in calls to other computers, and " if active.mode == "calls" else ""
    yield f"personal data is masked {where}in everything that is written or shown{kept}"
    if active.mode == "calls" and system.identity.startswith(OWN_CODE):
        yield (
            f"what {system.identity.partition('#')[0]} itself sends to other computers cannot be "
            "seen, and is not masked"
        )
    previous = read_summary(summary_path(journal))
    if previous is not None and previous.redact is UNSET and journal.exists():
        yield (
            f"{journal.name} has rows that were written without redaction; "
            "mask them with: assay redact rewrite"
        )
