"""The check of settings before the first call."""

from typing import Any

import pytest

from assay.errors import UseError
from assay.systems.protocol import Setting, check_settings
from assay.systems.scripted import ScriptedSystem

KNOWN = {
    "dim": Setting(choices=(128, 256)),
    "on": Setting(kind=bool),
    "weight": Setting(kind=float),
    "count": Setting(kind=int),
    "name": Setting(kind=str),
    "any": Setting(),
}


def check(**settings: Any) -> None:
    """Check settings of a system that declares ``KNOWN``."""
    check_settings(ScriptedSystem({}, settings=KNOWN), settings, "lab.yaml:3")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"dim": 128, "on": False, "weight": 0.8, "count": 3, "name": "x", "any": [1]},
        {"weight": 1},
    ],
)
def test_settings_that_fit_pass(settings: dict[str, Any]):
    """Known names with valid values are accepted; an integer is valid as a float."""
    check(**settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dims": 128}, "unknown setting 'dims'; did you mean 'dim'?"),
        ({"zzz": 1}, "unknown setting 'zzz'; valid names: any, count, dim, name, on, weight"),
        ({"dim": 100}, "dim is 100, but takes one of 128, 256"),
        ({"on": 1}, "on is 1 (int), but takes bool"),
        ({"on": "yes"}, "on is 'yes' (str), but takes bool"),
        ({"weight": True}, "weight is True (bool), but takes float"),
        ({"count": True}, "count is True (bool), but takes int"),
        ({"count": 1.5}, "count is 1.5 (float), but takes int"),
        ({"name": None}, "name is None (NoneType), but takes str"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], message: str):
    """A wrong name or value gives a message with its location and the valid ones."""
    with pytest.raises(UseError) as caught:
        check(**settings)
    assert str(caught.value) == f"lab.yaml:3: {message}"


def test_a_truth_value_is_no_choice_of_numbers():
    """``True`` is not accepted as the choice 1, although they are equal in Python."""
    system = ScriptedSystem({}, settings={"depth": Setting(choices=(0, 1))})
    with pytest.raises(UseError, match="depth is True, but takes one of 0, 1"):
        check_settings(system, {"depth": True}, "v")


def test_a_system_that_declares_no_settings_takes_none():
    """An empty declaration refuses every setting."""
    with pytest.raises(UseError, match=r"unknown setting 'dim'$"):
        check_settings(ScriptedSystem({}, settings={}), {"dim": 1}, "v")
