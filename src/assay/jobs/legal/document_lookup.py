"""Find the document of a benchmark file.

A benchmark names its document by a path or only by its name, and the document may lie beside the
questions, in a folder above them, or in a folder for documents. The same document may be there in
another format than the named one, for example as Markdown instead of PDF.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

from assay.data.document.document import is_document
from assay.errors import DatasetError

_LEVELS: Final = 3
"""How many folders are searched: that of the file and those above it."""
_FOLDERS: Final = ("", "documents", "document", "docs", "data", "corpus", "SampleData")
_CONVERTED: Final = ("SampleData/output.md",)
"""Where the legal benchmark's own project keeps its document, which the questions call by another name."""
_KEYS: Final = (
    "path", "file", "file_path", "filepath", "file_name", "filename", "document", "source", "name",
    "title",
)  # fmt: skip
"""The keys of ``document_info`` that may name the document."""
_SUFFIXES: Final = (".md", ".markdown", ".txt", ".pdf", ".docx")


class DocumentOutside(DatasetError):
    """The document that a benchmark file names lies where it must not be read."""


def find_document(
    benchmark: Path, raw: Any, bounds: Path | None = None, given: Path | None = None
) -> Path | None:
    """The path of the document that a benchmark file names; ``None`` if there is no such file.

    ``given`` is the document that somebody names instead, which must exist and lies where it lies.

    ``raw`` is the content of the file. The exact name is preferred to another format. With
    ``bounds``, the document must lie in that folder or in the folder of the benchmark file,
    wherever symbolic links lead. A bare file name may also lie in one of the searched folders.

    Raises:
        DocumentOutside: the file exists, but lies outside.
    """
    if given is not None:
        return given
    names = [*document_names(raw), *_CONVERTED]
    outside: Path | None = None
    for candidates in (_exact, _other_formats):
        for name in names:
            for folder in _folders(benchmark):
                for path in candidates(folder / name):
                    if not is_document(path) or not _is_file(path):
                        continue
                    known = [folder] if name == Path(name).name else []
                    if bounds is None or _is_inside(path, bounds, benchmark.parent, *known):
                        return path
                    outside = outside or path
    if outside is not None:
        raise DocumentOutside(
            f"the document {os.path.normpath(outside)} lies outside {bounds}; move it inside, or "
            "pass --allow-outside-root"
        )
    return None


def check_document(document: Path, bounds: Path | None = None) -> None:
    """Raise ``DatasetError`` if a document that somebody names cannot be read."""
    if not _is_file(document):
        raise DatasetError(f"--document {document}: no such file")
    if not is_document(document):
        raise DatasetError(f"--document {document}: not a document ({', '.join(_SUFFIXES)})")
    if bounds is not None and not _is_inside(document, bounds):
        raise DocumentOutside(
            f"--document {document}: lies outside {bounds}; move it inside, or pass --allow-outside-root"
        )


def searched_folders(benchmark: Path) -> list[Path]:
    """The folders in which the document of a benchmark file is looked for, as far as they exist."""
    return [folder for folder in dict.fromkeys(_folders(benchmark)) if folder.is_dir()]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file system allows
        return False


def _is_inside(path: Path, *folders: Path) -> bool:
    found = path.resolve()
    return any(found.is_relative_to(folder.resolve()) for folder in folders)


def document_names(raw: Any) -> Iterator[str]:
    """The names that the content of a benchmark file gives to its document."""
    if not isinstance(raw, dict):
        return
    if isinstance(raw.get("document"), str) and raw["document"].strip():
        yield raw["document"]
    info = raw.get("document_info")
    if isinstance(info, str) and info.strip():
        yield info
    names = [info.get(key) for key in _KEYS] if isinstance(info, dict) else []
    yield from (name for name in names if isinstance(name, str) and name.strip())


def _folders(benchmark: Path) -> Iterator[Path]:
    for level in range(_LEVELS):
        parent = os.path.normpath(benchmark.parent.joinpath(*[".."] * level))
        for name in _FOLDERS:
            yield Path(parent, name)


def _exact(path: Path) -> tuple[Path, ...]:
    return (path,)


def _other_formats(path: Path) -> list[Path]:
    stem = path.with_suffix("").name if is_document(path) else path.name
    return [path.with_name(f"{stem}{suffix}") for suffix in _SUFFIXES] if stem else []


# A problem of a benchmark file, with its place in the file.

KeyPath: TypeAlias = tuple[str | int, ...]

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class FileProblem(Struct, frozen=True, kw_only=True):
    """A problem: the file, the line, the JSON path, and a message that says what is wrong.

    ``blocks`` is false if the file can be used nevertheless: a quote that is not at its place.
    """

    file: Path
    line: int
    path: str
    message: str
    blocks: bool = True

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.path}: {self.message}"


def json_path(at: KeyPath) -> str:
    """A key path written as JSONPath.

    >>> json_path(("questions", 3, "expected", "amount_total"))
    '$.questions[3].expected.amount_total'
    >>> json_path(("a b",))
    "$['a b']"
    """
    steps = []
    for step in at:
        if isinstance(step, int):
            steps.append(f"[{step}]")
        elif _NAME.fullmatch(step):
            steps.append(f".{step}")
        else:
            steps.append(f"[{step!r}]")
    return "$" + "".join(steps)
