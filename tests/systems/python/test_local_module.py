"""The local modules that a system's module imports are part of its identity."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.systems.python.target import local_modules, local_version
from tests.support.program import program


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty current folder, whose modules are forgotten at the end."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def write(folder: Path, **files: str) -> None:
    """Write modules; two underscores in a name stand for a folder."""
    for name, source in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")
    importlib.invalidate_caches()


def names(module: str) -> list[str]:
    """The local modules of a module, which is imported."""
    return list(local_modules(importlib.import_module(module)))


def test_imports_are_followed_through_modules_functions_and_packages(folder: Path):
    """Whoever is imported counts once; installed libraries and files that nobody imports do not."""
    write(
        folder,
        lm_system="import json, lm_helper\ndef ask(q):\n    from lm_pack import part\n",
        lm_helper="import lm_system, lm_deep.leaf as leaf\n",
        lm_deep__leaf="import msgspec\n",
        lm_pack__part="from . import other\nfrom .third import x\n",
        lm_pack__other="",
        lm_pack__third="x = 1\n",
        lm_unused="",
    )
    (folder / "lm_pack/__init__.py").write_text("", encoding="utf-8")
    assert names("lm_system") == [
        "lm_deep.leaf", "lm_helper", "lm_pack", "lm_pack.other", "lm_pack.part", "lm_pack.third"
    ]  # fmt: skip


def test_the_modules_of_a_package_are_found_from_within(folder: Path):
    """The folder is the one that the package lies in, not the package itself."""
    write(
        folder,
        lp_pack__ask="from lp_pack import tool\nimport lp_top\n",
        lp_pack__tool="",
        lp_top="",
    )
    assert names("lp_pack.ask") == ["lp_pack.tool", "lp_top"]


def test_of_an_installed_package_only_its_own_modules_count(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    """Other libraries are next to it."""
    site = folder / "site-packages"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    write(site, li_pack__ask="import li_pack.tool, li_library\n", li_pack__tool="", li_library="")
    assert names("li_pack.ask") == ["li_pack.tool"]


def test_few_modules_are_named_and_many_have_one_hash(folder: Path):
    """An identity stays short."""
    write(folder, lf_one="x = 1\n", lf_system="import lf_one\n", lf_alone="import json\n")
    assert local_version(importlib.import_module("lf_alone")) == ""
    assert local_version(importlib.import_module("lf_system")).startswith("+lf_one.")
    many = {f"lf_m{number}": f"x = {number}\n" for number in range(5)}
    write(folder, **many, lf_many="".join(f"import {name}\n" for name in many))
    module = importlib.import_module("lf_many")
    before = local_version(module)
    assert before.startswith("+5-modules.")
    write(folder, lf_m3="x = 33\n")
    assert local_version(module) != before


def test_a_source_that_cannot_be_parsed_is_only_hashed(folder: Path):
    """It may be a module of another version that is imported on a condition."""
    write(folder, lb_system="if 0:\n    import lb_broken\n", lb_broken="def (:\n")
    assert names("lb_system") == ["lb_broken"]


def test_a_changed_helper_is_not_resumed_with_old_answers(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    """The run says which module changed; without a change nothing is asked again."""
    write(
        folder,
        lr_helper="def answer():\n    return '30 days'\n",
        lr_system="import lr_helper\ndef ask(question):\n    return lr_helper.answer()\n",
    )
    (folder / "q.csv").write_text("question,answer\nHow long?,30 days\n", encoding="utf-8")
    assay = program(capsys)
    words = ("run", "--questions", "q.csv", "--system", "python:lr_system:ask", "--no-report")
    assay(*words)
    same = assay(*words)
    assert "nothing was asked" in same.out + same.err
    write(folder, lr_helper="def answer():\n    return '60 days'\n")
    changed = assay(*words)
    assert changed.code == 2
    assert "+lr_helper." in changed.err
