"""What commands say and their help: translated, and printed through one function.

The catalogues are ``words/command/zh.toml`` and ``words/command/ru.toml``, by the English text.
"""

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import typer

from assay.cli.application import translated_paragraphs
from assay.cli.main import COMMANDS, app
from tools.check.repository import Finding, Repository, toml_lines

CATALOGUES = {lang: f"src/assay/words/command/{lang}.toml" for lang in ("zh", "ru")}
LETTERS = {"zh": re.compile(r"[\u4e00-\u9fff]"), "ru": re.compile(r"[а-яёА-Я]")}
SAYING = {"say", "_tell", "file_line", "label_line"}
"""The functions whose first argument is an English text of the catalogue."""
NO_WORDS = re.compile(r"[^A-Za-z]*(p95|( by | at )[^A-Za-z]*)?|assay .* on Python .*")
"""English texts without words of their own, outside of their fields."""
PARSERS_OWN = {"Show this message and exit."}
SENTENCE = re.compile(r"[A-Za-z]+,? [a-z]{2,}")
NOT_PRINTED = {"Option", "Argument", "Typer", "UseError"}
"""Calls whose texts are help, which ``untranslated_help`` sees, or errors, which stay English."""
ERRORS = {
    "empty_reason", "_no_labels", "_end_prompted", "_refuse_with_novel", "_read_models", "nearest",
}  # fmt: skip
"""Functions that word an error."""
NAMES = {
    "int range", "float range", "did you mean", "broken lines", "--lang en|zh|ru",
    "the command of the job {}",
    "the command of the job {} is hidden: assay has a command of this name", "module {} has no attribute {}",
    "# written by assay: results contain the texts of questions and answers",
}  # fmt: skip
"""Texts that are no messages: names, a comment in a file, and messages to programmers."""
COMMAND = re.compile(r"(cd \S+ && )?assay( .*)?")


def same_messages(repository: Repository) -> Iterator[Finding]:
    """A message of one language is in the other too, in the same order."""
    keys = {lang: _catalogue(repository, lang) for lang in CATALOGUES}
    for lang, other in (("zh", "ru"), ("ru", "zh")):
        for key in keys[lang]:
            if key not in keys[other]:
                text = f"{key!r} is not in {other}.toml; translate it there too"
                yield _finding(repository, lang, key, text)
    common = (
        [key for key in keys[lang] if key in keys[other]]
        for lang, other in (("zh", "ru"), ("ru", "zh"))
    )
    for key, other_key in zip(*common, strict=True):
        if key != other_key:
            text = f"{key!r} is where ru.toml has {other_key!r}; use one order"
            yield _finding(repository, "zh", key, text)
            return


def translations(repository: Repository) -> Iterator[Finding]:
    """No placeholder is lost or invented, and the text has letters of the language."""
    for lang in CATALOGUES:
        for english, text in _catalogue(repository, lang).items():
            if field_names(text) != field_names(english):
                problem = (
                    f"{english!r} and its translation have other fields in braces; use the same"
                )
                yield _finding(repository, lang, english, problem)
            words = re.sub(r"{[^}]*}", "", english)
            if not LETTERS[lang].search(text) and not NO_WORDS.fullmatch(words):
                yield _finding(repository, lang, english, f"{english!r} is not translated")


def untranslated(repository: Repository) -> Iterator[Finding]:
    """Every text that the code says is in both catalogues."""
    said = list(_said(repository))
    for lang, name in CATALOGUES.items():
        known = _catalogue(repository, lang)
        for text, where, line in said:
            if text not in known:
                yield Finding(where, line, f"{text!r} is not in {name}; translate it there")


def untranslated_help(repository: Repository) -> Iterator[Finding]:
    """Every help text of a command is in both catalogues."""
    for lang, name in CATALOGUES.items():
        for text in sorted(help_texts() - _catalogue(repository, lang).keys()):
            yield Finding(name, 1, f"the help {text!r} is missing; translate it here")


