"""``NAME.order.jsonl``: the order in which a run that stops early asks its questions.

The first line is the rule by which the run was begun, each further line the id of a question. Later runs
keep the order and add new questions at its end. Another order, or another rule, would be another
chance to decide by the same answers.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalCorrupt
from assay.journal.path import order_path
from assay.journal.summary import write_atomically
from assay.records import SCHEMA_VERSION


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
            f"{path}: not the order of a run that stops early ({error}). Start again with --fresh"
        ) from None
    return AskingOrder(rule=header.rule, questions=questions)


def copy_order(journal: Path, target: Path) -> None:
    """Store the order of ``journal`` beside ``target`` as well, which has rows of the same run."""
    path = order_path(journal)
    if path.exists():
        write_atomically(order_path(target), path.read_bytes(), is_masked=True)
