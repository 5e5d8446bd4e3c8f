"""Runs the ``assay`` program in the process of the test, which is faster than a subprocess."""

import sys
from collections.abc import Callable

import pytest
from msgspec import Struct

from assay.cli.main import main


class ProgramResult(Struct, frozen=True, kw_only=True):
    """The exit code of a command and what it printed."""

    code: int
    out: str
    err: str


Program = Callable[..., ProgramResult]


def program(capsys: pytest.CaptureFixture[str]) -> Program:
    """A function that runs ``assay`` with its arguments as the words of the command line."""

    def run(*words: object) -> ProgramResult:
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["assay", *map(str, words)])
            with pytest.raises(SystemExit) as exit_info:
                main()
        out, err = capsys.readouterr()
        code = exit_info.value.code
        return ProgramResult(code=code if isinstance(code, int) else 0, out=out, err=err)

    return run
