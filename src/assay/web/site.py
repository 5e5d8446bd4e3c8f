"""Runs as files that can be sent to others: one file, or a folder with an index."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from assay.errors import JournalWriteFailed, UseError
from assay.journal import write_atomically
from assay.web.card import run_card
from assay.web.embedded import LinkedRun, index_page, run_page
from assay.web.run_index import open_run


def write_page(journal: Path, out: Path) -> Path:
    """Write a run as one HTML file."""
    name = journal.stem
    card = run_card(name, journal)
    index = open_run(journal)
    try:
        _write(out, run_page(name, [(card, index)]))
    finally:
        index.close()
    return out


def write_site(journals: Sequence[Path], folder: Path) -> Path:
    """Write a folder with a file for each run and an index; returns the path of the index."""
    linked = []
    files = site_files(journals, folder)
    index = files.pop(None)
    for journal, page in files.items():
        assert journal is not None
        write_page(journal, page)
        linked.append(LinkedRun(card=run_card(journal.stem, journal), href=page.name))
    _write(index, index_page(folder.resolve().name, linked))
    return index


def site_files(journals: Sequence[Path], folder: Path) -> dict[Path | None, Path]:
    """The file of each run in a folder of pages, and that of the index under ``None``."""
    taken: set[str] = {"index"}
    pages: dict[Path | None, Path] = {
        journal: folder / f"{_file_name(journal.stem, taken)}.html" for journal in journals
    }
    return pages | {None: folder / "index.html"}


def _file_name(name: str, taken: set[str]) -> str:
    """A name for a file and an address that is not taken; it is added to ``taken``."""
    stem = unique = re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".") or "run"
    number = 1
    while unique.lower() in taken:
        number += 1
        unique = f"{stem}_{number}"
    taken.add(unique.lower())
    return unique


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content, is_masked=True)  # its data are; the script must not change
    except OSError as error:
        raise UseError(f"{path}: cannot be written: {error.strerror}") from None
    except JournalWriteFailed as error:
        raise UseError(str(error)) from None


def shown_size(paths: Iterable[Path]) -> str:
    """The size of files for people.

    >>> shown_size([])
    '0.0 MB'
    """
    return f"{sum(path.stat().st_size for path in paths) / 1e6:.1f} MB"
