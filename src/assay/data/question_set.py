"""Question sets of other tools, as rows of ours: tables, SQuAD, Ragas, AutoRAG, a plain list.

- ``.csv``, ``.tsv``, ``.xlsx``: one question a row; columns are recognised by their names
  (``assay.data.column_role``), or named by the user.
- ``.jsonl`` without ids or with the names of another tool: as a table (``assay.data.foreign_set``).
- ``.json``: SQuAD (1.1 and 2.0), a list of objects as Ragas writes it, or columns of lists.
- ``.parquet``: AutoRAG; it needs the extra ``query``.
- ``.txt``, ``.md``: one question a line; signs of a list before it are left out.

A question without an id gets one that follows from its text, so that a row that is added or
deleted changes no other question. Columns that are not known are kept as further fields.

The expected answer of a question is read from the forms in which files write it.
"""

import csv
import hashlib
import math
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from assay.data.column_role import (
    SHEET,
    ColumnRoles,
    column_words,
    is_inverted_name,
    is_secret_name,
    known_names,
    named_columns,
    near_question_name,
    seconds_of,
)
from assay.data.foreign_set import (
    READERS,
    TABLES,
    TEXTS,
    is_foreign_json_lines,
    is_json_lines,
    table_rows,
)
from assay.data.jsonl import decode_text
from assay.data.question_table import TableRow, flat_items, parsed_cell
from assay.errors import UseError
from assay.mask import without_values
from assay.text.character import HAN
from assay.text.language import language


def accepted_answers(value: Any) -> tuple[str, ...]:
    """The accepted answers in ``value``: a text, a number, or a list of them; others are left out.

    An object with ``text``, as SQuAD has it, stands for its text.

    >>> accepted_answers("30 days"), accepted_answers([42000, "42 thousand", ""])
    (('30 days',), ('42000', '42 thousand'))
    >>> accepted_answers({"text": ["Paris"], "answer_start": [4]}), accepted_answers(None)
    (('Paris',), ())
    """
    if isinstance(value, dict):
        return accepted_answers(value.get("text"))
    if isinstance(value, list | tuple):
        return tuple(dict.fromkeys(text for item in value for text in accepted_answers(item)))
    if isinstance(value, str):
        return (value.strip(),) if value.strip() else ()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ()
    if isinstance(value, float) and not math.isfinite(value):
        return ()
    return (f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value),)


def with_truth(value: Any, question: str) -> Any:
    """An expected answer; a truth value stands for yes or no in the language of the question.

    >>> with_truth(True, "Is it open?"), with_truth(["30 days"], "How long?")
    (['yes', 'True'], ['30 days'])
    """
    if isinstance(value, list):
        return [part for item in value for part in _listed(with_truth(item, question))]
    for truth, word in (("true", "yes"), ("false", "no")):
        if str(value).lower() in column_words()["truth"][truth]:
            return [column_words()[word][language(question)], str(value)]
    return value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# Assertions of promptfoo, as its column ``__expected`` has them: which of them name an answer.
#
# ``equals``, ``contains`` and the like name what the answer says. ``llm-rubric``, ``javascript``,
# ``similar`` and others name a test that is not made here, so that such a row has no expected answer.

_PREFIX: Final = re.compile(
    r"(?P<kind>(?:not-)?[a-z][a-z0-9-]*)(?:\([^)]*\))?:\s*(?P<value>.*)", re.DOTALL
)


class Asserted(Struct, frozen=True, kw_only=True):
    """The accepted answers that assertions name, or the kind of one that names none."""

    answers: tuple[str, ...] = ()
    kind: str = ""


