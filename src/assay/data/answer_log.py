"""A log of a service: each row is a question with the answer that was given, whatever else it has.

Unlike a set of questions, a log may have a question many times, each time with another answer, so every
row is a case of its own. Columns are recognised by their names (``assay.data.column_role``), or named by
the user. What is there besides question and answer is read too: passages, expected answers, errors,
latency, cost and what users thought of the answer. A conversation of one turn, as chats write
it (``messages``), is a row; one of several turns is not read, and is counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from assay.checks.scorer import LOGGED_COST, RATING
from assay.data.answered_set import recorded_passages
from assay.data.column_role import (
    SHEET,
    ColumnRoles,
    MeasuredColumns,
    column_key,
    column_words,
    is_expected_name,
    measured_columns,
    seconds_in,
)
from assay.data.foreign_set import conversation_columns, table_rows, turns
from assay.data.foreign_value import as_number, as_text, as_whole_number
from assay.data.jsonl import BadLine
from assay.data.question import CorpusQuestion, question_of_foreign
from assay.data.question_set import ForeignQuestion, give_ids, named_roles, question_of_row
from assay.data.question_table import TableRow
from assay.errors import DatasetError, UseError
from assay.records import Passage
from assay.words.message import Message, message, message_n

_MOST_NAMED: Final = 5
_NAME: Final = re.compile(r"[^\s]{1,200}")
"""What is one word is the name of a passage, not its text."""
_NOTHING: Final = frozenset(
    {"", "0", "0.0", "none", "null", "nan", "n/a", "no", "ok", "false", "-", "[]", "{}"}
)
"""What a column of errors says where there was none."""
_LEAST_ERROR_CODE: Final = 400


class LoggedAnswer(Struct, frozen=True, kw_only=True):
    """A row of a log: the question with what is known about right answers, and what was recorded.

    ``recorded`` has what the row says of the answer, as far as it says it: ``answer``, ``error``,
    ``passages``, ``latency_s``, ``logged_cost`` and ``rating``. ``further`` are the columns without a role.
    """

    line: int
    question: CorpusQuestion
    recorded: Mapping[str, Any]
    further: Mapping[str, Any] = {}


class AnswerLog(Struct, frozen=True, kw_only=True):
    """The rows of a log, the columns that were found by role, and what there is to say about both."""

    rows: tuple[LoggedAnswer, ...]
    columns: Mapping[str, str]
    notes: tuple[Message | str, ...] = ()


def read_log(path: Path, columns: Mapping[str, str] | None = None) -> AnswerLog:
    """The answers of a log in their order; ``columns`` are those that the user named by role.

    Raises:
        UseError: no column has questions or answers, or a named one does not exist.
        DatasetError: the file cannot be read, has no rows, or rows of it cannot be understood.
    """
    chosen = dict(columns or {})
    found = table_rows(path, chosen.pop(SHEET, ""))
    names = list(dict.fromkeys(name for row in found for name in row.cells))
    if not names:
        faults = [ForeignQuestion(line=row.line, fault=row.fault) for row in found if row.fault]
        _refuse_faults(path, faults)
        raise DatasetError(f"{path}: the file has no rows")
    measured = measured_columns(names, chosen, path)
    asked = {role: name for role, name in chosen.items() if role not in measured.chosen}
    named = _roles(path, names, asked, measured)
    kept = [row for row in found if row.fault or not _has_turns(row)]
    read = [question_of_row(row, named) for row in kept]
    asking = [
        (row, each)
        for row, each in zip(kept, read, strict=True)
        if each.fault or str(each.fields.get("question") or "").strip()
    ]
    _refuse_faults(path, [each for _, each in asking])
    if not asking:
        raise DatasetError(f"{path}: no row has a question{_turns_problem(len(found) - len(kept))}")
    repeated = _give_own_ids([each.fields for _, each in asking])
    has_passages = any(each.passages not in (None, "") for _, each in asking)
    scale = _scale(row.cells.get(measured.rating) for row, _ in asking)
    rows = tuple(
        LoggedAnswer(
            line=each.line,
            question=_question(each, path),
            further=each.further,
            recorded=_recorded(row, each, measured, has_passages=has_passages, scale=scale),
        )
        for row, each in asking
    )
    taken = {**named.roles, "response": named.response, "passages": named.passages}
    taken |= {"latency": named.latency, **measured.by_role()}
    used = {*taken.values(), *named.further, *named.asserted, *measured.taken}
    notes = [
        *_turn_notes(path, len(found) - len(kept), [row.cells for row, _ in asking]),
        *_left_out_notes(path, len(kept) - len(asking)),
        *_id_notes(path, repeated),
        *_unused_notes(path, [name for name in names if name not in used]),
    ]
    return AnswerLog(
        rows=rows,
        columns={role: name for role, name in taken.items() if name},
        notes=tuple(notes),
    )


# Which column is what: in a log, an answer is that of the system unless its name says otherwise.


def _roles(
    path: Path, names: Sequence[str], chosen: Mapping[str, str], measured: MeasuredColumns
) -> ColumnRoles:
    """The columns of a log by role.

    Raises:
        UseError: there are no questions or no answers.
    """
    log_names = [name for name in names if name not in measured.taken]
    try:
        found = named_roles(log_names, {**_log_only(log_names, chosen), **chosen}, path)
    except UseError:
        if not conversation_columns(names):
            raise
        raise DatasetError(f"{path}: no row has a question{_turns_problem(1)}") from None
    roles = dict(found.roles)
    expected = roles.get("answer", "")
    response = found.response
    if not response and expected and "answer" not in chosen and not is_expected_name(expected):
        response = roles.pop("answer")
    elif expected and "answer" not in chosen and column_key(expected) in _doubtful("expected"):
        roles.pop("answer")
    for role in ("gold", "source"):
        if role not in chosen and column_key(roles.get(role, "")) in _doubtful(role):
            roles.pop(role)
    if not response:
        raise UseError(
            f"{path}: no column is known to hold the answers of the system; there are: "
            f"{', '.join(names)}; name it with --column response=NAME"
        )
    return replace(found, roles=roles, response=response, further=found.further)


def _log_only(names: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Columns whose names mean something in a log only, for roles that nobody has named."""
    by_key = {column_key(name): name for name in reversed(names)}
    known = {
        role: next((by_key[key] for key in map(column_key, words) if key in by_key), None)
        for role, words in column_words()["log"].items()
    }
    found = {role: name for role, name in known.items() if name and role not in chosen}
    return {role: name for role, name in found.items() if not _is_found_otherwise(role, by_key)}


