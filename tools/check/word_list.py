"""Words of Chinese and Russian stand in the lexicon, and nowhere else in the code."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from tools.check.repository import Finding, Module, Repository

SAMPLES = ("src/assay/data/samples/", "src/assay/data/chronicle/")
"""Rooms whose code writes sample documents."""
MOST = 2
"""So many Chinese or Russian words may stand together in code; more are a list."""
_LETTER = re.compile("[\u0400-\u04ff\u3400-\u9fff]")
_WORD = re.compile(r"(?:\(\?:|\(\?i:|\(|\\b|\^|\\W\*|\\s[?*+]?)*[\u0400-\u04ff\u3400-\u9fff]")
"""What an alternative that is a word begins with."""


def word_lists(repository: Repository) -> Iterator[Finding]:
    """Three or more Chinese or Russian words together belong into text/lexicon."""
    for module in repository.modules.values():
        if module.where.startswith(SAMPLES):
            continue
        documents = {id(node.value) for node in module.nodes if isinstance(node, ast.Expr)}
        named = _assigned(module)
        lists = {
            (node.lineno, what)
            for node in module.nodes
            if isinstance(node, ast.expr) and id(node) not in documents
            for what, number in _words(node, named)
            if number > MOST
        }
        for line, what in sorted(lists):
            yield Finding(module.where, line, f"{what} of words; move it to text/lexicon")


def _words(node: ast.expr, named: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """What kind of list an expression is, and how many words it has."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        yield "a collection", _count(map(_text, node.elts))
    elif isinstance(node, ast.Dict):
        yield "a dictionary", _count(map(_text, [*node.keys, *node.values]))
    elif isinstance(node, ast.Constant | ast.JoinedStr):
        alternatives = _text(node).split("|")
        yield "alternatives", sum(bool(_WORD.match(each)) for each in alternatives)
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"split", "splitlines"}:
        receiver = node.func.value  # type: ignore[attr-defined]
        text = named.get(receiver.id, "") if isinstance(receiver, ast.Name) else _text(receiver)
        yield "a split string", _count(text.split())


def _text(node: ast.AST | None) -> str:
    """The text of a string or of the fixed parts of an f-string; empty for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(value) or "{}" for value in node.values)
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, ast.Constant) else ""


def _assigned(module: Module) -> dict[str, str]:
    """The strings that have a name."""
    named: dict[str, str] = {}
    for node in module.nodes:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets: list[ast.expr] = [node.target]
        elif isinstance(node, ast.Assign):
            targets = node.targets
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name) and node.value is not None:
                named[target.id] = _text(node.value)
    return named


def _count(words: Iterable[str]) -> int:
    """How many of the words are Chinese or Russian."""
    return sum(bool(_LETTER.search(word)) for word in words)
