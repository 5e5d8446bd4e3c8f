"""What commands say and their help, in Chinese and Russian; ``tools/check`` compares the texts."""

import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
import typer
from typer.testing import CliRunner

from assay.cli.main import COMMANDS, app
from assay.cli.overview import help_page, start_page
from assay.text.width import display_width
from assay.words.language import use_language
from assay.words.say import say, say_n

Other = Literal["zh", "ru"]
OTHERS: tuple[Other, ...] = ("zh", "ru")
COLUMNS = 80
THEIRS = {"zh": re.compile(r"[\u4e00-\u9fff]"), "ru": re.compile(r"[а-яёА-Я]")}


def commands() -> Iterator[list[str]]:
    """The words that call each command and subcommand."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group)
    for name in COMMANDS:
        yield [name]
        for child in getattr(group.get_command(context, name), "commands", {}):
            yield [name, child]


@pytest.mark.parametrize("lang", OTHERS)
def test_numbers_choose_the_forms_of_nouns(lang: Other):
    """A message with a count can be filled for every count."""
    use_language(lang)
    shown = [say_n("{n} question", "{n} questions", n) for n in (1, 3, 5)]
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
def test_the_help_of_every_command_fits(lang: Other):
    """In 80 columns no line of a translated help page is wider; a Chinese character takes two."""
    use_language(lang)
    runner = CliRunner(env={"COLUMNS": str(COLUMNS), "TERMINAL_WIDTH": str(COLUMNS)})
    for words in commands():
        shown = runner.invoke(app, [*words, "--help"])
        assert shown.exit_code == 0, words
        lines = shown.stdout.splitlines()
        assert [line for line in lines if display_width(line) > COLUMNS] == [], words
        assert "\b" not in shown.stdout, words
        assert say("Show this message and exit.") in shown.stdout, words
