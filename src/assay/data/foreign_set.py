"""Readers of question sets of other tools: each gives the rows of a file as they are there."""

import ast
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from assay.data.column_role import (
    column_key,
    column_words,
    gives_answer,
    gives_passages,
    is_expected_name,
    known_names,
)
from assay.data.jsonl import (
    UNREADABLE,
    decode_problem,
    decode_text,
    decoded_lines,
    open_data_file,
    refuse_repeated_key,
    repeated_key,
    unreadable_error,
)
from assay.data.question_table import TableRow, csv_table, parsed_cell, xlsx_table
from assay.errors import AssayError, DatasetError, UseError
from assay.registry import optional_library

# Results of promptfoo, as its exports in JSON and JSON lines have them.
#
# A result has the values of the prompt in ``vars``, the answer of the provider in ``response.output``
# and the assertions in ``testCase.assert``.


def promptfoo_results(content: Any) -> list[Any] | None:
    """The results of an export in JSON; ``None`` if it is none."""
    results = content.get("results") if isinstance(content, dict) else None
    inner = results.get("results") if isinstance(results, dict) else None
    return inner if isinstance(inner, list) else None


def promptfoo_row(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The fields of a result as columns of a table; ``None`` if it is none.

    The prompt stands for the question if no value has the name of one.

    >>> promptfoo_row({"vars": {"question": "Who?"}, "response": {"output": "Ann"}})
    {'question': 'Who?', 'response': 'Ann'}
    """
    values = row.get("vars")
    if not isinstance(values, dict) or not {"response", "testCase"} & row.keys():
        return None
    prompt, response, test = (_object(row.get(name)) for name in ("prompt", "response", "testCase"))
    columns = {"prompt": prompt.get("raw"), **values, "response": response.get("output")}
    if not response.get("cached"):  # a stored reply takes no time
        columns["latency_ms"] = row.get("latencyMs")
    for number, assertion in enumerate(_asserted(test.get("assert")), 1):
        columns[f"__expected{number}"] = assertion
    return {name: value for name, value in columns.items() if value is not None}


def promptfoo_systems(results: Sequence[Any]) -> list[str]:
    """Which provider gave the answer of each result, with its prompt if it was asked with several.

    The name is empty for a row that is no result.

    >>> promptfoo_systems([{"provider": {"id": "old"}}, {"provider": {"id": "b", "label": "new"}}])
    ['old', 'new']
    >>> promptfoo_systems([{"provider": "a", "promptIdx": n} for n in (0, 1, 0)])
    ['a (prompt 1)', 'a (prompt 2)', 'a (prompt 1)']
    """
    names = [_provider(_object(row).get("provider")) for row in results]
    prompts: dict[str, dict[str, int]] = {}
    numbers: list[int] = []
    for name, row in zip(names, results, strict=True):
        known = prompts.setdefault(name, {})
        numbers.append(known.setdefault(str(_object(row).get("promptIdx")), len(known) + 1))
    return [
        f"{name} (prompt {number})" if name and len(prompts[name]) > 1 else name
        for name, number in zip(names, numbers, strict=True)
    ]


def _provider(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("label") or value.get("id")
    return value.strip() if isinstance(value, str) else ""


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _asserted(assertions: Any) -> Iterator[str]:
    """The assertions as the column ``__expected`` of a table has them."""
    for each in assertions if isinstance(assertions, list) else ():
        kind, value = _object(each).get("type"), _object(each).get("value")
        if isinstance(kind, str):
            yield f"{kind}: {_listed(value) if isinstance(value, list) else value}"


def _listed(values: list[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()


# Rows whose fields are in objects: ``inputs``, ``outputs`` and ``reference_outputs`` of LangSmith.
#
# Lines of JSON have the objects themselves. A table has each as JSON in one cell, or a column for each
# of its fields (``inputs.question``). Other tools write ``input`` and ``expected`` in the same way.

_INPUTS: Final = ("inputs", "input")
_OUTPUTS: Final = frozenset({"outputs", "reference_outputs"})
_DOTTED: Final = {
    "input": "inputs",
    "inputs": "inputs",
    "output": "outputs",
    "outputs": "outputs",
    "reference": "reference_outputs",
    "reference_outputs": "reference_outputs",
}
_EXAMPLE_IDS: Final = ("example_id", "reference_example_id")
"""Names of the id of a question; ``id`` is that of one answer to it."""


def unpacked(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with the fields of such objects as columns; any other row as it is.

    >>> unpacked({"inputs": {"question": "Who?"}, "outputs": {"answer": "Ann"}})
    {'question': 'Who?', 'outputs': 'Ann'}
    >>> unpacked({"inputs": '{"question": "Who?"}', "reference_outputs": '{"answer": "Ann"}'})
    {'question': 'Who?', 'reference_outputs': 'Ann'}
    >>> unpacked({"inputs.question": "Who?", "outputs.output": "Bob", "reference.answer": "Ann"})
    {'question': 'Who?', 'outputs': 'Bob', 'reference_outputs': 'Ann'}
    """
    fields = _gathered(row)
    inputs_name = next(
        (name for name in _INPUTS if _nested_row_object(fields.get(name)) is not None), ""
    )
    plain: dict[str, Any] = {}
    for name, value in fields.items():
        is_given = gives_answer(name) if inputs_name else name in _OUTPUTS
        content = _nested_row_object(value) if inputs_name or isinstance(value, dict) else None
        if name == inputs_name:
            plain.update({key: item for key, item in (content or {}).items() if key not in fields})
        elif is_given and content is not None:
            plain[name] = _only_answer(content)
            plain.update({key: content[key] for key in content if gives_passages(key)})
        else:
            plain[name] = value
    if inputs_name and "latency" in plain:
        plain["latency_s"] = plain.pop("latency")
    example = next((plain[name] for name in _EXAMPLE_IDS if plain.get(name)), None)
    return {**plain, "id": example} if inputs_name and example is not None else plain


def _gathered(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with columns such as ``inputs.question`` gathered into one object."""
    if not any(name.startswith(("input.", "inputs.")) for name in row):
        return dict(row)
    fields: dict[str, Any] = {}
    for name, value in row.items():
        head, _, key = name.partition(".")
        whole = _DOTTED.get(head) if key else None
        if whole is None or whole in row:
            fields[name] = value
        elif value not in (None, ""):
            fields.setdefault(whole, {})[key] = value
    return fields


def _nested_row_object(value: Any) -> dict[str, Any] | None:
    """An object, also if it is written as JSON or as Python writes it."""
    if isinstance(value, str) and value.strip().startswith("{") and value.strip().endswith("}"):
        try:
            value = msgspec.json.decode(value)
        except UNREADABLE:
            value = _python_object(value)
    return value if isinstance(value, dict) else None


def _python_object(text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _only_answer(fields: dict[str, Any]) -> Any:
    """The answer among the outputs of a system: the only one, or that with a name of an answer."""
    best = [name for name in fields if column_key(name) in known_names()["answer"]]
    named = best or [name for name in fields if gives_answer(name)]
    chosen = named or [name for name in fields if not gives_passages(name)]
    return fields[chosen[0]] if len(chosen) == 1 else fields


# Question sets of other tools in JSON lines, and whether a file is one.
#
# A file of JSON lines is ours if its questions have ids and our names. Other tools write the same
# ending: without ids, with ``user_input`` for the question, or with ``ground_truth`` beside ``answer``.

ENDINGS: Final = frozenset({".jsonl", ".ndjson", ""})
_ASKS: Final = frozenset({"question", "text"})
NESTED: Final = frozenset({"inputs", "vars"})
"""Objects in which LangSmith and promptfoo have the question."""


def is_json_lines(path: Path) -> bool:
    """Whether the file has one JSON object a line; judged by its ending."""
    return path.suffix.lower() in ENDINGS


def is_foreign_json_lines(path: Path) -> bool:
    """Whether a file of JSON lines has no ids, or the names of another tool."""
    try:
        if not path.is_file():  # a pipe can be read only once
            return False
        stat = path.stat()
    except OSError:  # the reader says why
        return False
    return _is_foreign(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=32)
def _is_foreign(path: Path, _changed: int, _size: int) -> bool:
    decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
    names: dict[str, None] = {}
    try:
        for _, line in decoded_lines(path):
            try:
                row = decoder.decode(line)
            except UNREADABLE:  # the reader says what is wrong with it
                continue
            if not describes_set(row):
                names.update(dict.fromkeys(row))
    except AssayError:
        return False
    asks = any(column_key(name) in known_names()["question"] for name in names)
    asks = asks or not NESTED.isdisjoint(names)
    has_own = "id" in names and not _ASKS.isdisjoint(names)
    return asks and (not has_own or any(map(is_expected_name, names)))


def describes_set(fields: dict[str, Any]) -> bool:
    """Whether a line is no question but says something about the set: ``{"metadata": {…}}``."""
    return "metadata" in fields and _ASKS.isdisjoint(fields) and "id" not in fields


def json_line_table(path: Path) -> Iterator[TableRow]:
    """The rows of a file of JSON lines; a line that is no object is a fault."""
    for number, line in decoded_lines(path):
        try:
            row = msgspec.json.decode(line)
        except UNREADABLE as error:
            fault = f"not a question: {decode_problem(line, error)}"
            yield TableRow(line=number, fault=fault, text=line.decode("utf-8", "replace"))
            continue
        if not isinstance(row, dict):
            fault = "not a question: put one JSON object on each line"
            yield TableRow(line=number, fault=fault, text=line.decode("utf-8", "replace"))
        elif repeated := repeated_key(line):
            text = line.decode("utf-8", "replace")
            yield TableRow(line=number, fault=repeated.problem, text=text)
        elif not describes_set(row):
            yield TableRow(line=number, cells=row)


def with_systems(rows: Sequence[TableRow]) -> Iterator[TableRow]:
    """The rows with their fields as columns (``unnested``), and the system of each answer."""
    systems = promptfoo_systems([row.cells for row in rows])
    for row, system in zip(rows, systems, strict=True):
        is_result = promptfoo_row(row.cells) is not None
        yield replace(row, cells=unnested(row.cells), system=system if is_result else "")


def unnested(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose fields LangSmith and promptfoo put into objects, with these fields themselves.

    >>> unnested({"vars": {"question": "Who?"}, "note": "x"})
    {'question': 'Who?', 'note': 'x'}
    """
    result = promptfoo_row(row)
    if result is not None:
        return result
    row = _with_only_turn(row)
    values = row.get("vars")
    if isinstance(values, dict):
        inner = {name: value for name, value in values.items() if name not in row}
        row = {**inner, **{name: value for name, value in row.items() if name != "vars"}}
    return unpacked(row)


# Conversations as chats write them: a list of messages, each with the role of who said it.

_ROLES: Final = ("role", "from", "author", "speaker", "sender")
_SAID: Final = ("content", "value", "text", "message")
_ASKS_BY: Final = frozenset({"user", "human", "customer", "client", "用户", "пользователь"})
_ANSWERS_BY: Final = frozenset({"assistant", "gpt", "bot", "ai", "model", "agent", "助手", "бот"})


def conversation_columns(names: Iterable[str]) -> list[str]:
    """Those of the columns whose names mean a whole conversation."""
    known = set(map(column_key, column_words()["conversation"]))
    return [name for name in names if column_key(name) in known]


def turns(value: Any) -> int:
    """How many times somebody asks in a conversation; 0 if the value is none.

    >>> turns([{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "Ann"}])
    1
    """
    return sum(who == "user" for who, _ in _messages(value))


def _with_only_turn(row: dict[str, Any]) -> dict[str, Any]:
    """The row with question and answer in place of a conversation of one turn.

    >>> _with_only_turn({"messages": [{"role": "user", "content": "Who?"},
    ...                               {"role": "assistant", "content": "Ann"}]})
    {'question': 'Who?', 'response': 'Ann'}
    """
    columns = [name for name in conversation_columns(row) if turns(row[name]) == 1]
    if not columns or any(column_key(name) == "question" for name in row):
        return row
    said = list(_messages(row[columns[0]]))
    asked = next(place for place, (who, _) in enumerate(said) if who == "user")
    answers = [text for who, text in said[asked:] if who == "assistant"]
    kept = {name: value for name, value in row.items() if name not in columns}
    answer = {"response": answers[-1]} if answers and "response" not in kept else {}
    return {"question": said[asked][1], **answer, **kept}


def _messages(value: Any) -> Iterator[tuple[str, str]]:
    """Who says what in a conversation: ``user``, ``assistant`` or another role."""
    if isinstance(value, str):
        value = parsed_cell(value)
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, dict):
            return
        who = str(next((each[name] for name in _ROLES if each.get(name)), "")).casefold()
        said = next((each[name] for name in _SAID if each.get(name)), "")
        parts = said if isinstance(said, list) else [said]
        texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
        text = "\n".join(part for part in texts if isinstance(part, str))
        yield "user" if who in _ASKS_BY else "assistant" if who in _ANSWERS_BY else who, text


# Question sets in one JSON value: SQuAD, Ragas, DeepEval, promptfoo, or a list of questions.

_LISTS: Final = ("questions", "samples", "testCases", "test_cases", "test_results")
"""Where files have their questions; others are found by what is in them."""
_DEEPEST: Final = 2
_MOST_LOOKED_AT: Final = 20


def json_set(content: Any, path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a set, as they are there.

    Raises:
        DatasetError: it is no set of questions.
    """
    if isinstance(content, dict) and _is_squad(content.get("data")):
        yield from _squad(content["data"], path)
        return
    items = content if isinstance(content, list) else _found(content)
    if items is None and isinstance(content, dict) and _is_columns(content):
        names = list(content)
        yield from (
            dict(zip(names, values, strict=True)) for values in zip(*content.values(), strict=False)
        )
        return
    if items is None:
        raise DatasetError(
            f"{path}: neither SQuAD, a list of questions nor an export of DeepEval or promptfoo"
        )
    yield from (item if isinstance(item, dict) else {"question": str(item)} for item in items)


def _found(content: Any, depth: int = 0) -> list[Any] | None:
    """The list of questions in an object: by its name, or else the only one that asks something."""
    if not isinstance(content, dict):
        return None
    results = promptfoo_results(content)
    if results is not None:
        return results
    for name in _LISTS:
        if isinstance(content.get(name), list):
            return list(content[name])
    asking = [value for value in content.values() if _asks(value)]
    if depth < _DEEPEST and not asking:
        inner = [_found(value, depth + 1) for value in content.values()]
        asking = [found for found in inner if found is not None]
    return asking[0] if len(asking) == 1 else None


def _asks(value: Any) -> bool:
    """Whether a value is a list of objects with a question."""
    if not isinstance(value, list) or not value:
        return False
    rows = value[:_MOST_LOOKED_AT]
    names = set(known_names()["question"])
    return all(isinstance(row, dict) for row in rows) and any(
        not names.isdisjoint(map(column_key, unnested(row))) for row in rows
    )


def _is_columns(content: Mapping[str, Any]) -> bool:
    return bool(content) and all(isinstance(value, list) for value in content.values())


def _is_squad(articles: Any) -> bool:
    return isinstance(articles, list) and any(
        isinstance(article, dict) and "paragraphs" in article for article in articles
    )


def _squad(articles: Sequence[Any], path: Path) -> Iterator[dict[str, Any]]:
    """The questions of SQuAD; the gold is the paragraph that each question is about."""
    for place, article in _objects(articles, f"{path}: data"):
        title = str(article.get("title") or "")
        for within, paragraph in _objects(article.get("paragraphs"), f"{place}.paragraphs"):
            for inner, question in _objects(paragraph.get("qas"), f"{within}.qas"):
                given = question.get("answers")
                if isinstance(given, dict):  # as Hugging Face has it: {"text": [...]}
                    answers = given.get("text")
                else:
                    answers = [each.get("text") for _, each in _objects(given, f"{inner}.answers")]
                is_impossible = bool(question.get("is_impossible"))
                gold = [{"source": "", "text": str(paragraph.get("context") or "")}]
                yield {
                    "id": question.get("id"),
                    "question": question.get("question"),
                    "answer": answers,
                    "title": title,
                    **({"answerable": False} if is_impossible else {"gold": gold}),
                }


def _objects(values: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list, each with its place; nothing is an empty list."""
    if values is None:
        return
    if not isinstance(values, list):
        raise DatasetError(f"{place} is no list; SQuAD has a list of objects there")
    for number, value in enumerate(values):
        if not isinstance(value, dict):
            raise DatasetError(f"{place}[{number}] is no object; SQuAD has a list of objects there")
        yield f"{place}[{number}]", value


TEXTS: Final = frozenset({".csv", ".tsv", ".json", ".txt", ".md"}) | ENDINGS
"""Endings of files that have an encoding."""
TABLES: Final = frozenset({".csv", ".tsv", ".xlsx"})
"""Endings of files that have cells."""
FORMATS: Final = "use a .jsonl, .csv, .tsv, .xlsx, .json, .parquet, .txt or .md file"
"""What to do about a file of another format."""
_LIST_SIGN: Final = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,4}[.)、．]|[（(]\d{1,4}[）)])\s*")


