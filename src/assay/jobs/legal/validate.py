"""Check benchmark files before any question is asked, and report all problems at once."""

import json
from pathlib import Path
from typing import Literal

from msgspec import Struct

from assay.data.legal import CheckedFile, Problem, check_benchmark, repeated_across
from assay.data.line import read_text
from assay.errors import DatasetError


class Validation(Struct, frozen=True, kw_only=True):
    """The checked files and all problems; ``passed_over`` are JSON files of another kind."""

    files: tuple[CheckedFile, ...]
    problems: tuple[Problem, ...]
    passed_over: tuple[Path, ...] = ()

    @property
    def questions(self) -> int:
        """The number of questions in all files."""
        return sum(len(file.ids) for file in self.files)


def validate_benchmark(path: Path) -> Validation:
    """Check a file, or all benchmark files in a folder and its subfolders.

    Raises:
        DatasetError: The path does not exist, or there is no benchmark file in the folder.
    """
    paths, passed_over = benchmark_files(path)
    files = tuple(check_benchmark(file_path) for file_path in paths)
    problems = [problem for file in files for problem in file.problems]
    problems += repeated_across(files)
    problems.sort(key=lambda problem: (str(problem.file), problem.line))
    return Validation(files=files, problems=tuple(problems), passed_over=tuple(passed_over))


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
    if isinstance(value, dict) and {"benchmark_type", "questions"} & value.keys():
        return "benchmark"
    return "schema" if isinstance(value, dict) and "$schema" in value else "other"
