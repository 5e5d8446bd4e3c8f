"""Options without a validator: the values and the messages are those of typer."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.core import TyperCommand
from typer.testing import CliRunner

from assay.cli.application import GroupedCommand

Shown = tuple[str, int, str]


def _show(
    values: Annotated[list[str] | None, typer.Argument()] = None,
    text: Annotated[str | None, typer.Option()] = None,
    path: Annotated[Path | None, typer.Option()] = None,
    folder: Annotated[Path | None, typer.Option(exists=True, file_okay=False)] = None,
    paths: Annotated[list[Path] | None, typer.Option()] = None,
    whole: Annotated[int, typer.Option(min=0, max=50)] = 7,
    clamped: Annotated[int, typer.Option(min=0, max=5, clamp=True)] = 3,
    number: Annotated[float, typer.Option(min=0)] = 1e-9,
    upper: Annotated[str, typer.Option(parser=str.upper)] = "a",
) -> None:
    typer.echo(repr((values, text, path, folder, paths, whole, clamped, number, upper)))


def _required(name: Annotated[str, typer.Option()]) -> None:
    typer.echo(name)


def _shown(function: Callable[..., None], cls: type[TyperCommand], words: list[str]) -> Shown:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(cls=cls)(function)
    result: Any = CliRunner().invoke(app, words)
    return result.stdout, result.exit_code, result.stderr


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["a", "", "b c"],
        ["--text", "", "--path", "", "--paths", "a", "--paths", "b/../c"],
        ["--path", "no such file", "--folder", "."],
        ["--folder", "no such folder"],
        ["--text", "bytes that are no text: \udcff"],
        ["--path", "\udcff"],
        *(["--whole", word] for word in ("0", "50", "51", "-1", "007", "1_0", " 5", "5.0", "x", "")),
        *(["--number", word] for word in ("0", "2.50", "1e3", "-0.1", "nan", "inf", ".5", "x")),
        ["--clamped", "9"],
        ["--upper", "word"],
    ],
    ids=repr,
)  # fmt: skip
def test_values_and_messages_are_those_of_typer(words: list[str]):
    """Every value, right or wrong, gives what a command of typer gives."""
    assert _shown(_show, GroupedCommand, words) == _shown(_show, TyperCommand, words)


def test_a_required_option_is_required():
    """An option that must be given is still missed."""
    output, code, message = _shown(_required, GroupedCommand, [])
    assert (output, code) == ("", 2)
    assert "Missing option '--name'" in message
    assert _shown(_required, GroupedCommand, ["--name", "x"]) == ("x\n", 0, "")
