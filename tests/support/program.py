"""The program run in this process: quick, with its exit code and what it printed."""

import sys
from collections.abc import Callable

import pytest
from msgspec import Struct

from assay.cli.main import main


class Ran(Struct, frozen=True, kw_only=True):
    """How a command ended."""

    code: int
    out: str
    err: str


Program = Callable[..., Ran]


def program(capsys: pytest.CaptureFixture[str]) -> Program:
    """A function that runs ``assay`` with the words it is given."""

    def run(*words: object) -> Ran:
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["assay", *map(str, words)])
            with pytest.raises(SystemExit) as end:
                main()
        out, err = capsys.readouterr()
        code = end.value.code
        return Ran(code=code if isinstance(code, int) else 0, out=out, err=err)

    return run
