"""Questions that a program has in memory, as a file: what reads a file of questions reads them.

There is one reader of question sets, and it reads files. Lists and tables of a program become lines
of JSON here, which are never written to disk.
"""

import hashlib
import math
import os
import stat
from collections.abc import Iterable, Mapping
from io import BytesIO, TextIOWrapper
from pathlib import Path, PosixPath
from typing import IO, Any, Final

import msgspec

from assay.data.column_role import column_key, known_names
from assay.data.foreign_set import NESTED
from assay.data.question import CorpusQuestion
from assay.errors import DatasetError
from assay.text.width import counted

_DIGITS: Final = 10


class MemoryFile(PosixPath):
    """A file of JSON lines that exists in this process only; its name says so.

    ``short_name`` is its name for names of runs.
    """

    content: bytes
    short_name: str

    @classmethod
    def of(cls, rows: Iterable[Any], columns: Mapping[str, str] | None = None) -> "MemoryFile":
        """The file of these questions: mappings, texts, or questions of assay.

        ``columns`` are the keys that the caller names by their roles.

        Raises:
            DatasetError: one of them is none of these, there are none, or no key holds the questions.
        """
        fields = [_fields(number, row) for number, row in enumerate(rows, 1)]
        if not fields:
            raise DatasetError("there are no questions: the list is empty")
        names = dict.fromkeys(str(name) for row in fields for name in row)
        if not columns and not any(map(_asks, names)):
            raise DatasetError(
                f"no key is known to hold the questions; there are: {', '.join(names)}; name it with "
                'columns={"question": "NAME"}'
            )
        content = b"".join(_line(number, row) for number, row in enumerate(fields, 1))
        digest = hashlib.sha256(content).hexdigest()[:_DIGITS]
        file = cls(f"{counted(len(fields), 'question')} from Python, {digest}")
        file.content = content
        file.short_name = f"python-{digest[:6]}"
        return file

    def open(  # type: ignore[override] # a reader needs the mode alone
        self, mode: str = "r", *_: Any, encoding: str | None = None, **__: Any
    ) -> IO[Any]:
        """The content, to be read."""
        data = BytesIO(self.content)
        return data if "b" in mode else TextIOWrapper(data, encoding=encoding or "utf-8")

    def read_bytes(self) -> bytes:
        """The content."""
        return self.content

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """That it is a file, and its size."""
        size = len(self.content)
        return os.stat_result((stat.S_IFREG | 0o400, 0, 0, 1, 0, 0, size, 0, 0, 0))

    def exists(self, *, follow_symlinks: bool = True) -> bool:
        """True."""
        return True

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """True."""
        return True

    def samefile(self, other_path: Any) -> bool:
        """Whether the other one is in memory too, and has the same content."""
        return isinstance(other_path, MemoryFile) and other_path.content == self.content


def _asks(name: str) -> bool:
    """Whether a key holds questions, or an object of another tool that does."""
    return name in {"text", *NESTED} or column_key(name) in known_names()["question"]


def _fields(number: int, row: Any) -> Mapping[Any, Any]:
    if isinstance(row, str):
        row = {"question": row}
    elif isinstance(row, CorpusQuestion):
        fields = msgspec.to_builtins(row)
        gold = [*fields.pop("gold"), *fields.pop("spans")]
        row = {**fields, **({"gold": gold} if gold else {})}
    if not isinstance(row, Mapping):
        raise DatasetError(
            f"question {number} is a {type(row).__name__}: pass texts, or dictionaries with the key "
            "'question' and perhaps 'answer'"
        )
    return row


def _line(number: int, row: Mapping[Any, Any]) -> bytes:
    try:
        fields = {str(name): _plain(value) for name, value in row.items()}
        kept = {name: value for name, value in fields.items() if value is not None}
        return msgspec.json.encode(kept, enc_hook=str) + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise DatasetError(f"question {number} cannot be written as JSON: {error}") from None


def _plain(value: Any) -> Any:
    """A value as JSON has it: an empty cell of a table is nothing, an array is a list."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() else float(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    if hasattr(value, "tolist"):  # of NumPy
        return _plain(value.tolist())
    if type(value).__name__ in {"NAType", "NaTType"}:  # empty cells of pandas
        return None
    return value


def set_name(path: Path) -> str:
    """The name of a set of questions, for the name of a run of it."""
    return path.short_name if isinstance(path, MemoryFile) else path.stem
