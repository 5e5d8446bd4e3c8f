"""The registry: our own objects, those of other packages, and entry points that cannot be used."""

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from assay.errors import SystemLoadError, UseError
from assay.registry import DISTRIBUTION, RegistrationWarning, Registry, entries, load_object
from tests.support.installed import install_package

GROUP = "assay.shelves"


def check(name: str, target: Any) -> str:
    """Only texts are right."""
    return "" if isinstance(target, str) else f"it is a {type(target).__name__}"


def registry(**options: Any) -> Registry[Any]:
    """A registry of texts; one of our own is in it as an object, one as a path."""
    own = {"plain": 7, "lazy": "assay.registry:DISTRIBUTION"}
    return Registry(GROUP, "shelf", own, check=check, **options)


def test_our_own_are_imported_when_they_are_used():
    """A path becomes its object when it is asked for by name; an object is returned as it is."""
    shelves = registry()
    assert shelves.names() == ["plain", "lazy"]
    assert shelves.get("plain") == 7
    assert shelves.get("lazy") == DISTRIBUTION
    assert shelves.package_of("lazy") == ""


def test_one_of_our_own_that_is_wrong_is_refused():
    """Somebody who adds it here is told the same as somebody with a package."""
    shelves = Registry[Any](GROUP, "shelf", {"odd": "assay.errors:UseError"}, check=check)
    with pytest.raises(UseError, match=r"^the shelf 'odd' cannot be used: it is a type$"):
        shelves.get("odd")


def test_a_table_may_be_computed_when_it_is_first_used():
    """A function gives the table, and is called once."""
    calls = []

    def own() -> dict[str, str]:
        calls.append(1)
        return {"lazy": "assay.registry:DISTRIBUTION"}

    shelves = Registry[Any](GROUP, "shelf", own, check=check)
    assert calls == []
    assert shelves.get("lazy") == DISTRIBUTION
    assert shelves.names() == ["lazy"]
    assert calls == [1]


def test_another_package_adds_an_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The entry point's object is found by name, together with the package it comes from."""
    install_package(
        monkeypatch,
        tmp_path,
        entry_points=f"[{GROUP}]\noak = registry_oak:Shelf.board [wood]\n",
        modules={"registry_oak": "class Shelf:\n    board = 'oak board'\n"},
    )
    shelves = registry()
    assert shelves.names() == ["plain", "lazy", "oak"]
    assert "registry_oak" not in sys.modules
    assert shelves.get("oak") == "oak board"
    assert shelves.package_of("oak") == "acme"
    assert list(shelves.added()) == [("oak", "oak board")]


def test_an_unknown_name_is_one_line_with_a_suggestion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Registered names are suggested like our own; the error has the class of the registry."""
    install_package(monkeypatch, tmp_path, entry_points=f"[{GROUP}]\nwalnut = nowhere:x\n")
    with pytest.raises(UseError, match=r"^there is no shelf 'walnutt'; did you mean 'walnut'\?$"):
        registry().get("walnutt")
    with pytest.raises(SystemLoadError, match=r"'zzz'; valid names: lazy, plain, walnut$"):
        registry(error=SystemLoadError).get("zzz")


@pytest.mark.parametrize(
    ("module", "source", "reason"),
    [
        ("registry_gone", None, "ModuleNotFoundError: No module named 'registry_gone'"),
        ("registry_empty", "", "AttributeError: module 'registry_empty' has no attribute 'thing'"),
        ("registry_number", "thing = 7", "it is a int"),
        ("registry_raises", "raise RuntimeError('two\\nlines')", "RuntimeError: two lines"),
        ("registry_typo", "def x(:", "SyntaxError: invalid syntax (registry_typo.py, line 1)"),
        ("registry_exits", "import sys\nsys.exit(3)", "SystemExit: 3"),
    ],
)
def test_a_broken_entry_point_harms_only_itself(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    source: str | None,
    reason: str,
):
    """By name it is an error of one line; in a list it is a warning, and the others are there."""
    install_package(
        monkeypatch,
        tmp_path,
        entry_points=f"[{GROUP}]\nbent = {module}:thing\ngood = {module}_good:thing\n",
        modules={f"{module}_good": "thing = 'good'"} | ({} if source is None else {module: source}),
    )
    shelves = registry()
    line = f"the entry point 'bent' ({GROUP}) of the package 'acme' cannot be used: {reason}"
    with pytest.raises(UseError) as refused:
        shelves.get("bent")
    assert str(refused.value) == line
    with pytest.warns(RegistrationWarning) as warned:
        assert list(shelves.added()) == [("good", "good")]
    assert [str(warning.message) for warning in warned] == [line]


def test_a_name_of_our_own_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Our own object stays, and the entry point is named."""
    install_package(monkeypatch, tmp_path, entry_points=f"[{GROUP}]\nplain = nowhere:thing\n")
    shelves = registry()
    assert shelves.get("plain") == 7
    assert shelves.names() == ["plain", "lazy"]
    message = (
        r"'plain' \(assay.shelves\) of the package 'acme' is not used: assay has its own shelf"
    )
    with pytest.warns(RegistrationWarning, match=message):
        assert list(shelves.added()) == []


def test_two_packages_with_one_name_are_both_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Neither is chosen silently; the message names both packages."""
    for name in ("acme", "bolt"):
        install_package(
            monkeypatch,
            tmp_path / name,
            name=name,
            entry_points=f"[{GROUP}]\noak = registry_twice:thing\n",
        )
    with pytest.raises(UseError, match="packages acme and bolt both register the shelf 'oak'"):
        registry().get("oak")


def test_entry_points_in_an_archive_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A package need not be installed as plain folders."""
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("packed-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: packed\n")
        file.writestr("packed-1.0.dist-info/entry_points.txt", f"[{GROUP}]\npine = packed:x\n")
    monkeypatch.syspath_prepend(archive)
    assert [(entry.name, entry.package) for entry in entries(GROUP)] == [("pine", "packed")]


def test_a_path_names_its_object():
    """Attributes of attributes can be named; what is missing raises Python's own error."""
    assert load_object("assay.records:Metric.family") is not None
    with pytest.raises(AttributeError):
        load_object("assay.records:Metrik")


def test_without_entry_points_nothing_heavy_is_imported():
    """``assay --help`` needs neither importlib.metadata, nor msgspec, nor YAML."""
    code = (
        "import sys\nfrom assay.cli.main import app\nfrom assay.registry import entries\n"
        "assert entries('assay.jobs') == ()\n"
        "print([name for name in ('importlib.metadata', 'msgspec', 'yaml') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout == "[]\n"
