"""What the program prints has no known secret in it."""

import io
import sys
from typing import cast

import pytest

from assay.cli.masked import masked_output
from assay.mask import MaskedStream, add_secrets

KEY = "sk-printed-0123456789"


def test_a_secret_is_masked_in_everything_that_is_printed(capsys: pytest.CaptureFixture[str]):
    """Both streams are masked inside the block, and are the old ones after it."""
    add_secrets([KEY])
    plain = sys.stdout, sys.stderr
    with masked_output():
        print("the key", KEY)  # noqa: T201 - as a library does
        sys.stderr.writelines([f"error: {KEY}\n", "done\n"])
    assert (sys.stdout, sys.stderr) == plain
    out, err = capsys.readouterr()
    assert out == "the key ***\n"
    assert err == "error: ***\ndone\n"


def test_control_characters_of_others_are_shown(capsys: pytest.CaptureFixture[str]):
    """A terminal does not obey what a library prints; what assay draws itself, it does."""
    with masked_output():
        print("\x1b]0;pwn\x07 10%\r 20%")  # noqa: T201 - as a library does
        sys.stderr.own.write("\x1b[2K")  # type: ignore[attr-defined]
    out, err = capsys.readouterr()
    assert out == "\\x1b]0;pwn\\x07 10%\r 20%\n"
    assert err == "\x1b[2K"


def test_everything_else_is_that_of_the_stream():
    """Its encoding, its file number and whether it is a terminal are asked of the stream."""
    inner = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    stream = cast("io.TextIOWrapper", MaskedStream(inner))
    assert stream.encoding == "utf-8"
    assert not stream.isatty()
    assert stream.write("日本") == 2
    stream.flush()
    assert inner.buffer.getvalue() == "日本".encode()  # type: ignore[attr-defined]
