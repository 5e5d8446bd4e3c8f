"""What commands say and their help, in Chinese and Russian: complete, consistent, not too wide."""

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from itertools import chain
from typing import Any, Literal

import pytest
import typer
from typer.testing import CliRunner

from assay.cli.grouped_help import translated_paragraphs
from assay.cli.main import COMMANDS, app
from assay.cli.overview import help_page, start_page
from assay.text import display_width
from assay.words import say, use_language
from assay.words.say import catalogue
from tests.support.source import PACKAGE, package_nodes

Other = Literal["zh", "ru"]
OTHERS: tuple[Other, ...] = ("zh", "ru")
COLUMNS = 80
SAYING = {"say", "_tell", "file_line", "label_line"}
"""The functions whose first argument is an English text of the catalogue."""
THEIRS = {"zh": re.compile(r"[\u4e00-\u9fff]"), "ru": re.compile(r"[а-яёА-Я]")}
NO_WORDS = re.compile(r"[^A-Za-z]*(p95|( by | at )[^A-Za-z]*)?|assay .* on Python .*")
"""English texts without words of their own, outside of their fields."""


def nodes() -> Iterator[ast.AST]:
    """All nodes of the package."""
    return chain.from_iterable(package_nodes().values())


def said_literals() -> set[str]:
    """The texts that the code passes to ``say``, also those of a conditional expression."""
    calls = (
        node.args[0]
        for node in nodes()
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAYING and node.args
    )
    parts = (
        part
        for argument in calls
        for part in (
            [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
        )
    )
    return {
        part.value
        for part in parts
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def built_texts() -> list[re.Pattern[str]]:
    """Patterns of the texts that the code builds of names before it says them."""
    built = (
        node.args[0].values
        for node in nodes()
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


def commands() -> Iterator[tuple[list[str], Any]]:
    """All commands and subcommands with the words that call them."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group)
    for name in COMMANDS:
        command = group.get_command(context, name)
        yield [name], command
        for child, each in getattr(command, "commands", {}).items():
            yield [name, child], each


ALL_COMMANDS = list(commands())


def help_texts() -> set[str]:
    """The paragraphs and the option texts of all commands."""
    texts = {
        paragraph
        for _, command in ALL_COMMANDS
        for paragraph in translated_paragraphs(command.help)
    }
    for _, command in ALL_COMMANDS:
        shown = (p for p in command.params if not getattr(p, "hidden", False))
        texts |= {help_text for p in shown if (help_text := getattr(p, "help", None))}
    return texts


def field_names(text: str) -> set[str]:
    """The names between braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("lang", OTHERS)
def test_the_quick_reader_reads_what_toml_means(lang: Other):
    """The lines that are cut apart at a start give the same as the parser of TOML."""
    path = PACKAGE / "words" / "command" / f"{lang}.toml"
    assert catalogue(lang) == tomllib.loads(path.read_text(encoding="utf-8"))


def test_both_languages_have_the_same_messages():
    """A message of one language is in the other too, in the same order."""
    assert list(catalogue("zh")) == list(catalogue("ru"))


@pytest.mark.parametrize("lang", OTHERS)
def test_a_translation_keeps_its_fields_and_is_one(lang: Other):
    """No placeholder is lost or invented, and the text has letters of the language."""
    for english, text in catalogue(lang).items():
        assert field_names(text) == field_names(english), english
        words = re.sub(r"{[^}]*}", "", english)
        assert THEIRS[lang].search(text) or NO_WORDS.fullmatch(words), english


@pytest.mark.parametrize("lang", OTHERS)
def test_everything_that_is_said_is_translated(lang: Other):
    """Every text that the code says, and every help text of a command, is in the catalogue."""
    assert said_literals() - catalogue(lang).keys() == set()
    assert help_texts() - catalogue(lang).keys() == set()


def test_no_message_is_left_over():
    """Every message of the catalogue is said somewhere."""
    literals = {
        n.value for n in nodes() if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }
    parsers_own = {"Show this message and exit."}
    left = catalogue("zh").keys() - literals - help_texts() - parsers_own
    assert {key for key in left if not any(p.fullmatch(key) for p in built_texts())} == set()


@pytest.mark.parametrize("lang", OTHERS)
def test_numbers_choose_the_forms_of_nouns(lang: Other):
    """A message with a count can be filled for every count."""
    use_language(lang)
    shown = [say("{n} {n:question|questions}", n=n) for n in (1, 3, 5)]
    assert (
        shown
        == {
            "zh": ["1 个问题", "3 个问题", "5 个问题"],
            "ru": ["1 вопрос", "3 вопроса", "5 вопросов"],
        }[lang]
    )


@pytest.mark.parametrize("lang", OTHERS)
def test_the_first_pages_are_translated_and_fit(lang: Other):
    """``assay`` and ``assay --help`` have no English sentence and no line beyond 80 columns."""
    use_language(lang)
    for page in (start_page(), help_page(COMMANDS)):
        lines = page.splitlines()
        assert max(map(display_width, lines)) <= COLUMNS
        told = [line for line in lines if line.strip() and "assay COMMAND" not in line]
        assert [line for line in told if not THEIRS[lang].search(line)] == []


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("words", [words for words, _ in ALL_COMMANDS], ids=" ".join)
def test_the_help_of_a_command_fits(words: list[str], lang: Other):
    """In 80 columns no line of a translated help page is wider; a Chinese character takes two."""
    use_language(lang)
    runner = CliRunner(env={"COLUMNS": str(COLUMNS), "TERMINAL_WIDTH": str(COLUMNS)})
    shown = runner.invoke(app, [*words, "--help"])
    assert shown.exit_code == 0
    assert max(map(display_width, shown.stdout.splitlines())) <= COLUMNS
    assert "\b" not in shown.stdout
    assert say("Show this message and exit.") in shown.stdout
