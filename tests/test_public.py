"""The functions of the package itself: documented, and loaded only when they are used."""

import subprocess
import sys

import pytest

import assay


def test_the_package_loads_nothing():
    """Importing the package imports none of its modules."""
    code = "import assay, sys; print(sorted(m for m in sys.modules if m.startswith('assay.')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_public_function_is_the_one_of_its_room():
    """The package hands on the function, and lists it."""
    from assay.scorers.abstention import abstains, assess_abstention  # noqa: PLC0415

    assert assay.abstains is abstains
    assert assay.assess_abstention is assess_abstention
    assert {"abstains", "assess_abstention"} <= set(dir(assay))


def test_another_name_is_an_attribute_error():
    """A misspelt name fails as it does in any module."""
    with pytest.raises(AttributeError, match="abstans"):
        _ = assay.abstans  # type: ignore[attr-defined]