def asserted_answer(text: str) -> Asserted:
    """What one assertion says about the answer; a text without a known prefix is the answer itself.

    >>> asserted_answer("icontains: Paris").answers, asserted_answer("contains-any: a, b").answers
    (('Paris',), ('a', 'b'))
    >>> asserted_answer("llm-rubric: is polite").kind, asserted_answer("Note: 30 days").answers
    ('llm-rubric', ('Note: 30 days',))
    """
    text = text.strip()
    kinds = column_words()["assertion"]
    match = _PREFIX.fullmatch(text)
    kind, value = (match["kind"], match["value"].strip()) if match else (text, "")
    plain = kind.removeprefix("not-")
    every = {name for names in kinds.values() for name in names}
    if plain not in every or (not match and plain not in kinds["other"]):
        return Asserted(answers=(text,) if text else ())
    if kind in kinds["one"] and value:
        return Asserted(answers=(value,))
    parts = _parts(value)
    if kind in kinds["any"] and parts:
        return Asserted(answers=parts)
    if kind in kinds["all"] and len(parts) == 1:
        return Asserted(answers=parts)
    return Asserted(kind=kind)


def asserted_answers(values: list[Any]) -> Asserted:
    """What the assertions of a row say together: all of them must hold.

    Two that name different answers are no choice between them, so that no answer is known then.
    """
    read = [asserted_answer(str(value)) for value in values if value not in (None, "")]
    named = list(dict.fromkeys(each.answers for each in read if each.answers))
    if len(named) == 1:
        return Asserted(answers=named[0])
    kinds = dict.fromkeys(each.kind for each in read if each.kind)
    return Asserted(kind="several answers at once" if named else ", ".join(kinds))


def _parts(value: str) -> tuple[str, ...]:
    """The values between commas; one with a comma is in quotation marks."""
    if not value:
        return ()
    parts = next(csv.reader([value.replace("\n", " ")], skipinitialspace=True))
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


# Whether the documents answer a question, as files of questions say it.
#
# Our name is ``answerable``. Other tools write ``is_answerable``, or the opposite: ``is_impossible`` of
# SQuAD 2.0 and ``unanswerable``. The value may be a truth value or a word for one.

ANSWERABLE_NAMES: Final = ("answerable", "is_answerable", "is_impossible", "unanswerable")


def answerable_flag(name: str, value: Any) -> bool | None:
    """Whether a question can be answered, by the field ``name``; ``None`` if it says nothing.

    Raises:
        ValueError: the value is neither true nor false.

    >>> answerable_flag("answerable", "no"), answerable_flag("is_impossible", False)
    (False, True)
    """
    word = "" if value is None else str(value).strip().lower()
    if not word:
        return None
    for flag in (True, False):
        if word in column_words()["flag"][str(flag).lower()]:
            return flag != is_inverted_name(name)
    raise ValueError(f"`{name}` says {value!r}; write true or false")


def said_answerable(fields: Mapping[str, Any]) -> bool | None:
    """What the fields of a question say, by the first of the known names; raises as above."""
    flags = (answerable_flag(name, fields.get(name)) for name in ANSWERABLE_NAMES)
    return next((flag for flag in flags if flag is not None), None)


# Expected answers that look like several in one text; they are never cut silently.

_BAR: Final = re.compile(r"\s*[|｜]+\s*|\s+/+\s+")
_STOP: Final = re.compile(r"\s*[;；\n]\s*")
"""Signs that are between clauses of one answer too: what they part must be short."""
_END: Final = re.compile(r"[.。!！?？:：]\Z")
_MOST_LETTERS: Final = 40
_MOST_WORDS: Final = 3
_MOST_HAN: Final = 8
_HAN: Final = re.compile(f"[{HAN}]")


def looks_listed(text: str, *, is_cell: bool = True) -> bool:
    """Whether a text looks like several short answers: ``A|B``, ``A / B``, ``A; B`` or lines.

    JSON has lists: if the text ``is_cell`` not, a semicolon parts what the answer says together.

    >>> looks_listed("Paris|Lutetia"), looks_listed("北京；北平"), looks_listed("60 km/h")
    (True, True, False)
    >>> looks_listed("Shirts every twelve months; 11 crowns a month for washing.")
    False
    """
    text = text.strip()
    if _END.search(text):
        return False
    barred, parted = _BAR.split(text), _STOP.split(text)
    if len(barred) > 1 and all(0 < len(part) <= _MOST_LETTERS for part in barred):
        return True
    return is_cell and len(parted) > 1 and all(map(_is_short, parted))


