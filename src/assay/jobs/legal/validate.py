"""Check benchmark files before any question is asked, and report all problems at once."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from assay.data.legal import CheckedFile, Problem, check_benchmark, repeated_across
from assay.data.line import read_text
from assay.errors import DatasetError

MOST_REMARKS: Final = 5
"""How many remarks are shown before a run."""


class Validation(Struct, frozen=True, kw_only=True):
    """The checked files and all problems; ``passed_over`` are JSON files of another kind."""

    files: tuple[CheckedFile, ...]
    problems: tuple[Problem, ...]
    passed_over: tuple[Path, ...] = ()

    @property
    def remarks(self) -> tuple[Problem, ...]:
        """What is unusual but no problem, and what cannot be checked."""
        return tuple(remark for file in self.files for remark in file.remarks)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The unknown fields of all files, each once."""
        return tuple(dict.fromkeys(name for file in self.files for name in file.ignored))

    def of_files(self, paths: Collection[Path]) -> "Validation":
        """What concerns some of the files."""
        return Validation(
            files=tuple(file for file in self.files if file.path in paths),
            problems=tuple(problem for problem in self.problems if problem.file in paths),
        )

    @property
    def questions(self) -> int:
        """The number of questions in all files."""
        return sum(len(file.ids) for file in self.files)


def validate_benchmark(path: Path, bounds: Path | None = None) -> Validation:
    """Check a file, or all benchmark files in a folder and its subfolders.

    With ``bounds``, documents must lie in that folder or beside the file that names them.

    Raises:
        DatasetError: The path does not exist, or there is no benchmark file in the folder.
    """
    paths, passed_over = benchmark_files(path)
    files = tuple(check_benchmark(file_path, bounds) for file_path in paths)
    problems = [problem for file in files for problem in file.problems]
    problems += repeated_across(files)
    problems.sort(key=lambda problem: (str(problem.file), problem.line))
    return Validation(files=files, problems=tuple(problems), passed_over=tuple(passed_over))


def note_lines(validation: Validation) -> list[str]:
    """A few lines about what was ignored and what cannot be checked; the first remarks only."""
    lines = [ignored_line(validation.ignored)] if validation.ignored else []
    files: dict[str, list[str]] = {}
    misplaced = [problem for problem in validation.problems if not problem.blocks]
    remarks = sorted(validation.remarks, key=lambda remark: remark.path != "$.document")
    for remark in (*remarks, *misplaced):
        files.setdefault(remark.message, []).append(remark.file.name)
    lines += [
        f"{', '.join(dict.fromkeys(names))}: {message}"
        for message, names in list(files.items())[:MOST_REMARKS]
    ]
    if len(files) > MOST_REMARKS:
        lines.append(f"{len(files) - MOST_REMARKS} further remarks: assay bench validate")
    return lines


def ignored_line(names: Sequence[str]) -> str:
    """The line about unknown fields.

    >>> ignored_line(["questions.reviewer", "author"])
    'ignored 2 fields: questions.reviewer, author'
    """
    return f"ignored {len(names)} field{'s' if len(names) > 1 else ''}: {', '.join(names)}"


def benchmark_files(path: Path) -> tuple[list[Path], list[Path]]:
    """Find the benchmark files at ``path`` or below it, and the other JSON files there.

    A file that is named directly counts as a benchmark file. A JSON schema is in neither list.

    Raises:
        DatasetError: The path does not exist, or there is no benchmark file in the folder.
    """
    if not path.exists():
        raise DatasetError(f"{path}: no such file or folder")
    if path.is_file():
        return [path], []
    kinds = {file: _read_kind(file) for file in sorted(path.rglob("*.json")) if file.is_file()}
    benchmarks = [file for file, kind in kinds.items() if kind == "benchmark"]
    if not benchmarks:
        raise DatasetError(
            f"{path}: no benchmark files; a benchmark file is a .json with `benchmark_type`"
        )
    return benchmarks, [file for file, kind in kinds.items() if kind == "other"]


def _read_kind(path: Path) -> Literal["benchmark", "schema", "other"]:
    """The kind of a JSON file; a broken file counts as a benchmark, so that it is reported."""
    text = read_text(path)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "benchmark"
    is_result = isinstance(value, dict) and "overall_percentage" in value
    if isinstance(value, dict) and {"benchmark_type", "questions"} & value.keys() and not is_result:
        return "benchmark"
    return "schema" if isinstance(value, dict) and "$schema" in value else "other"
