"""The package as others get it: a wheel and an sdist of this tree, installed and built again."""

import email
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from assay import __version__
from assay.web.embedded import NAMES, REMEDY, is_built
from tests.support.path import ROOT

NAME = f"assay_eval-{__version__}"
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not is_built(), reason=REMEDY)]


def run(
    *words: str | Path, folder: Path, code: int = 0, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder and check how it ends."""
    done = subprocess.run(
        [*map(str, words)], cwd=folder, env={**os.environ, **variables},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done


def build_wheel(source: Path, out: Path, **variables: str) -> zipfile.ZipFile:
    """Build a wheel as pip does, with nothing but what is installed here."""
    words = ("wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", out, ".")
    run(*PIP, *words, folder=source, **variables)
    return zipfile.ZipFile(out / f"{NAME}-py3-none-any.whl")


def broken_node(folder: Path) -> str:
    """A search path with a Node whose npm cannot reach its registry."""
    folder.mkdir()
    for name, line in (("node", "echo v22.1.0"), ("npm", "echo no registry >&2; exit 1")):
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def tracked_files() -> set[str]:
    """The files of the repository; none where the tests run in an unpacked sdist."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return set()
    listed = run("git", "ls-files", "-z", folder=ROOT).stdout.split("\0")
    return {name for name in listed if name and (ROOT / name).is_file()}


def test_the_wheel_runs_where_it_is_installed(tmp_path: Path):
    """It has the page, names itself, and its command makes a workspace and runs in it."""
    wheel = build_wheel(ROOT, tmp_path / "wheel")
    metadata = email.message_from_bytes(wheel.read(f"{NAME}.dist-info/METADATA"))
    assert (metadata["Name"], metadata["Version"]) == ("assay-eval", __version__)
    required = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert len(required) <= 14
    site = tmp_path / "site"
    words = ("install", "--no-deps", "--no-index", "--no-compile", "--target", site)
    run(*PIP, *words, str(wheel.filename), folder=tmp_path)
    for name in NAMES:
        built = ROOT / "src" / "assay" / "web" / "bundle" / name
        assert (site / "assay" / "web" / "bundle" / name).read_bytes() == built.read_bytes()
    assert {f"assay/words/locale/{lang}.mo" for lang in ("zh", "ru")} <= {*wheel.namelist()}
    path = {"PYTHONPATH": str(site)}
    where = "import assay.jobs; print(assay.jobs.__file__)"
    assert str(site) in run(sys.executable, "-c", where, folder=tmp_path, **path).stdout
    command = site / "bin" / "assay"
    told = run(command, "--version", folder=tmp_path, **path).stdout
    assert told == f"assay-eval {__version__}\n"
    run(command, "init", "work", folder=tmp_path, **path)
    asked = run(
        command, "ablate", "-e", "hyde", "--limit", "2", folder=tmp_path / "work", **path
    ).stdout  # fmt: skip
    assert "Recall@10" in asked
    checked = run(command, "doctor", folder=tmp_path / "work", **path).stdout
    assert f"ok   assay {__version__}" in checked


def test_the_sdist_is_the_whole_project(tmp_path: Path):
    """All files are in it; a wheel of it needs no Node, and what needs npm fails in one line."""
    build = (sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory")
    run(*build, tmp_path / "dist", folder=ROOT)
    with tarfile.open(tmp_path / "dist" / f"{NAME}.tar.gz") as archive:
        # Python before 3.11.4 has no filters, and later ones ask for one
        archive.extractall(
            tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {})
        )
    source = tmp_path / NAME
    files = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    assert tracked_files() - files == set()
    bundle = "src/assay/web/bundle"
    path = broken_node(tmp_path / "node")
    with build_wheel(source, tmp_path / "first", PATH=path) as wheel:
        assert {f"assay/web/bundle/{name}" for name in NAMES} <= {*wheel.namelist()}

    check = (sys.executable, "hatch_build.py", "--check")
    unchecked = "the page's code is not checked: no registry; npm needs its registry, once\n"
    assert run(*check, folder=source, code=1, PATH=path).stderr == unchecked

    (source / bundle / "sources.sha256").unlink()
    failed = run(
        sys.executable, "-m", "hatchling", "build", folder=source, code=1, PATH=path
    ).stderr.splitlines()
    problem = (
        "the page of assay view is not built: no registry; ASSAY_WITHOUT_PAGE=1 builds without it"
    )
    assert failed[-1] == problem
    assert "Traceback" not in failed
    without = {"PATH": path, "ASSAY_WITHOUT_PAGE": "1"}
    with build_wheel(source, tmp_path / "second", **without) as wheel:
        assert not any(name.startswith("assay/web/bundle/") for name in wheel.namelist())
    told = run(
        sys.executable, "-m", "hatchling", "build", "-t", "wheel", folder=source, **without
    ).stderr
    assert "ASSAY_WITHOUT_PAGE=1: this build has no page of assay view" in told
