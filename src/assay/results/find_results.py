"""Find the journal of a run by the name that a user gives."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.config.workspace import Workspace
from assay.data.jsonl import UNREADABLE, decoded_lines
from assay.errors import AssayError, UseError
from assay.mask import mask_identifier
from assay.registry import nearest
from assay.runs.write import find_journals

_OF_RESULTS: Final = frozenset(
    {"key", "question_id", "status", "config", "score", "scores", "metrics", "model_answer"}
)
"""Fields of rows of a run, of any program."""


def find_results(workspace: Workspace, name: str) -> Path:
    """Find a journal by the name of the run, by its path, or by the path of its summary.

    Raises:
        UseError: there is none, or the file is a set of questions.
    """
    for each in (name, mask_identifier(name)):  # a name with a value is masked in the file's name
        journal = workspace.experiments_dir / f"{each}.jsonl"
        if Path(each).name == each and journal.is_file():
            return journal
    for path in (Path(name), Path(f"{name}.jsonl")):
        if path.is_file():
            _refuse_questions(path)
            return _journal_of(path) if path.suffix == ".json" else path
    names = [path.stem for path in find_journals(workspace.experiments_dir)]
    raise UseError(
        f"{name}: no such file, and no run of that name in {workspace.experiments_dir}"
        f"{nearest(name, names)}"
    )


def _refuse_questions(path: Path) -> None:
    """Raise ``UseError`` for a set of questions: advice about damaged rows would damage it."""
    if path.suffix != ".jsonl":
        return
    try:
        rows = [msgspec.json.decode(line) for _, line in islice(decoded_lines(path), 2)]
    except (AssayError, OSError, *UNREADABLE):
        return  # the reader of rows says what is wrong
    if rows and isinstance(rows[-1], dict) and _is_question(rows[-1]):  # the first may be metadata
        raise UseError(
            f"{path}: is a set of questions, not the rows of a run; assay list shows the runs"
        )


def _is_question(row: Mapping[str, Any]) -> bool:
    """Whether a row asks something and says nothing about an answer; published rows have no key."""
    return _OF_RESULTS.isdisjoint(row) and not {"question", "text"}.isdisjoint(row)


def find_parts(workspace: Workspace, name: str) -> dict[str, Path]:
    """The journals of a name: one, or those of the documents of a results file.

    The keys are the ids of the documents; a single journal has the id ``""``.
    """
    return document_journals(Path(name)) or {"": find_results(workspace, name)}


def document_journals(results: Path) -> dict[str, Path]:
    """The journals beside a results file over several documents, by document.

    Empty for any other file, and if no document has a journal.
    """
    if results.suffix != ".json" or not results.is_file():
        return {}
    try:
        content = msgspec.json.decode(results.read_bytes())
    except (OSError, *UNREADABLE):
        return {}
    named = content.get("datasets") if isinstance(content, dict) else None
    if not isinstance(named, dict):
        return {}
    stem = results.name.removesuffix(".json")
    paths = {name: results.with_name(f"{stem}.{name}.rows.jsonl") for name in named}
    return {name: path for name, path in paths.items() if path.is_file()}


def _journal_of(summary: Path) -> Path:
    """The journal beside a summary, or beside a results file of ``assay quality``."""
    beside = (summary.with_suffix(".jsonl"), summary.with_suffix(".rows.jsonl"))
    for path in beside:
        if path.is_file():
            return path
    documents = document_journals(summary)
    if len(documents) == 1:
        return next(iter(documents.values()))
    if documents:
        raise UseError(
            f"{summary}: has the results of several documents, and this command takes the rows of "
            f"one run; name one of them: {', '.join(map(str, documents.values()))}"
        )
    names = " or ".join(path.name for path in beside)
    raise UseError(f"{summary}: the rows of the run are not beside it ({names})")
