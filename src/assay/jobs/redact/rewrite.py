"""Mask a text file, or turn its tags back: the work of ``assay redact mask`` and ``reveal``."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from assay.data.line import numbered_lines, read_text
from assay.errors import DatasetError, UseError
from assay.jobs.redact.making import need_libraries
from assay.jobs.redact.scan import TEXT_FILES
from assay.redact import Finder, KeyFile, Masker, Pseudonyms


def masked_file(
    path: Path, pseudonyms: Pseudonyms, finders: Sequence[Finder] = ()
) -> Iterator[str]:
    """The parts of a text file in which every value is a tag. JSON stays valid.

    Raises:
        UseError: it is not a text file, or the extra ``redact`` is not installed.
        DatasetError: it cannot be read, or is not the JSON that its name says.
    """
    need_libraries()
    masker = Masker(pseudonyms, finders)
    yield from _changed(path, masker.mask, masker.mask_all)


def revealed_file(path: Path, key: Path) -> Iterator[str]:
    """The parts of a text file in which every tag that the key knows is its value.

    Raises:
        UseError: there is no key, or it is not a text file.
        DatasetError: it cannot be read, or is not the JSON that its name says.
    """
    if not key.is_file():
        raise UseError(f"{key}: no such key; name the key of the masked text with --key")
    masker = Masker(KeyFile(key))
    yield from _changed(path, masker.reveal, masker.reveal_all)


def _changed(
    path: Path, change: Callable[[str], str], change_all: Callable[[Any], Any]
) -> Iterator[str]:
    suffix = path.suffix.lower()
    if suffix and suffix not in TEXT_FILES:
        raise UseError(f"{path}: not a text file; only text and JSON can be rewritten")
    if suffix == ".jsonl":
        for number, line in numbered_lines(path):
            yield _json(change_all(_decoded(line.decode(), f"{path}:{number}"))) + "\n"
    elif suffix == ".json":
        yield _json(change_all(_decoded(read_text(path), str(path))), indent=2) + "\n"
    else:
        yield change(read_text(path))


def _decoded(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{where}: not JSON: {error}") from None


def _json(value: Any, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text.encode("utf-8", "backslashreplace").decode()  # half a character stays an escape
