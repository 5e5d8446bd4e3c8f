"""Results of promptfoo, as its exports in JSON and JSON lines have them.

A result has the values of the prompt in ``vars``, the answer of the provider in ``response.output``
and the assertions in ``testCase.assert``.
"""

import csv
import io
from collections.abc import Iterator, Mapping
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
    for number, assertion in enumerate(_asserted(test.get("assert")), 1):
        columns[f"__expected{number}"] = assertion
    return {name: value for name, value in columns.items() if value is not None}


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