def _is_found_otherwise(role: str, by_key: Mapping[str, str]) -> bool:
    return any(column_key(word) in by_key for word in column_words().get(role, ()))


def _doubtful(role: str) -> set[str]:
    """The names that mean a role in a set of questions, and often something else in a log."""
    return set(map(column_key, column_words()["not_in_log"].get(role, ())))


def _refuse_faults(path: Path, rows: Iterable[ForeignQuestion]) -> None:
    faults = [f"{path}:{row.line}: {row.fault}" for row in rows if row.fault]
    if faults:
        more = [f"and {len(faults) - _MOST_NAMED} more"] if len(faults) > _MOST_NAMED else []
        raise DatasetError(*faults[:_MOST_NAMED], *more)


# Conversations: one of several turns is not read.


def _has_turns(row: TableRow) -> bool:
    return any(turns(row.cells.get(name)) > 1 for name in conversation_columns(row.cells))


def _turns_problem(count: int) -> str:
    return "; conversations of several turns are not read yet" if count else ""


def _turn_notes(
    path: Path, left_out: int, cells: Sequence[Mapping[str, Any]]
) -> Iterator[Message | str]:
    """That conversations were left out, or that their turns are read one by one."""
    if left_out:
        yield message_n(
            "{path}: {n} conversation of several turns was left out: only single questions with their answers are read yet",
            "{path}: {n} conversations of several turns were left out: only single questions with their answers are read yet",
            left_out,
            path=path,
        )
    known = set(map(column_key, column_words()["conversation_id"]))
    names = dict.fromkeys(name for row in cells for name in row)
    for name in (each for each in names if column_key(each) in known):
        sizes = Counter(str(row[name]) for row in cells if row.get(name) not in (None, ""))
        several = [size for size in sizes.values() if size > 1]
        if several:
            yield message_n(
                "{path}: by the column {name}, {rows} rows are turns of {n} conversation; each is read as a question of its own, without what was said before",
                "{path}: by the column {name}, {rows} rows are turns of {n} conversations; each is read as a question of its own, without what was said before",
                len(several),
                path=path,
                name=repr(name),
                rows=sum(several),
            )
            return


def _left_out_notes(path: Path, count: int) -> Iterator[Message | str]:
    if count:
        yield message_n(
            "{path}: {n} row without a question was left out",
            "{path}: {n} rows without a question were left out",
            count,
            path=path,
        )


