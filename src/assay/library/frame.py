"""DataFrames of pandas or polars, whichever is installed; neither is needed for anything else."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Literal

from assay.data.jsonl import replace_file
from assay.errors import DatasetError, UseError
from assay.library.privacy import keep_private
from assay.mask import private_opener
from assay.registry import optional_library

FrameLibrary = Literal["pandas", "polars"]
_LIBRARIES: Final[tuple[FrameLibrary, ...]] = ("pandas", "polars")
_TABLES: Final = frozenset({"DataFrame", "LazyFrame", "Table", "RecordBatch"})


def frame_of(columns: Mapping[str, Sequence[Any]], library: str | None = None) -> Any:
    """The columns as a DataFrame of this library.

    By default it is the one that the program has imported, and pandas if it has imported both or none.

    Raises:
        UseError: it is not installed, or neither is.
    """
    chosen = _chosen(library)
    if chosen == "polars":
        return optional_library("polars", "polars", "a polars DataFrame").DataFrame(
            dict(columns), strict=False, infer_schema_length=None
        )
    return optional_library("pandas", "pandas", "a DataFrame").DataFrame(dict(columns))


def _chosen(library: str | None) -> FrameLibrary:
    if library is not None:
        found = next((each for each in _LIBRARIES if each == library), None)
        if found is None:
            raise UseError(f"frame={library!r}: write 'pandas' or 'polars'")
        return found
    imported = [each for each in _LIBRARIES if each in sys.modules]
    if len(imported) == 1:
        return imported[0]
    return next((each for each in _LIBRARIES if find_spec(each) is not None), "pandas")


def is_frame(value: Any) -> bool:
    """Whether the value is a table of pandas, polars or PyArrow, which is not imported for that."""
    library = type(value).__module__.partition(".")[0]
    return library in {*_LIBRARIES, "pyarrow"} and type(value).__name__ in _TABLES


def frame_rows(frame: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of a table as dictionaries.

    Raises:
        DatasetError: two columns have one name; pandas would leave one of them out.
    """
    if hasattr(frame, "collect"):  # a lazy one of polars
        frame = frame.collect()
    for name in ("to_dicts", "to_pylist"):  # of polars and PyArrow
        if hasattr(frame, name):
            yield from getattr(frame, name)()
            return
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise DatasetError(f"two columns of the table are called {twice!r}; rename or delete one")
    yield from frame.to_dict("records")


def write_parquet(columns: Mapping[str, Sequence[Any]], path: Path) -> None:
    """Write the columns as Parquet, with polars, or with pandas and PyArrow.

    Raises:
        UseError: neither is installed.
    """
    plain = {name: _of_one_kind(values) for name, values in columns.items()}
    buffer = BytesIO()
    if find_spec("pyarrow") is None and find_spec("polars") is not None:
        frame_of(plain, "polars").write_parquet(buffer)
    else:
        arrow = optional_library("pyarrow", "pandas", f"{path}: writing Parquet")
        optional_library("pyarrow.parquet", "pandas", f"{path}: writing Parquet").write_table(
            arrow.table(plain), buffer
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(private_opener(str(path), os.O_WRONLY | os.O_CREAT))  # readable as the rows are
    except OSError as error:
        raise UseError(f"{path}: cannot be written: {error.strerror or error}") from None
    replace_file(path, buffer.getvalue())
    keep_private(path)


def _of_one_kind(values: Sequence[Any]) -> Sequence[Any]:
    """The values as Parquet can hold them: those of several kinds become texts."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) < 2 or kinds == {int, float}:
        return values
    return [None if value is None else str(value) for value in values]
