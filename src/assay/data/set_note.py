"""What a user must know about a file of questions that was read: nothing of it is lost silently.

A field that is not known is no error, because files of other tools have more of them, and a system
may use them. But a field whose name is close to one that is missing is probably a slip of the pen,
and the questions then lack their expected answers or their gold.
"""

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.answered_set import answer_notes, listed_note, replay_note
from assay.data.column_role import SHEET, column_key, written_names
from assay.data.foreign_value import ignored_fields_note
from assay.data.jsonl import UNREADABLE, decoded_lines, other_encoding
from assay.data.question import OWN_FIELDS, CorpusQuestion, is_metadata
from assay.data.question_set import ANSWERABLE_NAMES, foreign_table, is_own_format, looks_listed
from assay.data.question_table import sheet_titles
from assay.text.character import IGNORABLE
from assay.words.message import Message, message, message_n

# What a user must know about questions that are in a file several times.


def repeated_row_note(path: Path, repeated: Sequence[tuple[int, int]]) -> Iterator[Message | str]:
    """One line about rows that repeat another; each is given with the line of that one."""
    if not repeated:
        return
    line, first = repeated[0]
    yield message_n(
        "{path}: {n} row repeats an earlier one and was left out: each question is asked once (line {line} repeats line {first})",
        "{path}: {n} rows repeat an earlier one and were left out: each question is asked once (line {line} repeats line {first})",
        len(repeated),
        path=path,
        line=line,
        first=first,
    )


def same_question_note(path: Path, questions: Iterable[CorpusQuestion]) -> Iterator[Message | str]:
    """One line about questions with other ids or further fields that ask and expect the same."""
    first_of: dict[bytes, str] = {}
    same: list[tuple[str, str]] = []
    for question in questions:
        content = msgspec.structs.asdict(question)
        content |= {"id": "", "text": " ".join(question.text.split())}
        first = first_of.setdefault(msgspec.json.encode(content), question.id)
        if first != question.id:
            same.append((question.id, first))
    if same:
        second, first = same[0]
        yield message_n(
            "{path}: {n} question asks and expects the same as another one, and each counts ({second} is {first} again); assay questions check lists them",
            "{path}: {n} questions ask and expect the same as another one, and each counts ({second} is {first} again); assay questions check lists them",
            len(same),
            path=path,
            second=repr(second),
            first=repr(first),
        )


def odd_question_notes(
    path: Path, questions: Collection[CorpusQuestion]
) -> Iterator[Message | str]:
    """Notes about questions that are probably not meant so: the same twice, ids alike, answers *nan*."""
    yield from same_question_note(path, questions)
    yield from _like_id_note(path, questions)
    missing = [each.id for each in questions if _NAN in map(str.casefold, each.answers)]
    if missing:
        yield message_n(
            "{path}: {n} expected answer is the word nan, which many programs write for an empty cell (question {id}); empty it if there is no answer",
            "{path}: {n} expected answers are the word nan, which many programs write for an empty cell (first question {id}); empty them if there is no answer",
            len(missing),
            path=path,
            id=repr(missing[0]),
        )


def _like_id_note(path: Path, questions: Iterable[CorpusQuestion]) -> Iterator[Message | str]:
    """One line about ids that look the same: they differ in spaces or in how signs are encoded.

    An invisible sign between the others is one that no reader sees.
    """
    first_of: dict[str, str] = {}
    alike: list[tuple[str, str]] = []
    for question in questions:
        visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", question.id))
        shown = " ".join(visible.split())
        first = first_of.setdefault(shown, question.id)
        if first != question.id:
            alike.append((question.id, first))
    if alike:
        second, first = alike[0]
        yield message_n(
            "{path}: {n} id differs from another one only in spaces or in how its signs are encoded, and is another question ({second} and {first})",
            "{path}: {n} ids differ from another one only in spaces or in how their signs are encoded, and are other questions ({second} and {first})",
            len(alike),
            path=path,
            second=ascii(second),
            first=ascii(first),
        )


_INVISIBLE: Final = re.compile(f"[{IGNORABLE}]")
_NAN: Final = "nan"
_CLOSE: Final = 0.75
_LONGER: Final = 2
"""By how many letters a slip of the pen may change a name; `question_id` is no `question`."""
_MOST_LINES: Final = 5
_SAME: Final = (
    {"question", "text"},
    {"answer", "answers"},
    {"gold", "gold_chunk_ids", "bundle"},
    {*ANSWERABLE_NAMES},
)
"""Fields of which one is enough."""


