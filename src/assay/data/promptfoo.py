"""Results of promptfoo, as its exports in JSON and JSON lines have them.

A result has the values of the prompt in ``vars``, the answer of the provider in ``response.output``
and the assertions in ``testCase.assert``.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


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
