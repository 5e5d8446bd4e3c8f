"""Which browser the tests of pages get."""

import json
from pathlib import Path

import pytest

from tests.chromium import install
from tests.support.browser import NoBrowser, find_browser, require_browser
from tests.support.path import ROOT


def test_the_browser_of_the_machine_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Whoever has a browser tests with it."""
    program = tmp_path / "chromium-browser"
    program.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() == str(program)


def test_without_a_browser_the_tests_fail_and_say_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """With the command that installs it and the variable that leaves them out."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(install, "STAMP", tmp_path / "nothing")
    with pytest.raises(NoBrowser, match=r"make browser.*ASSAY_NO_BROWSER=1"):
        find_browser()


@pytest.mark.parametrize(
    ("variable", "is_served", "reason"),
    [("1", True, "ASSAY_NO_BROWSER=1"), ("", False, "only on Linux on x64")],
)
def test_the_tests_are_left_out_on_purpose_or_where_no_browser_can_be_had(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    variable: str,
    is_served: bool,
    reason: str,
):
    """And nowhere else: a browser that could be installed and is missing is a failure."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(install, "is_served", lambda: True)
    monkeypatch.setenv(install.LEFT_OUT, "")
    require_browser()
    monkeypatch.setattr(install, "is_served", lambda: is_served)
    monkeypatch.setenv(install.LEFT_OUT, variable)
    with pytest.raises(pytest.skip.Exception, match=reason):
        require_browser()


@pytest.mark.parametrize("lock", [install.LOCK, ROOT / "web" / "package-lock.json"])
def test_a_lock_has_a_hash_and_no_address_for_every_package(lock: Path):
    """What is installed is what was tried, whatever registry it comes from."""
    packages = json.loads(lock.read_bytes())["packages"]
    del packages[""]
    assert {"node_modules/@sparticuz/chromium", "node_modules/preact"} & set(packages)
    for package in packages.values():
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package