def _is_short(part: str) -> bool:
    if _HAN.search(part):
        return len(part) <= _MOST_HAN
    return 0 < len(part.split()) <= _MOST_WORDS


# Rows of a file of another tool that are one question: repeated, or answered by several systems.
#
# A question is the same if its text, its document and what it is compared with are. The rows of one
# system may have it several times with other further fields, such as the role of who asks: these are
# questions of their own. In the rows of another system the further fields may be its measurements, so
# that only their order counts.

_HELD: Final = frozenset(
    {"question", "source", "answer", "gold", "gold_chunk_ids", "bundle", "answerable", "kind"}
)
"""Fields that make a question what it is, besides its id."""


class Occurrence(Struct, frozen=True, kw_only=True):
    """A row with a question: its fields in our names, and the system whose answer it has."""

    fields: dict[str, Any]
    system: str = ""


def distinct_rows(
    rows: Sequence[Occurrence], recorded: Collection[str], *, with_repeats: bool = False
) -> list[int]:
    """For each row, the number of the first row that is the same question; often its own.

    ``recorded`` are the names of fields with what a system said, which are no part of a question.
    Rows of one system that repeat each other are one question, unless the file gives them ids, or
    ``with_repeats`` is set.
    """
    first_of: dict[tuple[str, int], int] = {}
    others_of: dict[tuple[str, str], list[str]] = {}
    firsts: list[int] = []
    for number, row in enumerate(rows):
        question = _encoded({"id": _own_id(row), **_chosen(row, _HELD)})
        known = others_of.setdefault((question, row.system), [])
        others = _encoded(_chosen(row, row.fields.keys() - _HELD - {"id", *recorded}))
        if others not in known or with_repeats or _own_id(row):
            known.append(others)
            place = len(known) - 1
        else:
            place = known.index(others)
        firsts.append(first_of.setdefault((question, place), number))
    return firsts


def _chosen(row: Occurrence, names: Collection[str]) -> dict[str, Any]:
    chosen = {name: row.fields[name] for name in sorted(names) if name in row.fields}
    if "question" in chosen:
        chosen["question"] = " ".join(str(chosen["question"]).split())
    return chosen


def _own_id(row: Occurrence) -> str:
    return str(row.fields.get("id") or "").strip()


def _encoded(fields: dict[str, Any]) -> str:
    return msgspec.json.encode(fields, enc_hook=str).decode()


def shared_systems(rows: Iterable[Occurrence]) -> tuple[str, ...]:
    """The systems of a file, if several of them were asked the same question; else none."""
    asked: dict[str, set[str]] = {}
    systems: dict[str, None] = {}
    for row in rows:
        systems[row.system] = None
        text = " ".join(str(row.fields.get("question") or "").split())
        asked.setdefault(_encoded({"id": _own_id(row), "text": text}), set()).add(row.system)
    return tuple(systems) if any(len(names) > 1 for names in asked.values()) else ()


_ID_BYTES: Final = 5
IdsBy = Literal["text", "plain text", "number"]
"""What the id of a question without one follows from; values in a ``plain text`` count too."""
IDS: Final = "question_ids"
BY_TEXT: Final = "text"
BY_MASKED_TEXT: Final = "masked text"
"""What a run says about it: the name of the field, and what it says."""
_QUESTION_SET_HELD: Final = frozenset({"answer", "gold", "gold_chunk_ids"})
"""Fields that make no sense without a question."""
_OWN: Final = frozenset(
    {"id", "question", "text", "source", "bundle", "gold_chunk_ids", "gold", "answerable", "answer"}
    | {"answers", "metadata", "draft", *ANSWERABLE_NAMES}
)
"""Names of our own fields: a column that has one of them without its role is kept as another."""
_KEPT: Final = frozenset({"bundle", "gold", "gold_chunk_ids", "draft", "metadata"})
"""Own fields that a line of JSON may have besides the names of another tool."""


class ForeignQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file of another format: its line or number, and its fields in our names.

    ``further`` are the fields that a system may see besides the question. ``fault`` says why the
    row is no question, and ``text`` is the row as it is written; it has no fields then. ``asserted``
    is the kind of an assertion that names no expected answer. ``said`` is what a system answered, and
    ``passages`` what it retrieved; ``system`` is the name of that system and ``latency_s`` the
    time it took, if the file has them.
    """

    line: int
    fields: dict[str, Any] = {}
    further: dict[str, Any] = {}
    fault: str = ""
    text: str = ""
    asserted: str = ""
    said: Any = None
    passages: Any = None
    system: str = ""
    latency_s: float | None = None


class ForeignTable(Struct, frozen=True, kw_only=True):
    """The columns of a file of another format, and what is not among its questions.

    ``columns`` says which column has a role, and ``known`` by which names each role is recognised
    (``column_key``). ``left_out`` are the lines of rows without a question; ``encoding`` is that
    of a text that is not UTF-8. ``listed`` are the expected answers that look like several, with
    their lines, ``asserted`` the kinds of assertions that are no expected answer, by line, and
    ``answered`` is the number of rows with an answer of a system. ``systems`` are the names of
    the systems, if several of them were asked the same questions. ``repeated`` are the lines of rows
    that repeat another one, with the line of that.
    """

    names: tuple[str, ...]
    columns: ColumnRoles
    known: Mapping[str, Sequence[str]]
    left_out: tuple[int, ...] = ()
    encoding: str = ""
    listed: tuple[tuple[int, str], ...] = ()
    asserted: Mapping[int, str] = {}
    answered: int = 0
    systems: tuple[str, ...] = ()
    repeated: tuple[tuple[int, int], ...] = ()

    @property
    def roles(self) -> Mapping[str, str]:
        """Which column has a role."""
        return self.columns.roles


def is_own_format(path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether the file has our own format, one JSON object a line with an id and our names.

    A file of another ending that is not known is ours too, and one whose ``columns`` the user names
    is not.
    """
    if not is_json_lines(path):
        return path.suffix.lower() not in READERS
    return not columns and not is_foreign_json_lines(path)


def foreign_questions(
    path: Path,
    columns: Mapping[str, str] | None = None,
    *,
    ids_by: IdsBy = "text",
    with_repeats: bool = False,
) -> list[ForeignQuestion]:
    """The questions of a file of another format, each once (``assay.data.question_set``).

    ``columns`` says which column has a role: ``{"question": "Frage"}``. A question without an id
    gets one that follows from its text, or by ``ids_by`` its number, as earlier versions did, which
    took each row for a question. With ``with_repeats``, rows that repeat each other are all there.

    Raises:
        UseError: no column holds the questions, or a named column does not exist.
        DatasetError: the file cannot be read.
    """
    read, named = _read_rows(path, columns)
    kept = [row for row in read if row.fault or _asks(row)]
    if ids_by != "number":
        firsts = distinct_rows(_occurrences(kept, named), named.recorded, with_repeats=with_repeats)
        kept = [row for number, row in enumerate(kept) if row.fault or firsts[number] == number]
    give_ids([row.fields for row in kept if not row.fault], ids_by)
    return kept


def answered_rows(
    path: Path, columns: Mapping[str, str] | None = None, system: str = ""
) -> list[ForeignQuestion]:
    """The rows with a question, one for each answer; of a ``system`` only its own.

    Raises as ``foreign_questions``.
    """
    read, _ = _read_rows(path, columns)
    kept = [row for row in read if row.fault or (_asks(row) and system in {"", row.system})]
    give_ids([row.fields for row in kept if not row.fault], "text")
    return kept


def _read_rows(
    path: Path, columns: Mapping[str, str] | None
) -> tuple[list[ForeignQuestion], ColumnRoles]:
    rows = table_rows(path, (columns or {}).get(SHEET, ""))
    named = _named(rows, columns or {}, path)
    return [_read(row, named, keeps_own=is_json_lines(path)) for row in rows], named


def _occurrences(rows: Iterable[ForeignQuestion], columns: ColumnRoles) -> list[Occurrence]:
    """The rows as questions that may be the same; without answers of systems, none is of a system."""
    return [
        Occurrence(fields=row.fields, system=row.system if columns.response else "") for row in rows
    ]


