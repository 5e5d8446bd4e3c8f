"""Mask a text file, or turn its tags back: the work of ``assay redact mask`` and ``reveal``."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.workspace import Workspace
from assay.data.jsonl import numbered_lines, read_text
from assay.errors import DatasetError, UseError
from assay.jobs.redaction.scan import TEXT_FILES
from assay.judge.draw import Drawn, read_draws
from assay.judge.label import text_hash
from assay.judge.label_store import (
    labels_path,
    masked_label,
    pairs_path,
    read_labels,
    read_preferences,
)
from assay.mask import is_sealed, mask_identifier, mask_json, redactor, sealed, sealed_record
from assay.models.cache_file import seal_cache
from assay.records import DIGEST_BYTES
from assay.redact.finding import Finder
from assay.redact.mask import Masker
from assay.redact.pseudonym import KeyFile, Pseudonyms, UnfinishedKey, default_key_path
from assay.redact.redaction import Redaction
from assay.runs.make_redaction import need_libraries
from assay.runs.read import migrate
from assay.runs.redaction import applied
from assay.runs.summary import is_leftover, write_atomically
from assay.runs.write import (
    DRAW_SUFFIX,
    PLAN_SUFFIX,
    draw_path,
    is_being_written,
    locked_journal,
    torn_path,
    without_companions,
)
from assay.study.labelled import row_answer

# Mask the labels of a run together with its rows, so that they still are about its answers.
#
# A label names the version of its answer by a hash of the text. Masking changes the text, so the hash
# is replaced too. Labels are written before the rows: after a crash, the hashes that are already
# new stay, and the others are found in the rows.


def _label_files(journal: Path) -> Iterator[tuple[Path, Sequence[Any]]]:
    """The files of labels, of preferences and of drawn answers of a run, with their rows."""
    labels = labels_path(journal)
    yield labels, read_labels(labels)
    yield pairs_path(labels), read_preferences(pairs_path(labels))
    yield draw_path(journal), read_draws(journal)


def _torn_labels(journal: Path) -> Iterator[Path]:
    """What killed processes left of labels."""
    labels = labels_path(journal)
    torn = (torn_path(path) for path in (labels, pairs_path(labels)))
    return (path for path in torn if path.is_file())


def mask_labels(journal: Path, lines: Iterator[bytes]) -> int:
    """Mask the labels of a run with these rows; returns how many files were changed."""
    files = [(path, rows) for path, rows in _label_files(journal) if rows]
    if not files:
        return 0
    hashes = dict(filter(None, map(_hashes, lines)))
    return sum(_mask_file(path, rows, hashes) for path, rows in files)


def _hashes(line: bytes) -> tuple[str, str] | None:
    """The hash of the answer of a row as it is, and as it will be."""
    try:
        plain = _answer(line)
        masked = _answer(mask_json(line))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return None if plain is None or masked is None else (text_hash(plain), text_hash(masked))


def _answer(line: bytes) -> str | None:
    return row_answer(migrate(msgspec.json.decode(line, type=dict[str, Any])))


def _mask_file(path: Path, rows: Sequence[Any], hashes: dict[str, str]) -> bool:
    changed = [_masked(row, hashes) for row in rows]
    # as the file of the rows; drawn answers are beside them and get their name there
    is_beside = path.name.endswith(DRAW_SUFFIX)
    target = path if is_beside else path.with_name(mask_identifier(path.name))
    if changed == list(rows) and target == path:
        return False
    write_atomically(path, (msgspec.json.encode(row) + b"\n" for row in changed), is_masked=True)
    path.rename(target)
    return True


def _masked(row: Any, hashes: dict[str, str]) -> Any:
    named = {
        name: hashes.get(getattr(row, name), getattr(row, name))
        for name in ("answer_hash", "other_answer_hash")
        if hasattr(row, name)
    }
    named["case_id"] = mask_identifier(row.case_id)
    run, slash, name = row.run.rpartition("/")
    named["run"] = f"{run}{slash}{mask_identifier(name)}"
    masked = replace(row, **named)
    return masked if isinstance(row, Drawn) else masked_label(masked)


# Mask what earlier runs recorded without redaction: the work of ``assay redact rewrite``.
#
# Each file is replaced as a whole, so that a crash leaves every file either as it was or masked, and
# the command can be repeated. Numbers stay as they are. A summary is the last file of its run: it
# says that the run is redacted.

_TEXTS: Final = frozenset(
    {".jsonl", ".json", ".md", ".csv", ".tsv", ".tex", ".txt", ".xml", ".svg", ".torn", ".old"}
)
_FOLDERS: Final = ("experiments", "eval/runs")
_INPUTS: Final = frozenset({"experiments.yaml", "experiments.yml"})
_DERIVED: Final = (".assay/pdf", ".assay/bench")
_INDEX: Final = re.compile(r"lexical-[0-9a-f]{16}|\.lexical-[a-z0-9_]{8}")
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

    Without a key, the tags are kept outside the workspace until all is done: after a crash, values that
    are known only from what is masked already would be taken for ordinary text.

    Raises:
        UseError: a path does not exist, or a run is writing to it.
    """
    active = redactor()
    if not isinstance(active, Redaction) or active.has_key:
        return _rewrite_all(workspace, paths)
    own = default_key_path(workspace.root)
    tags = UnfinishedKey(own.with_name(f"{own.stem}.unfinished"))
    with applied(active.with_tags(tags)):
        result = _rewrite_all(workspace, paths)
    tags.forget()
    return result


def _rewrite_all(workspace: Workspace, paths: list[Path]) -> Rewritten:
    files = sorted(_files(workspace, paths), key=_is_summary)
    for path in files:
        if path.suffix == ".jsonl" and is_being_written(path):
            raise UseError(f"{path}: a run is writing to this file; wait until it has ended")
    texts = [path for path in files if path.suffix.lower() in _TEXTS]
    journals = [path for path in without_companions(texts) if path.suffix == ".jsonl"]
    texts += [torn for path in journals for torn in _torn_labels(path)]
    for path in texts:  # first everything is searched: a later row may give a value away
        for part in _parts(path):
            mask_json(part)
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
            for each in path.rglob("*"):
                if not each.is_file() or each.is_symlink():
                    continue
                if is_leftover(each) and Path(each.stem).suffix.lower() in {*_TEXTS, ".html"}:
                    each.unlink()
                elif each.name not in _INPUTS and _is_result(each):
                    yield each
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
    for folder in workspace.root.glob("*/*lexical-*"):
        if folder.is_dir() and _INDEX.fullmatch(folder.name):
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
        masked = [mask_identifier(value[0]), *map(_sealed_mark, value[1:])]
    else:
        variants = value.get("variants", {})
        named = {mask_identifier(name): sealed(variants[name]) for name in variants}
        masked = sealed_record(value) | {"variants": named}
    return line if masked == value else msgspec.json.encode(masked) + b"\n"


def _sealed_mark(mark: str) -> str:
    """A digest of a question, which that of what its answer is compared with may follow, or a fingerprint."""
    is_double = "-" not in mark and not is_sealed(mark) and len(mark) > 2 * DIGEST_BYTES
    return sealed(mark[: 2 * DIGEST_BYTES] if is_double else mark)


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
