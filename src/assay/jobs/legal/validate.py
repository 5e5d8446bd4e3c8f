"""Check benchmark files before anything is asked: every problem at once."""

import json
from pathlib import Path
from typing import Literal

from msgspec import Struct

from assay.data.legal import CheckedFile, Problem, check_benchmark, repeated_across
from assay.data.line import read_text
from assay.errors import DatasetError


class Validation(Struct, frozen=True, kw_only=True):
    """What was checked and everything that is wrong; ``passed_over`` are no benchmark files."""

    files: tuple[CheckedFile, ...]
    problems: tuple[Problem, ...]
    passed_over: tuple[Path, ...] = ()

    @property
    def questions(self) -> int:
        """How many questions were found."""
        return sum(len(one.ids) for one in self.files)


def validate_benchmark(path: Path) -> Validation:
    """Check a file, or every JSON file under a folder that has benchmark questions.

    Raises:
        DatasetError: there is no such path, or no benchmark file under it.
    """
    paths, passed_over = benchmark_files(path)
    checked = tuple(check_benchmark(one) for one in paths)
    found = [problem for one in checked for problem in one.problems]
    found += repeated_across(checked)
    found.sort(key=lambda problem: (str(problem.file), problem.line))
    return Validation(files=checked, problems=tuple(found), passed_over=tuple(passed_over))


def benchmark_files(path: Path) -> tuple[list[Path], list[Path]]:
    """The benchmark files at or under ``path``, and other JSON files that lie among them.

    Raises:
        DatasetError: there is no such path, or no benchmark file under it.
    """
    if not path.exists():
        raise DatasetError(f"{path}: no such file or folder")
    if path.is_file():
        return [path], []
    found = sorted(one for one in path.rglob("*.json") if one.is_file())
    kinds = {one: _kind(one) for one in found}
    chosen = [one for one in found if kinds[one] == "benchmark"]
    if not chosen:
        raise DatasetError(f"{path}: no benchmark files; one is a .json with `benchmark_type`")
    return chosen, [one for one in found if kinds[one] == "other"]


def _kind(path: Path) -> Literal["benchmark", "schema", "other"]:
    """What a file under a folder is meant to be; a broken one a benchmark, so that it is named."""
    text = read_text(path)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "benchmark"
    if isinstance(value, dict) and {"benchmark_type", "questions"} & value.keys():
        return "benchmark"
    return "schema" if isinstance(value, dict) and "$schema" in value else "other"
