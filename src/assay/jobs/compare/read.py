"""Reading a run from either kind of file: a results file, or a journal or its summary."""

from pathlib import Path
from typing import Any

import msgspec

from assay.errors import AssayError, UseError
from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.journal_rows import run_of_rows
from assay.jobs.compare.results_file import contains_results, run_of_results

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_run(
    path: Path,
    *,
    metric: str | None = None,
    variant: str | None = None,
    preferred: str | None = None,
) -> ComparedRun:
    """Read the run in ``path``; raises ``UseError`` for any problem with the file.

    ``preferred`` is used if there are several variants and ``variant`` is None.
    """
    try:
        return _read(path, metric, variant, preferred)
    except UseError:
        raise
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None
    except AssayError as error:
        raise UseError(str(error)) from None


def read_runs(
    base: Path,
    cand: Path,
    *,
    metric: str | None = None,
    variant: str | None = None,
    base_variant: str | None = None,
) -> tuple[ComparedRun, ComparedRun]:
    """Read both runs.

    If the base has several variants and ``base_variant`` is None, ``variant`` is used for it too.
    """
    return (
        read_run(base, metric=metric, variant=base_variant, preferred=variant),
        read_run(cand, metric=metric, variant=variant),
    )


def _read(
    path: Path, metric: str | None, variant: str | None, preferred: str | None
) -> ComparedRun:
    if path.suffix == ".jsonl":
        if not path.is_file():
            raise UseError(f"{path}: no such file")
        return run_of_rows(path, metric, variant, preferred)
    content = _read_json(path)
    if contains_results(content):
        if variant is not None:
            raise UseError(f"{path}: contains no variants; do not use --variant with it")
        return run_of_results(path, content, metric)
    if not _is_summary(content):
        raise UseError(
            f"{path}: not a results file: it has neither 'results' nor 'datasets', "
            "and is not the summary of a run"
        )
    journal = path.with_suffix(".jsonl")
    if not journal.is_file():
        raise UseError(
            f"{path}: this is the summary of a run, but its rows, {journal}, are missing"
        )
    return run_of_rows(journal, metric, variant, preferred)


def _read_json(path: Path) -> Any:
    if not path.exists():
        raise UseError(f"{path}: no such file")
    data = path.read_bytes()
    try:
        return msgspec.json.decode(data.removeprefix(_BYTE_ORDER_MARK))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UseError(f"{path}: not JSON ({error})") from None


def _is_summary(content: Any) -> bool:
    """Whether a JSON value is the summary of a journal."""
    return isinstance(content, dict) and "experiment_name" in content and "job" in content
