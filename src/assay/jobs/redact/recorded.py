"""Mask what earlier runs recorded without redaction: the work of ``assay redact rewrite``.

Each file is replaced as a whole, so that a crash leaves every file either as it was or masked, and
the command can be repeated. Numbers stay as they are. A summary is the last file of its run: it
says that the run is redacted.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from assay.config import Workspace
from assay.errors import UseError
from assay.jobs.redact.relabel import mask_labels
from assay.journal import (
    PLAN_SUFFIX,
    is_being_written,
    locked_journal,
    without_companions,
    write_atomically,
)
from assay.mask import mask_identifier, mask_json, redactor
from assay.models import seal_cache

_TEXTS: Final = frozenset(
    {".jsonl", ".json", ".md", ".csv", ".tsv", ".tex", ".txt", ".xml", ".svg", ".torn", ".old"}
)
_FOLDERS: Final = ("experiments", "eval/runs")
_INPUTS: Final = frozenset({"experiments.yaml", "experiments.yml"})
_DERIVED: Final = (".assay/pdf", ".assay/bench")
"""Folders with the text of documents that a run makes again, then in a private place."""


class Rewritten(Struct, frozen=True, kw_only=True):
    """What was done. ``left`` are files that hold text which cannot be masked in place."""

    files: int = 0
    changed: int = 0
    calls: int = 0
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def rewrite_results(workspace: Workspace, paths: list[Path]) -> Rewritten:
    """Mask the results in these files and folders, or all of the workspace.

    Raises:
        UseError: a path does not exist, or a run is writing to it.
    """
    files = sorted(_files(workspace, paths), key=_is_summary)
    for path in files:
        if path.suffix == ".jsonl" and is_being_written(path):
            raise UseError(f"{path}: a run is writing to this file; wait until it has ended")
    texts = [path for path in files if path.suffix.lower() in _TEXTS]
    for path in texts:  # first everything is searched: a later row may give a value away
        for part in _parts(path):
            mask_json(part)
    journals = [path for path in without_companions(texts) if path.suffix == ".jsonl"]
    changed = sum(mask_labels(path, _parts(path)) for path in journals)
    changed += sum(_rewrite(path) for path in texts)
    left = [str(path) for path in files if path.suffix.lower() not in _TEXTS]
    if paths:
        return Rewritten(files=len(texts), changed=changed, left=tuple(left))
    removed = [str(folder) for folder in _derived(workspace)]
    for folder in removed:
        shutil.rmtree(folder)
    active = redactor()
    calls = seal_cache(workspace.call_cache, active.cipher() if active is not None else None)
    return Rewritten(
        files=len(texts), changed=changed, calls=calls, removed=tuple(removed), left=tuple(left)
    )


def _files(workspace: Workspace, paths: list[Path]) -> Iterator[Path]:
    for path in paths or [workspace.root / folder for folder in _FOLDERS]:
        if path.is_dir():
            found = (each for each in path.rglob("*") if each.is_file() and not each.is_symlink())
            yield from (each for each in found if each.name not in _INPUTS and _is_result(each))
        elif path.exists():
            yield path
        elif paths:
            raise UseError(f"{path}: no such file or folder")


def _is_result(path: Path) -> bool:
    return not path.name.endswith(".lock") and path.suffix.lower() not in {".yaml", ".yml"}


def _is_summary(path: Path) -> tuple[bool, str]:
    return path.suffix == ".json", str(path)


def _derived(workspace: Workspace) -> Iterator[Path]:
    for name in _DERIVED:
        if (workspace.root / name).is_dir():
            yield workspace.root / name
    for folder in workspace.root.glob("*/lexical-*"):
        if (folder / "meta.json").is_file():
            yield folder


def _parts(path: Path) -> Iterator[bytes]:
    """The rows of a file, or all of it."""
    if ".jsonl" in path.suffixes:
        with path.open("rb") as file:
            yield from file
    else:
        yield path.read_bytes()


def _rewrite(path: Path) -> bool:
    """Mask one file, and its name; return whether anything changed."""
    target = path.with_name(mask_identifier(path.name))
    if path.suffix == ".jsonl":
        with locked_journal(path):
            changed = _write(path)
        path.with_name(path.name + ".lock").unlink(missing_ok=True)
    else:
        changed = _write(path)
    if target != path:
        path.rename(target)
    return changed or target != path


def _write(path: Path) -> bool:
    mask = _masked_plan_line if path.name.endswith(PLAN_SUFFIX) else mask_json
    if path.suffix == ".json":
        mask = _masked_summary
    if all(mask(part) == part for part in _parts(path)):
        return False
    times = path.stat()
    write_atomically(path, (mask(part) for part in _parts(path)), is_masked=True)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return True


def _masked_plan_line(line: bytes) -> bytes:
    """A line of a stored plan: its header, or a name with a digest."""
    value = msgspec.json.decode(line)
    if isinstance(value, list):
        masked = [mask_identifier(value[0]), *value[1:]]
    else:
        variants = value.get("variants", {})
        masked = value | {"variants": {mask_identifier(name): variants[name] for name in variants}}
    return line if masked == value else msgspec.json.encode(masked) + b"\n"


def _masked_summary(data: bytes) -> bytes:
    """A summary or another JSON file; a summary then says that its run is redacted."""
    masked = mask_json(data)
    try:
        value = msgspec.json.decode(masked)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return masked
    if (
        isinstance(value, dict)
        and {"job", "experiment_name"} <= value.keys()
        and "redact" not in value
    ):
        value["redact"] = "outputs"
        return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    return masked
