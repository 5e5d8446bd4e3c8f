"""Output that programs read, with its values masked so that it keeps its form.

To mask it as a plain text would put a tag in place of a number of JSON, or across two cells of a
table. Here only what the form calls a text is masked.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from assay.mask import learn_values, mask_secrets, mask_text, mask_values, redactor

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
