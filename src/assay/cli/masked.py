"""Output that programs read, with its values masked so that it keeps its form.

To mask it as a plain text would put a tag in place of a number of JSON, or across two cells of a
table. Here only what the form calls a text is masked.
"""

import errno
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO, cast

from assay.errors import UseError
from assay.mask import MaskedStream, learn_values, mask_secrets, mask_text, mask_values, redactor

_CELL: Final = re.compile(r'("(?:[^"]|"")*"|[^,\n]*)(,|\n|\Z)')
_DECIMAL: Final = re.compile(r"[-+]?[0-9]*\.[0-9]+(?:[eE][-+]?[0-9]+)?")
_TAG: Final = re.compile(r"(<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>)", re.DOTALL)
_ATTRIBUTE: Final = re.compile(r'(?<==")[^"]*(?=")')
_COUNT: Final = re.compile(r"[0-9.:T\-]*Z?")


def masked_form(text: str, form: str) -> str:
    """The text with its values masked as its form allows; any other form is a plain text."""
    if redactor() is None:
        return mask_secrets(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")
    match form:
        case "json":
            return masked_json(text)
        case "jsonl":
            return "".join(map(masked_json, text.splitlines(keepends=True)))
        case "csv":
            return _masked_csv(text)
        case "junit" | "html":
            return _masked_markup(text)
        case _:
            return mask_text(text)


def masked_json(text: str) -> str:
    """JSON with its texts and names masked; numbers stay."""
    if redactor() is None or not text.strip():
        return masked_form(text, "")
    value = json.loads(text)
    masked = mask_values(value)
    if masked == value:
        return text
    is_long = "\n" in text.strip()
    separators = None if is_long else (",", ":")
    written = json.dumps(
        masked, ensure_ascii=False, indent=2 if is_long else None, separators=separators
    )
    return written + text[len(text.rstrip()) :]


def masked_cells(names: Sequence[str], cells: Iterable[Any]) -> list[Any]:
    """The cells of a row of a table; a whole number that is a value becomes a text."""
    row = list(cells)
    if redactor() is None:
        return [mask_values(cell) for cell in row]
    texts = [str(cell) if _is_whole_number(cell) else cell for cell in row]
    masked = mask_values(
        [{names[at] if at < len(names) else "": text} for at, text in enumerate(texts)]
    )
    shown = [next(iter(each.values())) for each in masked]
    return [
        cell if _is_whole_number(cell) and text == str(cell) else text
        for cell, text in zip(row, shown, strict=True)
    ]


def _is_whole_number(cell: Any) -> bool:
    return isinstance(cell, int) and not isinstance(cell, bool)


def _masked_csv(text: str) -> str:
    rows = list(_rows(text))
    for _ in range(2):  # a later row may give a value away
        names: list[str] = []
        written = [_masked_row(names, row) for row in rows]
    return "".join(written)


def _rows(text: str) -> Iterator[list[tuple[str, str]]]:
    """The cells of each row as they are written, each with what ends it."""
    row: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        match = _CELL.match(text, at)
        assert match is not None  # it matches the empty text
        at = match.end() if match.end() > at else at + 1
        row.append((match[1], match[2]))
        if match[2] != ",":
            yield row
            row = []
    if row:
        yield row


def _masked_row(names: list[str], row: list[tuple[str, str]]) -> str:
    """The row with its values masked; the first row of a table gives the names of its columns."""
    plain = [cell[1:-1].replace('""', '"') if cell[:1] == '"' else cell for cell, _ in row]
    if plain == [""]:  # the end of a table
        names.clear()
    if not names:
        names += plain
    decimals = [bool(_DECIMAL.fullmatch(cell)) and raw == cell for cell, (raw, _) in
                zip(plain, row, strict=True)]  # fmt: skip
    masked = masked_cells(names if names != plain else (), plain)
    parts: list[str] = []
    for (raw, end), old, new, is_decimal in zip(row, plain, masked, decimals, strict=True):
        changed = '"' + new.replace('"', '""') + '"'
        parts += (raw if new == old or is_decimal else changed, end)
    return "".join(parts)


def _masked_markup(text: str) -> str:
    """XML or HTML with texts and attributes masked; its tags, styles and scripts stay."""
    from html import unescape  # noqa: PLC0415 - as below

    parts = _TAG.split(text)
    learn_values(map(unescape, parts[::2]))
    for at, part in enumerate(parts):
        if at % 2 == 0:
            parts[at] = _masked_part(part)
        elif not part.startswith(("<style", "<script", "<!", "<?")):
            parts[at] = _ATTRIBUTE.sub(lambda match: _masked_part(match[0]), part)
    return "".join(parts)


def _masked_part(part: str) -> str:
    if _COUNT.fullmatch(part):
        return part
    # its table of entities is long, and most output is no markup
    from html import escape, unescape  # noqa: PLC0415

    plain = unescape(part)
    masked = mask_text(plain)
    return part if masked == plain else escape(masked)


# Standard output and standard error, with known secrets masked.
#
# Whatever is printed passes here: results, log lines, errors, tracebacks and warnings, and what a
# library prints. Results and messages are masked by ``assay.mask``, as files are. Characters that a
# terminal would obey are shown as escapes, unless they are our own: those of a bar (``own``), and of
# results that another program reads (``write_own``).
#
# A stream that cannot be written to (a full disk, a closed descriptor, a reader that is gone) ends no
# command: a run still writes its rows. ``stdout_problem`` says at the end that a result was not printed.


class OutputStream(MaskedStream):
    """A masked stream that drops what cannot be written; ``failure`` is the first reason.

    ``None`` in place of a stream is a descriptor that was closed before the program began.
    """

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__(stream or io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        is_closed = stream is None
        self.failure = OSError(errno.EBADF, os.strerror(errno.EBADF)) if is_closed else None

    def write(self, text: str) -> int:
        """Write a text, unless an earlier one could not be written; return its length."""
        self._try(super().write, _shown(text))
        return len(text)

    def write_own(self, text: str) -> int:
        """The same for a text whose control characters are meant."""
        return self._try(super().write_own, text)

    @property
    def own(self) -> "OwnStream":
        """The stream for what this program draws itself."""
        return OwnStream(self)

    def write_masked(self, text: str) -> int:
        """The same for a text whose values are masked already."""
        return self._try(super().write_masked, text)

    def _try(self, write: Callable[[str], object], text: str) -> int:
        if self.failure is None:
            try:
                write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Write what is buffered."""
        if self.failure is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failure = error
        # the interpreter flushes the stream again at exit and would print an error
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


def _shown(text: str) -> str:
    """The text with escapes in place of characters that a terminal would obey."""
    if text.replace("\n", "").isprintable():
        return text
    # takes longer to import than this room, and most texts have no such character
    from assay.text.normalise import visible_print  # noqa: PLC0415

    return visible_print(text)


class OwnStream:
    """A stream whose texts keep their control characters."""

    def __init__(self, stream: OutputStream) -> None:
        self._output = stream

    def write(self, text: str) -> int:
        """Write a text of this program."""
        return self._output.write_own(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._output, name)


@contextmanager
def masked_output() -> Iterator[None]:
    """Mask what this process prints inside the ``with`` block."""
    plain = sys.stdout, sys.stderr
    sys.stdout = cast("TextIO", OutputStream(sys.stdout))
    sys.stderr = cast("TextIO", OutputStream(sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = plain


def take_closed_descriptors() -> None:
    """Open what was closed of the first three descriptors, so that no file of ours gets its number.

    What a library or another program prints would be written into that file.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def reader_is_gone() -> bool:
    """Whether whoever read standard output has closed the pipe (``| head``)."""
    return isinstance(getattr(sys.stdout, "failure", None), BrokenPipeError)


def stdout_problem() -> UseError | None:
    """Why not everything could be printed; ``None`` if it could, or if nobody reads it any more."""
    sys.stdout.flush()
    failure = getattr(sys.stdout, "failure", None)
    if not isinstance(failure, OSError) or reader_is_gone():
        return None
    return UseError(f"standard output cannot be written: {failure.strerror or failure}")