def table_rows(path: Path, sheet: str = "") -> list[TableRow]:
    """The rows of a file of another format, with the names of columns that they have there.

    ``sheet`` is that of a workbook; without it, the first one with rows is read.

    Raises:
        DatasetError: the file cannot be read.
        UseError: a sheet is named that the file does not have.
    """
    if sheet and path.suffix.lower() != ".xlsx":
        raise UseError(f"{path}: has no sheets; --sheet is for workbooks (.xlsx)")
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise DatasetError(f"{path}: this format is not read; {FORMATS}")
    try:
        rows = xlsx_table(path, sheet) if sheet else read(path)
        return list(with_systems(list(rows)))
    except OSError as error:
        raise unreadable_error(path, error) from None


def _text(path: Path) -> str:
    decoded = decode_text(path.read_bytes())
    if decoded is None:
        raise DatasetError(
            f"{path}: not UTF-8, UTF-16, GB18030, CP1251 or KOI8-R; save it as UTF-8"
        )
    return decoded.text


def _csv(path: Path) -> Iterator[TableRow]:
    yield from csv_table(_text(path), path)


def _lines(path: Path) -> Iterator[TableRow]:
    for number, line in enumerate(_text(path).splitlines(), 1):
        question = _LIST_SIGN.sub("", line).strip()
        if question and not question.startswith("#"):
            yield TableRow(line=number, cells={"question": question})


