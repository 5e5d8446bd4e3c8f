"""What a command says about the files that it writes, and how they stay out of git."""

from pathlib import Path

from assay.cli.output import echo, note_line
from assay.library.privacy import keep_private as keep_out_of_git
from assay.mask import mask_identifier
from assay.words.say import say


def keep_private(path: Path) -> None:
    """Name a file or folder that a command writes in the ``.gitignore`` beside it."""
    note_given_name(path)
    keep_out_of_git(path)


def note_given_name(path: Path) -> None:
    """Say that a name that the user gave is kept, if it contains a value that must not leak."""
    if mask_identifier(path.name) != path.name:
        echo(
            note_line(
                say(
                    "the name of {file} is kept as given, though it contains a value that is masked",
                    file=path,
                )
            ),
            err=True,
        )
