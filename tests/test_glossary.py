"""The glossary of ARCHITECTURE.md: few words, each with one type."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.support.path import ROOT

MOST = 30
SOURCE = ROOT / "src" / "assay"
ROW = re.compile(r"^\| ([\w ]+) \| .+ \| `(\w+)` \| `([\w/]+\.py)` \|$", re.MULTILINE)
GLOSSARY = ROW.findall(Path(ROOT, "ARCHITECTURE.md").read_text(encoding="utf-8"))


@cache
def defined_names(path: Path) -> set[str]:
    """The classes and type aliases of a file."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    classes = {each.name for each in body if isinstance(each, ast.ClassDef)}
    named = [each.target for each in body if isinstance(each, ast.AnnAssign)]
    return classes | {each.id for each in named if isinstance(each, ast.Name)}


def test_the_glossary_is_short_and_has_each_word_once():
    """At most thirty words, and no two for one type."""
    words, types, _ = zip(*GLOSSARY, strict=True)
    assert 20 <= len(words) <= MOST
    assert not [name for name, count in Counter([*words, *types]).items() if count > 1]


@pytest.mark.parametrize(("word", "name", "file"), GLOSSARY)
def test_a_word_has_one_type_in_one_file(word: str, name: str, file: str):
    """The type is defined in the file that is named, and nowhere else below the page."""
    others = [path for path in SOURCE.rglob("*.py") if "web" not in path.relative_to(SOURCE).parts]
    assert [
        path.relative_to(SOURCE).as_posix() for path in others if name in defined_names(path)
    ] == [file]
