"""A cleaned copy of a set, and a list of what is not in it and why. The set itself stays as it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE, decoded_lines, repeated_key
from assay.data.question import is_metadata
from assay.data.question_set import foreign_questions, is_own_format
from assay.errors import UseError
from assay.questions.check.check import SetCheck
from assay.questions.check.item import Finding, is_bench_file
from assay.questions.gold import next_version, renamed_metadata, set_name

_COPIES = frozenset({"duplicate", "near_duplicate"})
_encode = msgspec.json.Encoder().encode


class Fixed(Struct, frozen=True, kw_only=True):
    """The cleaned copy, the list of what was taken out, and how many questions are in each."""

    path: Path
    removed_path: Path
    kept: int
    removed: int


def write_fixed(check: SetCheck, out: Path | None = None) -> Fixed:
    """Write the questions without an error, and beside them those with one and their findings.

    Of questions that ask the same, the first one stays, unless it has another error. A line is
    copied byte for byte. The list has every line that is not in the copy, whole.

    Raises:
        UseError: a file exists, cannot be written, or no question would be left; or it is a file of
            ``assay bench``.
    """
    if is_bench_file(check.path):
        raise UseError(f"{check.path}: a file of assay bench is one JSON object; mend it by hand")
    target = out or next_version(check.path.parent, set_name(check.path), at_least=2)
    removed_path = target.with_name(f"{target.stem}.removed.jsonl")
    faults = removed_lines(check)
    if check.path.resolve() in {target.resolve(), removed_path.resolve()}:
        raise UseError(f"--out {target}: the set itself is never changed; name another file")
    if not any(question.line not in faults for question in check.questions):
        raise UseError(f"{check.path}: every question has an error; nothing would be left")
    for path in (target, removed_path):
        if path.exists():
            raise UseError(f"{path} exists; choose another --out, or delete it")
    kept = removed = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as copy, removed_path.open("xb") as rest:
            for number, line, is_question in _lines(check.path, target):
                if number in faults:
                    rest.write(_encode(_removed(number, line, faults[number])) + b"\n")
                    removed += 1
                else:
                    copy.write(line + b"\n")
                    kept += is_question
    except OSError as error:
        raise UseError(f"{target}: cannot be written: {error.strerror or error}") from None
    return Fixed(path=target, removed_path=removed_path, kept=kept, removed=removed)


def removed_lines(check: SetCheck) -> dict[int, list[Finding]]:
    """The lines that are taken out, with all findings of each."""
    errors = [finding for finding in check.findings if finding.level == "error"]
    broken = {each.line for each in errors if each.kind not in _COPIES}
    ids = {question.id for question in check.questions if question.line in broken}
    taken = broken | {
        each.line for each in errors if each.kind in _COPIES and each.other not in ids
    }
    found: dict[int, list[Finding]] = {}
    for finding in check.findings:
        if finding.line in taken:
            found.setdefault(finding.line, []).append(finding)
    return found


def _lines(path: Path, target: Path) -> Iterator[tuple[int, bytes, bool]]:
    """The lines of a set, and whether each is a question; of another format, our own rows."""
    if not is_own_format(path):
        for row in foreign_questions(path, with_repeats=True):
            yield row.line, row.text.encode() if row.fault else _encode(row.fields), True
        return
    for number, line in decoded_lines(path):
        if is_metadata(_decoded(line)):
            yield number, renamed_metadata(line, target), False
        else:
            yield number, line.rstrip(b"\r\n"), True


def _decoded(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except UNREADABLE:
        return None


def _removed(number: int, line: bytes, findings: list[Finding]) -> dict[str, Any]:
    row = _decoded(line)
    said = [{"kind": finding.kind, "what": str(finding.what)} for finding in findings]
    is_lossy = row is None or repeated_key(line) is not None
    whole = {"text": line.decode("utf-8", "replace")} if is_lossy else {"row": row}
    return {"line": number, "id": findings[0].id, "findings": said, **whole}