def _asks(row: ForeignQuestion) -> bool:
    return bool(str(row.fields.get("question") or "").strip())


def foreign_table(path: Path, columns: Mapping[str, str] | None = None) -> ForeignTable:
    """What a file of another format has besides its questions; raises as ``foreign_questions``."""
    rows = table_rows(path, (columns or {}).get(SHEET, ""))
    named = _named(rows, columns or {}, path)
    read = [_read(row, named, keeps_own=is_json_lines(path)) for row in rows]
    is_text = path.suffix.lower() in TEXTS
    decoded = decode_text(path.read_bytes()) if is_text else None
    cells = [row.cells for row in rows if row.cells or not row.fault]
    asking = [row for row in read if not row.fault and _asks(row)]
    occurrences = _occurrences(asking, named)
    systems = shared_systems(occurrences)
    firsts = distinct_rows(occurrences, named.recorded)
    return ForeignTable(
        names=tuple(dict.fromkeys(name for row in cells for name in row)),
        columns=named,
        known=known_names(),
        left_out=tuple(row.line for row in read if not row.fault and not _asks(row)),
        encoding="" if decoded is None or decoded.encoding == "UTF-8" else decoded.encoding,
        listed=tuple(
            (row.line, answer)
            for row in read
            if isinstance(answer := row.fields.get("answer"), str)
            and looks_listed(answer, is_cell=path.suffix.lower() in TABLES)
        ),
        asserted={row.line: row.asserted for row in read if row.asserted},
        answered=sum(row.get(named.response) not in (None, "") for row in cells),
        systems=systems,
        repeated=tuple(
            (asking[number].line, asking[first].line)
            for number, first in enumerate(firsts)
            if number != first and asking[number].system == asking[first].system
        ),
    )