def _give_own_ids(fields: Sequence[dict[str, Any]]) -> int:
    """Give every row an id; an id that several rows have gets a number. How many of these there are."""
    taken: set[str] = set()
    known = {str(row.get("id") or "").strip() for row in fields}
    repeated = 0
    for row in fields:
        name = free = str(row.get("id") or "").strip()
        number = 1
        while name and (free in taken or (number > 1 and free in known)):
            number += 1
            free = f"{name}-{number}"
        repeated += number > 1
        taken.add(free)
        row["id"] = free
    give_ids(fields, "text")
    return repeated


def _unused_notes(path: Path, others: Sequence[str]) -> Iterator[Message]:
    words = column_words()
    known = {*map(column_key, words["conversation_id"]), *map(column_key, words["conversation"])}
    names = [name for name in others if column_key(name) not in known]
    if names:
        shown = ", ".join([*names[:_MOST_NAMED], *(["…"] if len(names) > _MOST_NAMED else [])])
        yield message(
            "{path}: no metric uses {names}; --column ROLE=NAME, such as latency_s=NAME, says what a column holds",
            path=path,
            names=shown,
        )


def _id_notes(path: Path, repeated: int) -> Iterator[Message | str]:
    if repeated:
        yield message_n(
            "{path}: {n} row has the id of an earlier one and is an answer of its own",
            "{path}: {n} rows have the id of an earlier one and are answers of their own",
            repeated,
            path=path,
        )


def _question(row: ForeignQuestion, path: Path) -> CorpusQuestion:
    try:
        return question_of_foreign(row, path)
    except BadLine as problem:
        raise DatasetError(str(problem)) from None


# What a row records besides its question.


def _recorded(
    row: TableRow,
    read: ForeignQuestion,
    measured: MeasuredColumns,
    *,
    has_passages: bool,
    scale: Mapping[str, bool] | None,
) -> dict[str, Any]:
    cells = row.cells
    answer = as_text(read.said)
    cost = as_number(cells.get(measured.cost))
    fields: dict[str, Any] = {
        "answer": answer if answer and answer.strip() else None,
        "error": _error(cells, measured),
        "passages": _passages(read.passages, has_passages=has_passages),
        "latency_s": seconds_in(measured.unit, cells.get(measured.latency)) or read.latency_s,
        LOGGED_COST: cost if cost is not None and cost >= 0 else None,
        RATING: _rating(cells.get(measured.rating), scale),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _error(cells: Mapping[str, Any], measured: MeasuredColumns) -> str | None:
    """What went wrong by the row itself; ``None`` if it says nothing of the kind."""
    for value in (cells.get(name) for name in measured.errors):
        text = " ".join((as_text(value) or str(value)).split()) if value is not None else ""
        if value is not False and text.casefold() not in _NOTHING:
            return text
    for value in (cells.get(name) for name in measured.statuses):
        word = "_".join((as_text(value) or "").casefold().split())
        if word in column_words()["failed"] or (as_whole_number(word) or 0) >= _LEAST_ERROR_CODE:
            return f"status {as_text(value)}"
    return None


def _passages(value: Any, *, has_passages: bool) -> list[Any] | None:
    """The passages of a row; where other rows have some, an empty cell says that there were none."""
    found = recorded_passages(value)
    if found is None:
        return [] if has_passages else None
    return list(map(_named, found))


def _named(passage: Passage) -> Passage:
    """The passage; a text of one word, such as the name of a file, is its id."""
    is_name = _NAME.fullmatch(passage.text) is not None and passage.text.isascii()
    return Passage(id=passage.text, source=passage.source) if is_name else passage


def _scale(values: Iterable[Any]) -> Mapping[str, bool] | None:
    """What the words of ratings mean, good or bad; ``None`` if ratings are points.

    A 0 is bad beside a 1, and nothing beside a -1. A 1 alone may be the worst of five.
    """
    texts = {_word(value) for value in values} - {""}
    words = column_words()["rating_word"]
    if texts == {"1"} or not texts <= {*words["good"], *words["bad"], *words["neither"]}:
        return None
    meant = dict.fromkeys(words["good"], True) | dict.fromkeys(words["bad"], False)
    return meant if "-1" in texts else {**meant, "0": False}


def _rating(value: Any, scale: Mapping[str, bool] | None) -> bool | float | None:
    return as_number(value) if scale is None else scale.get(_word(value))


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).casefold()
    return "_".join((as_text(value) or "").casefold().split()).removesuffix(".0")
