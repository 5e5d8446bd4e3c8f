"""What assay says: every text of the code is in both catalogues, and nothing else is.

The catalogues are ``src/assay/words/locale/zh.po`` and ``ru.po``; ``tools/words.py`` reads them and
finds the texts in the code.
"""

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from typing import Any

import typer

from assay.cli.application import translated_paragraphs
from assay.cli.main import COMMANDS, app
from tools.check.repository import Finding, Repository
from tools.words import LANGUAGES, LOCALE, key_of, literals, read_catalogue, uses

LETTERS = {"zh": re.compile(r"[\u4e00-\u9fff]"), "ru": re.compile(r"[а-яёА-Я]")}
NO_WORDS = re.compile(
    r"[^A-Za-z]*(p95|p\b[^A-Za-z]*|n|is\b[^A-Za-z]*|F1|Kappa|Cohen's kappa|PDF|SHA-256|top_k|top k|( by | at | of | and | in )[^A-Za-z]*)?"
    r"|assay .* on Python .*|[A-Z_]{3,}.*"
)
"""English texts without words of their own, outside of their fields."""
PARSERS_OWN = {"Show this message and exit."}
SENTENCE = re.compile(r"[A-Za-z]+,? [a-z]{2,}")
NOT_PRINTED = {"Option", "Argument", "Typer", "UseError"}
"""Calls whose texts are help, which is collected from the commands, or errors, which stay English."""
ERRORS = {
    "empty_reason", "_no_labels", "_end_prompted", "_refuse_with_novel", "_read_models", "nearest",
}  # fmt: skip
"""Functions that word an error."""
NAMES = {
    "int range", "float range", "did you mean", "--lang en|zh|ru",
    "the command of the job {}",
    "the command of the job {} is hidden: assay has a command of this name", "module {} has no attribute {}",
    "# written by assay: results contain the texts of questions and answers",
}  # fmt: skip
"""Texts that are no messages: names, a comment in a file, and messages to programmers."""
COMMAND = re.compile(r"(cd \S+ && )?assay( .*)?")


def missing_texts(repository: Repository) -> Iterator[Finding]:
    """Every text that the code says is in both catalogues, with a translation."""
    used = list(uses(repository, help_texts(repository)))
    for lang in LANGUAGES:
        known = {key_of(entry): entry for entry in _entries(repository, lang)}
        for use in used:
            entry = known.get(use.key)
            has_forms = entry is not None and bool(entry.pluralizable) == (use.plural is not None)
            if not has_forms:
                text = f"{use.key.text!r} is not in {lang}.po; add it with make words"
                yield Finding(use.where, use.line, text)


def translations(repository: Repository) -> Iterator[Finding]:
    """Every entry is translated with letters of the language, and has the fields of the English text."""
    for lang in LANGUAGES:
        for entry in _entries(repository, lang):
            key = key_of(entry)
            forms = entry.string if entry.pluralizable else (entry.string,)
            count = {"n"} if entry.pluralizable else set()  # a form may do without its number
            english = field_names(key.text) | count
            for form in forms:
                if not form:
                    yield _finding(lang, entry, f"{key.text!r} has no translation")
                elif field_names(form) - english or (
                    field_names(key.text) - field_names(form) - count
                ):
                    problem = f"{key.text!r} and its translation have other fields in braces"
                    yield _finding(lang, entry, f"{problem}; use the same")
                elif not LETTERS[lang].search(form) and not NO_WORDS.fullmatch(
                    re.sub(r"{[^}]*}", "", key.text)
                ):
                    yield _finding(lang, entry, f"{key.text!r} is not translated")


def unused_texts(repository: Repository) -> Iterator[Finding]:
    """Every entry of the catalogues is said somewhere."""
    used = {use.key for use in uses(repository, help_texts(repository))}
    strings = literals(repository)
    for lang in LANGUAGES:
        for entry in _entries(repository, lang):
            key = key_of(entry)
            if key not in used and key.text not in strings:
                text = f"{key.text!r} is said nowhere; remove it with make words"
                yield _finding(lang, entry, text)


def english_sentences(repository: Repository) -> Iterator[Finding]:
    """Every sentence in the code of a command is a text of the catalogues, help or an error."""
    known = {text for entry in _entries(repository, "ru") for text in _ids(entry)} | NAMES
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
    """The names between braces; none if braces are not those of fields."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}
    except ValueError:
        return set()


def help_texts(repository: Repository | None = None) -> set[str]:
    """The paragraphs and the option texts of all commands and subcommands.

    A repository without commands, such as that of a test, has none.
    """
    if repository is not None and not (repository.package / "cli" / "main.py").is_file():
        return set()
    return _help_texts()


@cache
def _help_texts() -> set[str]:
    group: Any = typer.main.get_command(app)
    context = typer.Context(group)
    texts = {*PARSERS_OWN}
    for name in COMMANDS:
        command = group.get_command(context, name)
        for each in (command, *getattr(command, "commands", {}).values()):
            texts |= set(translated_paragraphs(each.help))
            shown = (p for p in each.params if not getattr(p, "hidden", False))
            texts |= {help_text for p in shown if (help_text := getattr(p, "help", None))}
    return texts


def _entries(repository: Repository, lang: str) -> list[Any]:
    return _parsed(repository.text(f"{LOCALE}/{lang}.po"), lang)


@cache
def _parsed(text: str, lang: str) -> list[Any]:
    return [entry for entry in read_catalogue(text.encode(), lang) if entry.id]


def _ids(entry: Any) -> tuple[str, ...]:
    return tuple(entry.id) if entry.pluralizable else (entry.id,)


def _finding(lang: str, entry: Any, text: str) -> Finding:
    """A finding about an entry of a catalogue."""
    return Finding(f"{LOCALE}/{lang}.po", entry.lineno or 1, text)


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