def has_own_ids(path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether every question of the file has an id of its own."""
    if is_own_format(path, columns):
        return True
    by_text = foreign_questions(path, columns)
    by_number = foreign_questions(path, columns, ids_by="number")
    return [row.fields.get("id") for row in by_text] == [row.fields.get("id") for row in by_number]


def give_ids(questions: Iterable[dict[str, Any]], ids_by: IdsBy) -> None:
    """Give an id to each of the questions that has none."""
    known = list(questions)
    taken = {str(row["id"]).strip() for row in known if str(row.get("id") or "").strip()}
    for number, row in enumerate(known, 1):
        if str(row.get("id") or "").strip():
            continue
        if ids_by == "number":
            name = f"q{number}"
        else:
            name = text_id(str(row["question"]), is_plain=ids_by == "plain text")
        free = name
        count = 1
        while free in taken and ids_by != "number":
            count += 1
            free = f"{name}-{count}"
        taken.add(free)
        row["id"] = free


def text_id(question: str, *, is_plain: bool = False) -> str:
    """The id of a question that has none; white space makes no difference.

    With redaction, values in the text make none either, unless ``is_plain``: everybody who reads the
    masked question and its id could try out what the value was.

    >>> text_id("How long?") == text_id(" How  long? "), text_id("How long?")
    (True, 'q-9c23fbbff4')
    """
    plain = " ".join((question if is_plain else without_values(question)).split())
    return f"q-{hashlib.blake2b(plain.encode(), digest_size=_ID_BYTES).hexdigest()}"


def _read(row: TableRow, named: ColumnRoles, *, keeps_own: bool) -> ForeignQuestion:
    if row.fault:
        return ForeignQuestion(line=row.line, fault=row.fault, text=row.text)
    asserted = asserted_answers([row.cells.get(name) for name in named.asserted])
    try:
        fields = dict(_fields(row.cells, named))
    except ValueError as error:
        written = msgspec.json.encode(row.cells).decode()
        return ForeignQuestion(line=row.line, fault=str(error), text=written)
    others, further = _others(row.cells, named, fields, keeps_own=keeps_own)
    if fields.get("answer") is not None:
        fields["answer"] = with_truth(fields["answer"], str(fields.get("question") or ""))
    if not str(fields.get("question") or "").strip() and not _QUESTION_SET_HELD.isdisjoint(fields):
        written = row.text or msgspec.json.encode(row.cells).decode()
        fault = "the row has an answer or gold, but no question; write it, or delete the row"
        return ForeignQuestion(line=row.line, fault=fault, text=written)
    return ForeignQuestion(
        line=row.line,
        fields={**others, **fields},
        further=further,
        asserted=asserted.kind if not asserted.answers else "",
        said=row.cells.get(named.said),
        passages=row.cells.get(named.passages),
        system=row.system or str(row.cells.get(named.system) or ""),
        latency_s=seconds_of(named.latency, row.cells.get(named.latency)),
    )


def question_of_row(row: TableRow, named: ColumnRoles) -> ForeignQuestion:
    """The question of a row whose columns have these roles; a fault if it is none."""
    return _read(row, named, keeps_own=False)


def _others(
    cells: Mapping[str, Any], named: ColumnRoles, fields: Mapping[str, Any], *, keeps_own: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns without a role as they are kept, and those of them that a system may see.

    ``keeps_own`` if fields of our own keep their meaning, as they do in lines of JSON.
    """
    kept: dict[str, Any] = {}
    seen: dict[str, Any] = {}
    used = {*named.roles.values(), *named.further, *named.asserted}
    for name, value in cells.items():
        if name in used or value in (None, "", []):
            continue
        if keeps_own and name in _KEPT and name not in fields:
            kept[name] = value
        elif name in _OWN or _is_odd_kind(name, value):
            kept[f"{name} (column)"] = value
        else:
            kept[name] = value
            if not is_secret_name(name, named) and not (keeps_own and name == "kind"):
                seen[name] = value
    return kept, seen


def _is_odd_kind(name: str, value: Any) -> bool:
    return name == "kind" and not isinstance(value, str)


def _named(rows: Sequence[TableRow], chosen: Mapping[str, str], path: Path) -> ColumnRoles:
    """The column for each role."""
    cells = [row.cells for row in rows if row.cells or not row.fault]
    return named_roles(list(dict.fromkeys(name for row in cells for name in row)), chosen, path)


def named_roles(names: Sequence[str], chosen: Mapping[str, str], path: Path) -> ColumnRoles:
    """The column of these for each role.

    Raises:
        UseError: none of them holds the questions, or a named one does not exist.
    """
    named = named_columns(names, chosen, path)
    if names and "question" not in named.roles:
        near = near_question_name(names)
        meant = f"did you mean 'question' by {near!r}? " if near else ""
        raise UseError(
            f"{path}: no column is known to hold the questions; there are: {', '.join(names)}; "
            f"{meant}name it with --column question={shlex.quote(near) if near else 'NAME'}"
        )
    return named


def _fields(row: Mapping[str, Any], columns: ColumnRoles) -> Iterator[tuple[str, Any]]:
    named = columns.roles
    for role, name in named.items():
        value = _expected(row, columns) if role == "answer" else parsed_cell(row.get(name))
        if value in (None, "", []):
            continue
        if (
            role == "gold"
            and isinstance(value, list)
            and any(isinstance(item, dict) for item in value)
        ):
            yield "gold", value
        elif role == "gold":
            yield "gold_chunk_ids", list(flat_items(value))
        elif role == "context":
            yield (
                "gold",
                [
                    {"source": row.get(named.get("source", ""), ""), "text": text}
                    for text in flat_items(value)
                ],
            )
        elif role == "answerable":
            yield role, answerable_flag(name, value)
        else:
            yield role, value


def _expected(row: Mapping[str, Any], columns: ColumnRoles) -> Any:
    """The expected answer of a row: of one column, of several, or of assertions."""
    if columns.asserted:
        return list(asserted_answers([row.get(name) for name in columns.asserted]).answers)
    first = parsed_cell(row.get(columns.roles["answer"]))
    further = [parsed_cell(row.get(name)) for name in columns.further]
    if all(value in (None, "", []) for value in further):
        return first
    return list(accepted_answers([first, *further]))