def _counted(
    read: Callable[[Path], Iterator[dict[str, Any]]],
) -> Callable[[Path], Iterator[TableRow]]:
    """Reads rows that have no lines: their numbers are counted."""
    return lambda path: (
        TableRow(line=number, cells=cells) for number, cells in enumerate(read(path), 1)
    )


def _parquet(path: Path) -> Iterator[dict[str, Any]]:
    duckdb = optional_library("duckdb", "query", f"{path}: reading Parquet")
    try:
        found = duckdb.sql("SELECT * FROM read_parquet($path)", params={"path": str(path)})
        if found is None:
            return
        names = found.columns
        yield from (dict(zip(names, row, strict=True)) for row in found.fetchall())
    except duckdb.Error as error:
        raise DatasetError(f"{path}: not a Parquet file: {str(error).splitlines()[0]}") from None


def _json(path: Path) -> Iterator[dict[str, Any]]:
    text = _text(path)
    try:
        content = msgspec.json.decode(text)
    except UNREADABLE as error:
        problem = decode_problem(text.encode(), error)
        raise DatasetError(f"{path}: not JSON: {problem}") from None
    refuse_repeated_key(text.encode(), path)
    yield from json_set(content, path)


READERS: Final[Mapping[str, Callable[[Path], Iterator[TableRow]]]] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".xlsx": xlsx_table,
    ".json": _counted(_json),
    ".parquet": _counted(_parquet),
    ".txt": _lines,
    ".md": _lines,
    **dict.fromkeys(ENDINGS, json_line_table),
}
"""The reader of each ending."""


# Refuse files in a format that is not read, instead of calling them malformed JSON.

_JSON_ENDINGS: Final = frozenset({".json", ".jsonl", ".ndjson"})
_BEFORE: Final = b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"
"""Byte-order marks and white space, also of UTF-16."""
_BEGINNING: Final = 1024


def refuse_other_format(path: Path, known: str) -> None:
    """Refuse a file that neither begins as JSON nor has an ending of it; ``known`` names the formats.

    Raises:
        DatasetError: it does not, or cannot be opened.
    """
    if path.suffix.lower() in _JSON_ENDINGS or not path.is_file():  # a pipe can be read only once
        return
    with open_data_file(path) as file:
        beginning = file.read(_BEGINNING).lstrip(_BEFORE)
    if beginning and beginning[:1] not in {b"{", b"["}:
        raise DatasetError(f"{path}: this format is not read; {known}")
