"""``NAME.order.jsonl``: the order in which a run that stops early asks its questions.

The first line is the rule by which the run was begun, each further line the id of a question. Later runs
keep the order and add new questions at its end. Another order, or another rule, would be another
chance to decide by the same answers.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalCorrupt
from assay.records import SCHEMA_VERSION, Usage
from assay.runs.row import BILL, judge_bill
from assay.runs.summary import write_atomically
from assay.runs.write import Journal, encode_row, order_path


class AskingOrder(Struct, frozen=True, kw_only=True):
    """The questions of a run in the order of asking, and the ``rule`` by which it was begun."""

    rule: Mapping[str, Any]
    questions: Sequence[str]


class _OrderHeader(Struct, frozen=True, kw_only=True):
    rule: Mapping[str, Any]
    schema_version: int = SCHEMA_VERSION


def write_order(journal: Path, order: AskingOrder) -> None:
    """Store an order beside its journal, atomically."""
    encode = msgspec.json.Encoder().encode_lines
    lines = encode([_OrderHeader(rule=order.rule), *order.questions])
    # names are masked already, in the same way as those of rows
    write_atomically(order_path(journal), lines, is_masked=True)


def read_order(journal: Path) -> AskingOrder | None:
    """Read the order of a journal; ``None`` if there is none, or no answer is recorded yet."""
    path = order_path(journal)
    try:
        if not journal.stat().st_size:
            return None
        first, *others = path.read_bytes().splitlines()
        header = msgspec.json.decode(first, type=_OrderHeader)
        questions = msgspec.json.Decoder(str).decode_lines(b"\n".join(others))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalCorrupt(f"{path}: cannot be read: {error.strerror}") from None
    except (*UNREADABLE, ValueError) as error:
        raise JournalCorrupt(
            f"{path}: not the order of a run that stops early ({error}). Start again with --resume fresh"
        ) from None
    return AskingOrder(rule=header.rule, questions=questions)


def copy_order(journal: Path, target: Path) -> None:
    """Store the order of ``journal`` beside ``target`` as well, which has rows of the same run."""
    path = order_path(journal)
    if path.exists():
        write_atomically(order_path(target), path.read_bytes(), is_masked=True)


# Correcting recorded rows: answers are judged again without asking the system again.


class Correction(Struct, frozen=True, kw_only=True):
    """A recorded row, the fields that it should have, and what judging it again cost.

    ``judges`` are those whose verdicts are paid for then. ``without`` names fields that the row
    should not have any more. ``beside`` are fields that are set as well if the row is written
    again; if a row does not have them, this alone is no change.
    """

    row: Mapping[str, Any]
    fields: Mapping[str, Any]
    judging: Usage | None = None
    judges: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    beside: Mapping[str, Any] = {}


def append_corrections(journal: Journal, corrections: Iterable[Correction]) -> int:
    """Append a row for each correction that changes something; return how many rows changed.

    The last row of a key counts, so the appended row replaces the recorded one. The cost of the
    answer is not repeated: costs are summed over all rows of a key. A correction that cost
    something is appended even if it changes nothing.
    """
    lines = []
    changed = 0
    for correction in corrections:
        row = correction.row
        fields = msgspec.json.decode(encode_row(correction.fields))  # as read back from JSON
        is_changed = any(row.get(name) != value for name, value in fields.items())
        is_changed |= any(name in row for name in correction.without)
        beside = correction.beside
        is_changed |= any(name in row and row[name] != beside[name] for name in beside)
        changed += is_changed
        if is_changed or correction.judging is not None:
            left_out = {*BILL, *correction.without}
            corrected = {k: v for k, v in {**row, **fields, **beside}.items() if k not in left_out}
            if correction.judges:
                corrected["judges"] = correction.judges
            lines.append(encode_row(corrected | judge_bill(correction.judging)))
    if lines:
        journal.write(lines)
    return changed
