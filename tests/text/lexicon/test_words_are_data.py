"""Words of Chinese and Russian stand in the lexicon, and nowhere else in the code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.path import ROOT

SOURCE = ROOT / "src" / "assay"
LETTER = re.compile("[\u0400-\u04ff\u3400-\u9fff]")
WORD = re.compile(r"(?:\(\?:|\(\?i:|\(|\\b|\^|\\W\*|\\s[?*+]?)*[\u0400-\u04ff\u3400-\u9fff]")
"""What an alternative that is a word begins with."""
SAMPLES = ("data/samples/", "data/chronicle/")
"""Rooms whose code writes sample documents."""
MOST = 2
"""So many Chinese or Russian words may stand together in code; more are a list."""


def constants(node: ast.AST) -> str:
    """The text of a string or of the fixed parts of an f-string; empty for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(constants(value) or "{}" for value in node.values)
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, ast.Constant) else ""


def documentation(tree: ast.Module) -> set[int]:
    """The ids of the strings that only document something."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def assigned(tree: ast.Module) -> dict[str, str]:
    """The strings that have a name."""
    named: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets: list[ast.expr] = [node.target]
        elif isinstance(node, ast.Assign):
            targets = node.targets
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name) and node.value is not None:
                named[target.id] = constants(node.value)
    return named


def word_lists(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines with a collection, a split string or alternatives of more words than allowed."""
    named, documents = assigned(tree), documentation(tree)
    for node in ast.walk(tree):
        items: list[ast.expr | None] = []
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            items = list(node.elts)
        elif isinstance(node, ast.Dict):
            items = [*node.keys, *node.values]
        if sum(bool(item and LETTER.search(constants(item))) for item in items) > MOST:
            yield node.lineno, "collection"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            receiver = node.func.value
            text = named.get(receiver.id, "") if isinstance(receiver, ast.Name) else ""
            words = (text or constants(receiver)).split()
            if node.func.attr in {"split", "splitlines"} and count(words) > MOST:
                yield node.lineno, "split string"
        if id(node) not in documents and isinstance(node, ast.Constant | ast.JoinedStr):
            alternatives = constants(node).split("|")
            if sum(bool(WORD.match(alternative)) for alternative in alternatives) > MOST:
                yield node.lineno, "alternatives"


def count(words: list[str]) -> int:
    """How many of the words are Chinese or Russian."""
    return sum(bool(LETTER.search(word)) for word in words)


def files() -> list[Path]:
    """The code that must not contain lists of words."""
    return [
        path
        for path in sorted(SOURCE.rglob("*.py"))
        if not path.relative_to(SOURCE).as_posix().startswith(SAMPLES)
    ]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_list_of_words_stands_in_code(path: Path):
    """Three or more Chinese or Russian words together belong into text/lexicon."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert sorted(set(word_lists(tree))) == []


@pytest.mark.parametrize(
    "code",
    [
        'X = ["не", "нет", "без"]',
        'X = {"不": 1, "未": 2, "无": 3}',
        'WORDS = "не нет без"\nX = WORDS.split()',
        'X = re.compile(r"\\b(?:не|нет|без)\\b")',
        'X = f"(?:{y}|不|未|无)"',
    ],
)
def test_a_list_of_words_is_found(code: str):
    """The search finds a collection, a dictionary, a split string and an expression."""
    assert list(word_lists(ast.parse(code)))
