"""Rows whose fields are in objects: ``inputs``, ``outputs`` and ``reference_outputs`` of LangSmith.

Lines of JSON have the objects themselves. A table has each as JSON in one cell, or a column for each
of its fields (``inputs.question``). Other tools write ``input`` and ``expected`` in the same way.
"""

import ast
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from assay.data.column_role import column_key, gives_answer, gives_passages, known_names
from assay.data.jsonl import UNREADABLE

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
    inputs_name = next((name for name in _INPUTS if _object(fields.get(name)) is not None), "")
    plain: dict[str, Any] = {}
    for name, value in fields.items():
        is_given = gives_answer(name) if inputs_name else name in _OUTPUTS
        content = _object(value) if inputs_name or isinstance(value, dict) else None
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


def _object(value: Any) -> dict[str, Any] | None:
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
