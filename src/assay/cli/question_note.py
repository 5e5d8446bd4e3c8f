"""Notes about a file of questions, on standard error."""

from pathlib import Path

from assay.cli.output import echo, note_line
from assay.data.set_note import question_notes
from assay.report.description import noted


def echo_question_notes(*paths: Path) -> None:
    """Say what is probably misspelt in files that were read, how they were read, what was left out."""
    for path in paths:
        for note in question_notes(path):
            echo(note_line(noted(note)), err=True)
