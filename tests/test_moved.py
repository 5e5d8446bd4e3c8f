"""Import paths of assay 0.1: they work, and warn."""

import importlib
import subprocess
import sys

import pytest

import assay
from assay import plugin
from assay.moved import MOVED

NAMES = [(module, name) for module, names in MOVED.items() for name in names]


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_an_old_path_is_the_same_object_with_a_warning(module: str, name: str):
    """The warning says where the name is now; the object is the one of that place."""
    old = importlib.import_module(module)
    with pytest.warns(
        DeprecationWarning, match=rf"^{module}\.{name} is assay(\.plugin)?\.{name} now"
    ):
        found = getattr(old, name)
    place = assay if name in assay.__all__ else plugin
    assert found is getattr(place, name)


def test_an_old_module_has_no_other_names():
    """A misspelt name fails as it does in any module; so does an old module that nobody was told of."""
    with pytest.raises(ImportError, match="Scorers"):
        from assay.scorers.scorer import Scorers  # noqa: F401, PLC0415
    with pytest.raises(ModuleNotFoundError, match=r"assay\.scorers\.levels"):
        importlib.import_module("assay.scorers.levels")


def test_a_package_is_told_at_the_line_that_imports():
    """Python shows the warning with the line of the package, not one of assay."""
    code = "from assay.runner import SystemHandler"
    program = [sys.executable, "-W", "error::DeprecationWarning", "-c", code]
    ran = subprocess.run(program, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "DeprecationWarning: assay.runner.SystemHandler is assay.plugin.SystemHandler now" in (
        ran.stderr
    )
    quiet = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (quiet.returncode, quiet.stdout) == (0, "")
    assert "<string>:1: DeprecationWarning" in quiet.stderr
