"""A few cases of a run that somebody should look at, as a list and as a table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, overload

from assay.library.frame import frame_of
from assay.library.notebook import list_html
from assay.report.table.table import as_grid


class CaseList(Sequence[Mapping[str, Any]]):
    """Cases as dictionaries with the same keys; a notebook shows them as a table.

    It is empty, and false, if there are none.
    """

    def __init__(self, cases: Iterable[Mapping[str, Any]], names: Sequence[str] = ()) -> None:
        self._cases = [dict(case) for case in cases]
        self._names = list(
            dict.fromkeys((*names, *(name for case in self._cases for name in case)))
        )

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...

    @overload
    def __getitem__(self, index: slice) -> "CaseList": ...

    def __getitem__(self, index: int | slice) -> "Mapping[str, Any] | CaseList":
        if isinstance(index, slice):
            return CaseList(self._cases[index], self._names)
        return self._cases[index]

    def __len__(self) -> int:
        return len(self._cases)

    def frame(self, library: str | None = None) -> Any:
        """The cases as a DataFrame of pandas or polars."""
        columns = {name: [case.get(name) for case in self._cases] for name in self._names}
        return frame_of(columns, library)

    def __repr__(self) -> str:
        return as_grid(self._names, [[case.get(name) for name in self._names] for case in self])

    def _repr_html_(self) -> str:
        return list_html(self._names, self._cases)
