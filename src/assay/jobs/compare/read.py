"""Read either kind of file: a results file, or a journal (or the summary beside it)."""

from pathlib import Path
from typing import Any

import msgspec

from assay.errors import AssayError, UseError
from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.journal_rows import run_of_rows
from assay.jobs.compare.results_file import holds_results, run_of_results

_MARK = b"\xef\xbb\xbf"


def read_run(
    path: Path,
    *,
    metric: str | None = None,
    variant: str | None = None,
    preferred: str | None = None,
) -> ComparedRun:
    """The run that ``path`` holds; whatever is wrong with it is a ``UseError``.

    ``preferred`` is the variant to take of several if none is named.
    """
    try:
        return _side(path, metric, variant, preferred)
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
    """Both runs. Of a base with several variants the candidate's is taken, unless one is named."""
    return (
        read_run(base, metric=metric, variant=base_variant, preferred=variant),
        read_run(cand, metric=metric, variant=variant),
    )


def _side(
    path: Path, metric: str | None, variant: str | None, preferred: str | None
) -> ComparedRun:
    if path.suffix == ".jsonl":
        if not path.is_file():
            raise UseError(f"{path}: no such file of results")
        return run_of_rows(path, metric, variant, preferred)
    content = _content(path)
    if holds_results(content):
        if variant is not None:
            raise UseError(f"{path}: holds one run and no variants; --variant does not apply")
        return run_of_results(path, content, metric)
    if not _is_summary(content):
        raise UseError(
            f"{path}: not a file of results: neither 'results' nor 'datasets' nor a run's summary"
        )
    journal = path.with_suffix(".jsonl")
    if not journal.is_file():
        raise UseError(f"{path}: is the summary of a run whose rows, {journal}, are not there")
    return run_of_rows(journal, metric, variant, preferred)


def _content(path: Path) -> Any:
    if not path.exists():
        raise UseError(f"{path}: no such file of results")
    data = path.read_bytes()
    try:
        return msgspec.json.decode(data.removeprefix(_MARK))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UseError(f"{path}: not JSON ({error})") from None


def _is_summary(content: Any) -> bool:
    """Whether a JSON value is the summary of a journal."""
    return isinstance(content, dict) and "experiment_name" in content and "job" in content
