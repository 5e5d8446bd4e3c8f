"""The first minutes of somebody who reads Chinese or Russian; `make newcomer` tries all of them."""

from pathlib import Path

import pytest

from assay.text.width import display_width
from assay.words.say import say_in
from tests.support.program import program

COLUMNS = 80
COMMANDS = (
    ("init", "work"),
    ("ablate", "-e", "hyde", "--limit", "1", "--charts", "none", "--root", "work"),
    ("list", "--root", "work"),
    ("ablate", "-e", "hyde", "--limit", "1", "--charts", "none", "--root", "work"),
)
OURS = (
    "rows",
    "summary",
    "experiment",
    "questions",
    "name",
    "state",
    "complete",
)
"""Words that these commands say."""


@pytest.mark.parametrize(("lang", "locale"), [("zh", "zh_CN.UTF-8"), ("ru", "ru_RU.UTF-8")])
def test_the_locale_alone_decides(
    lang: str,
    locale: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """No option is needed; nothing is cut, unreadable or left in English."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", locale)
    assay = program(capsys)
    shown = ""
    for words in COMMANDS:
        ran = assay(*words)
        assert ran.code == 0, ran.err
        shown += ran.out + ran.err
        if words[0] == "list":
            assert max(map(display_width, ran.out.splitlines())) <= COLUMNS
    assert "\ufffd" not in shown
    for english in OURS:
        told = say_in(lang, english).partition("{")[0]
        assert told in shown, english
    lines = [line.split("  ")[0] for line in shown.splitlines()]
    assert not {"rows", "summary", "report", "experiment", "system", "variants"} & set(lines)