def unused_messages(repository: Repository) -> Iterator[Finding]:
    """Every message of the catalogues is said somewhere."""
    used = help_texts() | PARSERS_OWN
    for module in repository.modules.values():
        used |= {
            node.value
            for node in module.nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    built = _built(repository)
    for lang in CATALOGUES:
        for key in _catalogue(repository, lang):
            if key not in used and not any(pattern.fullmatch(key) for pattern in built):
                yield _finding(repository, lang, key, f"{key!r} is said nowhere; remove it")


def english_sentences(repository: Repository) -> Iterator[Finding]:
    """Every sentence in the code of a command is a message of the catalogue, help or an error."""
    known = _catalogue(repository, "ru").keys() | NAMES
    for module in repository.modules.values():
        if module.path.parent != repository.package / "cli":
            continue
        for line, text in _shown(module.tree):
            if SENTENCE.search(text) and not COMMAND.fullmatch(text) and text not in known:
                problem = f"{text!r} is printed in English only; say() it and translate it"
                yield Finding(module.where, line, problem)


def printing(repository: Repository) -> Iterator[Finding]:
    """No command calls print or typer.echo itself: what data contain must not move the cursor."""
    for module in repository.modules.values():
        if module.path.parent != repository.package / "cli" or module.path.name == "output.py":
            continue
        for node in module.nodes:
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                is_print = called in {"print", "typer.echo", "click.echo"}
                if is_print and "__version__" not in ast.unparse(node):
                    text = f"calls {called}; use the functions of cli/output.py"
                    yield Finding(module.where, node.lineno, text)


def field_names(text: str) -> set[str]:
    """The names between braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@cache
def help_texts() -> set[str]:
    """The paragraphs and the option texts of all commands and subcommands."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group)
    texts = set()
    for name in COMMANDS:
        command = group.get_command(context, name)
        for each in (command, *getattr(command, "commands", {}).values()):
            texts |= set(translated_paragraphs(each.help))
            shown = (p for p in each.params if not getattr(p, "hidden", False))
            texts |= {help_text for p in shown if (help_text := getattr(p, "help", None))}
    return texts


def _catalogue(repository: Repository, lang: str) -> dict[str, str]:
    return _parsed(repository.text(CATALOGUES[lang]))


@cache
def _parsed(text: str) -> dict[str, str]:
    return tomllib.loads(text)


def _finding(repository: Repository, lang: str, key: str, text: str) -> Finding:
    """A finding about a message of a catalogue."""
    name = CATALOGUES[lang]
    return Finding(name, toml_lines(repository.text(name)).get(("", key), 1), text)


def _said(repository: Repository) -> Iterator[tuple[str, str, int]]:
    """The texts that the code passes to ``say``, also those of a conditional expression."""
    for module in repository.modules.values():
        for node in module.nodes:
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAYING):
                continue
            for argument in node.args[:1]:
                parts = [argument]
                if isinstance(argument, ast.IfExp):
                    parts = [argument.body, argument.orelse]
                for part in parts:
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value, module.where, part.lineno


def _built(repository: Repository) -> list[re.Pattern[str]]:
    """Patterns of the texts that the code builds of names before it says them."""
    nodes = chain.from_iterable(module.nodes for module in repository.modules.values())
    built = (
        node.args[0].values
        for node in nodes
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "say"
        and isinstance(node.args[0], ast.JoinedStr)
    )
    return [
        re.compile(
            "".join(
                re.escape(str(p.value)) if isinstance(p, ast.Constant) else "[a-z ]+" for p in parts
            )
        )
        for parts in built
    ]


def _shown(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The string literals below a node that may be printed; what is filled in is ``{}``."""
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    name = (
        getattr(node.func, "attr", getattr(node.func, "id", ""))
        if isinstance(node, ast.Call)
        else ""
    )
    is_error = isinstance(node, ast.FunctionDef) and node.name in ERRORS
    if is_docstring or is_error or isinstance(node, ast.Raise) or name in NOT_PRINTED:
        return
    if isinstance(node, ast.JoinedStr):
        parts = (str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values)
        yield node.lineno, "".join(parts)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from _shown(child)