def question_notes(
    path: Path, columns: Mapping[str, str] | None = None, *, is_replayed: bool = False
) -> tuple[Message | str, ...]:
    """Notes about a file that ``read_questions`` accepts, in English; usually none.

    ``is_replayed`` if the answers of the file are scored, so that nobody need be told how to.
    """
    if is_own_format(path, columns):
        return tuple(_own_notes(path))
    return tuple(_table_notes(path, columns, is_replayed=is_replayed))


def _own_notes(path: Path) -> Iterator[Message | str]:
    if encoding := other_encoding(path):
        yield message("{path}: read as {encoding}", path=path, encoding=encoding)
    slips: dict[str, None] = {}
    listed: list[tuple[int, str]] = []
    decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
    for number, line in decoded_lines(path):
        try:
            row = decoder.decode(line)
            answer = msgspec.json.decode(row.get("answer", b"null"))
        except UNREADABLE:  # the reader says what is wrong with it
            continue
        names = row.keys()
        if isinstance(answer, str) and looks_listed(answer, is_cell=False):
            listed.append((number, answer))
        if not is_metadata(dict.fromkeys(names)):
            slips.update(dict.fromkeys(_slips(names, OWN_FIELDS, _missing(names))))
    yield from filter(None, [_misspelt(path, slips, OWN_FIELDS)])
    if listed:
        yield message("{file}: {what}", file=path, what=listed_note(listed))


def _missing(names: Collection[str]) -> set[str]:
    """The fields that a question does not have, also not under another name."""
    present = set(names)
    for same in _SAME:
        present |= same if same & present else set()
    return set(OWN_FIELDS) - present


def _table_notes(
    path: Path, columns: Mapping[str, str] | None, *, is_replayed: bool
) -> Iterator[Message | str]:
    table = foreign_table(path, columns)
    yield from _sheet_note(path, (columns or {}).get(SHEET, ""))
    if table.encoding:
        yield message("{path}: read as {encoding}", path=path, encoding=table.encoding)
    taken = {table.columns.response, table.columns.passages, *table.columns.further}
    taken |= {*table.roles.values(), *table.columns.asserted}
    others = [name for name in table.names if name not in taken]
    free = {
        name for role, names in table.known.items() if role not in table.roles for name in names
    }
    slips = _slips(map(column_key, others), (), free)
    names = [name for name in others if column_key(name) in set(slips)]
    missing = [role for role in table.known if role not in table.roles]
    misspelt = _misspelt(path, names, [name for role in missing for name in written_names(role)])
    notes = answer_notes(path, table, misspelt=names)
    yield from filter(None, [misspelt, *notes])
    if not is_replayed and (note := replay_note(path, table)):
        yield note
    if table.left_out:
        lines = ", ".join(map(str, table.left_out[:_MOST_LINES]))
        more = " …" if len(table.left_out) > _MOST_LINES else ""
        yield message_n(
            "{path}: {n} row without a question was left out (line {lines})",
            "{path}: {n} rows without a question were left out (line {lines})",
            len(table.left_out),
            path=path,
            lines=f"{lines}{more}",
        )
    yield from repeated_row_note(path, table.repeated)


def _sheet_note(path: Path, chosen: str) -> Iterator[Message | str]:
    """Which sheets of a workbook are not read, unless the user chose one."""
    titles = sheet_titles(path) if path.suffix.lower() == ".xlsx" and not chosen else []
    if len(titles) > 1:
        others = ", ".join(map(repr, titles[1:]))
        yield (
            message(
                "{path}: only the sheet {sheet} is read, not {others}; choose another one with assay run --sheet NAME, or save it as a file of its own",
                path=path,
                sheet=repr(titles[0]),
                others=others,
            )
        )


def _slips(names: Iterable[str], known: Collection[str], missing: Iterable[str]) -> Iterator[str]:
    """The names that are not known and close to one that is missing.

    >>> list(_slips(["id", "anwser", "note"], ["id", "answer"], ["answer"]))
    ['anwser']
    >>> list(_slips(["question_id", "answers2"], [], ["question"]))
    []
    """
    for name in names:
        if name not in known:
            near = [other for other in missing if abs(len(other) - len(name)) <= _LONGER]
            if difflib.get_close_matches(name, near, n=1, cutoff=_CLOSE):
                yield name


def _misspelt(path: Path, names: Iterable[str], known: Collection[Any]) -> str:
    note = ignored_fields_note(names, known)
    return f"{path}: {note}" if note else ""
