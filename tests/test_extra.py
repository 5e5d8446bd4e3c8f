"""What a plain installation lacks is said in one line with the command that installs it."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from openpyxl import Workbook

from assay.data.document.reading_process import ReadingProcess
from assay.data.question import read_questions
from assay.errors import UseError
from assay.registry import DISTRIBUTION, EXTRAS, install_command
from assay.web.pattern import Pattern
from tests.support.path import ROOT


def workbook(folder: Path) -> Path:
    """A workbook with one question."""
    book = Workbook()
    book.active.append(["question"])
    book.active.append(["How long?"])
    path = folder / "q.xlsx"
    book.save(path)
    return path


def test_the_extras_are_those_of_the_package():
    """Each extra and what it installs is declared in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["name"] == DISTRIBUTION
    declared = {
        extra: tuple(re.split(r"[\[<>=]", each)[0] for each in needed)
        for extra, needed in project["project"]["optional-dependencies"].items()
    }
    assert declared == EXTRAS


def test_the_tests_have_every_extra_but_large_models():
    """The development group installs them; ``make test-real-model`` has the other two."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    dev = {re.split(r"[\[<>=]", each)[0] for each in project["dependency-groups"]["dev"]}
    untested = {extra for extra, needed in EXTRAS.items() if not dev.issuperset(needed)}
    assert untested == {"e5", "sentence-transformers"}


def test_a_version_and_a_new_copy_are_part_of_the_command():
    """The command can be typed as it is, in every shell."""
    assert install_command("ray", version="0.2.0") == "pip install 'assay-eval[ray]==0.2.0'"
    assert install_command(again=True) == "pip install --force-reinstall assay-eval"


def test_questions_in_a_workbook_need_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The line names the file."""
    path = workbook(tmp_path)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(
        UseError, match=r"q.xlsx: a workbook .*: pip install 'assay-eval\[excel\]'$"
    ):
        read_questions(path)


def test_a_document_in_a_workbook_needs_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The process that reads documents says the same, and not that the file is damaged."""
    path = workbook(tmp_path)
    (tmp_path / "openpyxl.py").write_text("raise ImportError('left out')\n")
    monkeypatch.syspath_prepend(tmp_path)
    reader = ReadingProcess()
    expected = r"q.xlsx: a workbook needs openpyxl \(left out\): pip install 'assay-eval\[excel\]'$"
    with pytest.raises(UseError, match=expected):
        reader.read(path)
    reader.close()


def test_only_a_search_by_expression_needs_an_extra(monkeypatch: pytest.MonkeyPatch):
    """A text is found without it."""
    monkeypatch.setitem(sys.modules, "re2", None)
    assert Pattern("a.b").is_literal
    with pytest.raises(
        UseError, match=r"regular expression .*: pip install 'assay-eval\[regex\]'$"
    ):
        Pattern("a.b", regex=True)
