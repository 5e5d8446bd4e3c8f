"""The progress of reading and embedding: lines, a bar, or nothing."""

import io
import time

import pytest

from assay.cli import progress as progress_module
from assay.cli.progress import checking_progress, embedding_progress, reading_progress
from assay.rag.embed.progress import EMBEDDING_PROGRESS


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return true."""
        return True


def wait_for(stream: io.StringIO, text: str) -> None:
    """Wait until the text appears."""
    for _ in range(2000):
        if text in stream.getvalue():
            break
        time.sleep(0.005)


def reading_output(stream: io.StringIO, until: str) -> str:
    """The progress of reading that is shown by the time ``until`` appears."""
    with reading_progress(stream) as progress:
        progress.at(3, 8, "big.pdf")
        wait_for(stream, until)
    return stream.getvalue()


def embedding_output(stream: io.StringIO, until: str) -> str:
    """The progress of embedding that is shown by the time ``until`` appears."""
    with embedding_progress(stream):
        tell = EMBEDDING_PROGRESS.get()
        assert tell is not None
        tell(2000, 28000)
        wait_for(stream, until)
    assert EMBEDDING_PROGRESS.get() is None
    return stream.getvalue()


def checking_output(stream: io.StringIO, until: str) -> str:
    """The progress of a check that is shown by the time ``until`` appears."""
    with checking_progress(stream) as tell:
        tell(2000, 28000, "passages")
        wait_for(stream, until)
    return stream.getvalue()


def test_a_check_of_questions_shows_what_it_does(monkeypatch: pytest.MonkeyPatch):
    """It indexes passages first, which takes the most time in a large corpus."""
    monkeypatch.setattr(progress_module, "QUIET_S", 0.001)
    assert checking_output(io.StringIO(), "\n") == "passages indexed: 2,000 of 28,000\n"
    assert "passages indexed" in checking_output(Terminal(), "passages indexed")


def test_long_work_shows_progress(monkeypatch: pytest.MonkeyPatch):
    """Progress is lines without a terminal, a bar with one, and nothing for short work."""
    assert reading_output(io.StringIO(), "") == ""
    monkeypatch.setattr(progress_module, "QUIET_S", 0.01)
    monkeypatch.setattr(progress_module, "LINE_S", 0.01)
    lines = reading_output(io.StringIO(), "big.pdf\n3 of 8").splitlines()
    assert lines[0] == "3 of 8 documents read in 0 s; now big.pdf"
    assert len(lines) >= 2
    assert "3/8" in reading_output(Terminal(), "big.pdf")
    assert embedding_output(io.StringIO(), "embedded").startswith(
        "2,000 of 28,000 passages embedded\n"
    )
    assert "2000/28000" in embedding_output(Terminal(), "embedded")


def test_nothing_is_shown_without_a_stream(capsys: pytest.CaptureFixture[str]):
    """With ``--json`` there is no stream, and no thread."""
    with reading_progress(None) as progress:
        progress.at(1, 2, "a.md")
    with embedding_progress(None):
        tell = EMBEDDING_PROGRESS.get()
        assert tell is not None
        tell(1, 2)
    assert capsys.readouterr() == ("", "")
