"""Names of the versions of a set: ``NAME.jsonl``, ``NAME.v2.jsonl``, ``NAME.v3.jsonl``."""

import re
from pathlib import Path
from typing import Final

import msgspec

_VERSION: Final = re.compile(r"(?P<name>.+)\.v(?P<number>[1-9]\d{0,5})")


def set_name(path: Path) -> str:
    """The name of a set without its version.

    >>> set_name(Path("questions/law.v2.jsonl")), set_name(Path("law.jsonl"))
    ('law', 'law')
    """
    match = _VERSION.fullmatch(path.stem)
    return match["name"] if match else path.stem


def versions(folder: Path, name: str) -> dict[int, Path]:
    """The versions of a set that exist, by number; a file without a number is version 1."""
    found: dict[int, Path] = {}
    first = folder / f"{name}.jsonl"
    if first.exists():
        found[1] = first
    for path in folder.glob(f"{glob_name(name)}.v*.jsonl"):
        match = _VERSION.fullmatch(path.stem)
        if match and match["name"] == name:
            found[int(match["number"])] = path
    return dict(sorted(found.items()))


def glob_name(name: str) -> str:
    """A name whose signs stand for themselves in a pattern."""
    return re.sub(r"([*?\[])", r"[\1]", name)


def next_version(folder: Path, name: str, *, at_least: int = 1) -> Path:
    """The file of the version after the last one; ``NAME.v1.jsonl`` if there is none."""
    last = max(versions(folder, name), default=0)
    return folder / f"{name}.v{max(last + 1, at_least)}.jsonl"


def renamed_metadata(line: bytes, path: Path) -> bytes:
    """A line of metadata for a new version: a version that it states is that of its file.

    >>> renamed_metadata(b'{"metadata":{"version":"7","by":"T."}}', Path("law.v2.jsonl"))
    b'{"metadata":{"version":"law.v2","by":"T."}}'
    """
    fields = msgspec.json.decode(line)
    if not isinstance(fields["metadata"], dict) or "version" not in fields["metadata"]:
        return line.rstrip(b"\r\n")
    return msgspec.json.encode({**fields, "metadata": {**fields["metadata"], "version": path.stem}})
