"""What a person wrote about a run: title, tags, a note, whether it is archived.

It stands beside the journal in ``NAME.about.json`` and belongs to the name: it stays when a run is
started again with ``--fresh``. The files of the run itself are not changed, so that the command
that made it still finds it.
"""

from pathlib import Path
from threading import Lock
from typing import Final

import msgspec
from msgspec.structs import asdict, replace

from assay.data.jsonl import UNREADABLE
from assay.errors import UseError
from assay.jobs.redact import follow_run
from assay.journal import locked_journal, set_aside, write_atomically
from assay.web.api import RunAbout
from assay.web.live_api import AboutChange

LONGEST: Final = {"title": 200, "note": 20_000, "tag": 60}
MOST_TAGS: Final = 30
_writing: Final = Lock()


def about_path(journal: Path) -> Path:
    """The file about the run of a journal."""
    return journal.with_suffix(".about.json")


def read_about(journal: Path) -> RunAbout | None:
    """What was written about a run; ``None`` if nothing was, or if it cannot be read."""
    try:
        return msgspec.json.decode(about_path(journal).read_bytes(), type=RunAbout)
    except (OSError, *UNREADABLE):
        return None


def change_about(journal: Path, change: AboutChange) -> RunAbout:
    """Write what has changed about a run; the rest stays. Returns what is written."""
    given = {name: value for name, value in asdict(change).items() if value is not None}
    if "tags" in given:
        given["tags"] = tuple(dict.fromkeys(tag.strip() for tag in given["tags"] if tag.strip()))
    if "title" in given:
        given["title"] = given["title"].strip()
    _check(given)
    follow_run(journal, is_needed=True)
    with _writing:
        about = replace(read_about(journal) or RunAbout(), **given)
        data = msgspec.json.format(msgspec.json.encode(about), indent=2)
        write_atomically(about_path(journal), data + b"\n")
    return read_about(journal) or about


def _check(given: dict[str, object]) -> None:
    for name in ("title", "note"):
        text = given.get(name)
        if isinstance(text, str) and len(text) > LONGEST[name]:
            raise UseError(f"{name}: has {len(text)} characters, {LONGEST[name]} are allowed")
    tags = given.get("tags", ())
    if isinstance(tags, tuple) and (
        len(tags) > MOST_TAGS or any(len(tag) > LONGEST["tag"] for tag in tags)
    ):
        raise UseError(f"tags: {MOST_TAGS} tags of {LONGEST['tag']} characters are allowed")


def set_run_aside(journal: Path) -> tuple[str, ...]:
    """Take a run off the list: its files are renamed, none is erased. Returns the new names."""
    with locked_journal(journal):  # refused while the run goes on
        moved = set_aside(journal)
    about = about_path(journal)
    if about.exists() and moved:
        target = about.with_name(about.name + moved[0].name.removeprefix(journal.name))
        about.rename(target)
        moved.append(target)
    return tuple(path.name for path in moved)
