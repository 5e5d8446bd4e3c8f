"""Question sets in one JSON value: SQuAD, Ragas, DeepEval, promptfoo, or a list of questions."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assay.data.column_role import column_key, known_names
from assay.data.json_line_set import unnested
from assay.data.promptfoo import promptfoo_results
from assay.errors import DatasetError

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
        yield from _squad(content["data"])
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


def _squad(articles: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """The questions of SQuAD; the gold is the paragraph that each question is about."""
    for article in articles:
        title = str(article.get("title") or "")
        for paragraph in article.get("paragraphs") or ():
            for question in paragraph.get("qas") or ():
                is_impossible = bool(question.get("is_impossible"))
                answers = [answer.get("text") for answer in question.get("answers") or ()]
                gold = [{"source": "", "text": str(paragraph.get("context") or "")}]
                yield {
                    "id": question.get("id"),
                    "question": question.get("question"),
                    "answer": answers,
                    "title": title,
                    **({"answerable": False} if is_impossible else {"gold": gold}),
                }
