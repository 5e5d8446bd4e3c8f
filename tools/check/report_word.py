"""The words of reports, heatmaps and the page: complete, consistent and without unused entries.

They are in ``words/en.toml``, ``words/zh.toml`` and ``words/ru.toml``, in sections.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from tools.check.message import field_names
from tools.check.repository import Finding, Repository, toml_lines

FILES = {lang: f"src/assay/words/{lang}.toml" for lang in ("en", "zh", "ru")}
READERS = {"label": {"word"}, "heatmap": {"heat_word"}, "page": {"page_word", "page_text"}}
"""The functions and methods that take a key of each section as their first argument."""
VALUE_READERS = {"value_word", "retold"}
"""Those that take a kind of value."""
THEIRS = {"undefined", "field", "field value", "finding", "fault", "note", "skipped"}
"""Kinds of values that the source does not spell out.

They are of metrics, of users' files of questions, and sentences with gaps, which are put together.
"""

_Key = tuple[str, str]
"""A table of the file, such as ``value.type``, and a name in it."""


def same_words(repository: Repository) -> Iterator[Finding]:
    """A text that exists in English exists in every language, with the same fields."""
    english = _texts(repository, "en")
    for lang in ("zh", "ru"):
        words = _texts(repository, lang)
        for key in sorted(english.keys() - words.keys()):
            text = f"{key[1]!r} of [{key[0]}] is not in {lang}.toml; translate it there"
            yield _finding(repository, "en", key, text)
        for key in sorted(words.keys() - english.keys()):
            text = f"{key[1]!r} of [{key[0]}] is not in en.toml; add it there or remove it"
            yield _finding(repository, lang, key, text)
        for key in sorted(words.keys() & english.keys()):
            if not words[key] or field_names(words[key]) != field_names(english[key]):
                text = f"{key[1]!r} has other fields in braces than in en.toml; use the same"
                yield _finding(repository, lang, key, text)


def unused_words(repository: Repository) -> Iterator[Finding]:
    """The data files have no word that no module asks for.

    A key may reach the function through a variable, so all string literals of a module that
    calls the function count as used keys.
    """
    for section, readers in READERS.items():
        used: set[str] = set()
        patterns: set[str] = set()
        for nodes in _modules(repository):
            calls = _calls(nodes, readers)
            used |= _strings(nodes) if calls else set()
            patterns |= {_key_pattern(call) for call in calls}
        keys = (key for key in _texts(repository, "en") if key[0] == section)
        for key in keys:
            if key[1] not in used and not any(re.fullmatch(each, key[1]) for each in patterns):
                text = f"no module asks for {key[1]!r} of [{section}]; remove it"
                yield _finding(repository, "en", key, text)


def unused_values(repository: Repository) -> Iterator[Finding]:
    """Each kind is passed to a function that translates, and each value occurs in the source."""
    kinds: set[str] = set()
    literals: set[str] = set()
    for nodes in _modules(repository):
        calls, strings = _calls(nodes, VALUE_READERS), _strings(nodes)
        kinds |= _strings(call.args[0] for call in calls)
        # the legal benchmark cuts the kind from the name of a table: "by_category"
        kinds |= {text[3:] for text in strings if calls and text.startswith("by_")}
        literals |= strings
    for key in _texts(repository, "en"):
        section, _, kind = key[0].partition(".")
        if section == "value" and kind not in kinds:
            yield _finding(repository, "en", key, f"no module asks for a {kind}; remove [{key[0]}]")
        elif section == "value" and kind not in THEIRS and key[1] not in literals:
            text = f"{key[1]!r} of [{key[0]}] does not occur in the source; remove it"
            yield _finding(repository, "en", key, text)


def _texts(repository: Repository, lang: str) -> dict[_Key, str]:
    """All texts of a language."""
    return _flat(repository.text(FILES[lang]))


@cache
def _flat(text: str) -> dict[_Key, str]:
    tables: dict[str, Any] = tomllib.loads(text)
    values = tables.pop("value", {})
    tables |= {f"value.{kind}": table for kind, table in values.items()}
    return {(name, key): text for name, table in tables.items() for key, text in table.items()}


def _finding(repository: Repository, lang: str, key: _Key, text: str) -> Finding:
    name = FILES[lang]
    return Finding(name, toml_lines(repository.text(name)).get(key, 1), text)


def _modules(repository: Repository) -> list[list[ast.AST]]:
    """The nodes of each module that may use a word."""
    own = {repository.package / "report" / "words", repository.package / "words"}
    return [
        module.nodes
        for module in repository.modules.values()
        if module.path.parent not in own or module.path.stem == "said"
    ]


def _calls(nodes: Iterable[ast.AST], names: set[str]) -> list[ast.Call]:
    """The calls of functions or methods with these names."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in names
    ]


def _strings(nodes: Iterable[ast.AST]) -> set[str]:
    """The string literals among the nodes."""
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _key_pattern(call: ast.Call) -> str:
    """A regular expression for the keys that the first argument builds if it is an f-string."""
    argument = call.args[0]
    parts = argument.values if isinstance(argument, ast.JoinedStr) else []
    return "".join(
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in parts
    )
