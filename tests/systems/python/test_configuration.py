"""The settings that a Python system has by itself: what belongs to its identity, and what is secret."""

import asyncio
import dataclasses
import itertools
import os
import uuid
from pathlib import Path
from typing import Any, Literal

import attrs
import msgspec
import pydantic
import pytest

from assay.errors import SystemLoadError
from assay.records import Variant, digest
from assay.systems.protocol import with_configuration
from assay.systems.python.declaration import read_configuration, settings_in_force
from assay.systems.python.system import PythonSystem, load_python


def from_environment() -> int:
    """What a backend reads when its settings are created."""
    return int(os.environ.get("BACKEND_K", "60"))


class ModelSettings(pydantic.BaseModel):
    """Settings as a pydantic model."""

    k: int = pydantic.Field(default_factory=from_environment)
    mode: Literal["a", "b"] = "a"
    api_key: str = ""
    vault: pydantic.SecretStr = pydantic.SecretStr("hidden")
    vault_2: pydantic.SecretStr | None = None


@dataclasses.dataclass
class DataSettings:
    """Settings as a dataclass."""

    k: int = dataclasses.field(default_factory=from_environment)
    folder: Path = Path("data")
    db_password: str = "hidden"


@attrs.define
class AttrsSettings:
    """Settings as an attrs class."""

    k: int = attrs.field(factory=from_environment)
    rate: float = 0.5
    token: str | None = None


class StructSettings(msgspec.Struct):
    """Settings as a struct."""

    k: int = msgspec.field(default_factory=from_environment)
    url: str = "postgres://ann:hunter2@host/db"


class NeedySettings(pydantic.BaseModel):
    """Settings that the backend creates with an argument of its own."""

    model: str
    k: int = 60


class NeedyEnvironment(NeedySettings):
    """The same as a class of pydantic-settings, which is known by this method."""

    @classmethod
    def settings_customise_sources(cls, *sources: Any) -> tuple[Any, ...]:
        """What is read: the environment among others."""
        return sources


class Nested(pydantic.BaseModel):
    """Settings in settings, and a value without a plain form."""

    inner: dict[str, Any] = {"api_key": "hidden", "depth": 2}
    client: Any = object()


def read(declared: Any, variables: Any = None) -> tuple[dict[str, Any], dict[str, str]]:
    """The settings in force, and which secrets are set."""
    found = read_configuration(settings_in_force(declared), variables)
    return dict(found.settings), dict(found.secrets)


@pytest.mark.parametrize(
    ("declared", "settings", "secrets"),
    [
        (
            ModelSettings,
            {"k": 5, "mode": "a"},
            {"api_key": "not set", "vault": "set", "vault_2": "not set"},
        ),
        (DataSettings, {"k": 5, "folder": "data"}, {"db_password": "set"}),
        (AttrsSettings, {"k": 5, "rate": 0.5}, {"token": "not set"}),
        (StructSettings, {"k": 5, "url": "postgres://***@host/db"}, {}),
        (NeedySettings, {"k": 60}, {}),
        (NeedySettings(model="m", k=7), {"model": "m", "k": 7}, {}),
        (Nested, {"inner": {"depth": 2}, "client": "<object>"}, {}),
        ({"k": 60, "mode": ("a", "b"), "n": int, "max_tokens": 9}, {"k": 60, "max_tokens": 9}, {}),
        (None, {}, {}),
    ],
)
def test_settings_have_the_values_of_this_process(
    monkeypatch: pytest.MonkeyPatch, declared: Any, settings: Any, secrets: Any
):
    """Defaults and the environment, whichever form they are declared in; never a secret."""
    monkeypatch.setenv("BACKEND_K", "5")
    found, hidden = read(declared)
    assert (found, hidden) == (settings, secrets)
    assert "hidden" not in msgspec.json.encode(found).decode()


@dataclasses.dataclass
class PassingSettings:
    """Settings with an id and a time of the process, and folders of the repository."""

    k: int = 60
    run_id: str = dataclasses.field(default_factory=lambda: uuid.uuid4().hex)
    started_ns: int = dataclasses.field(default_factory=itertools.count().__next__)
    folder: Path = dataclasses.field(default_factory=lambda: Path.cwd() / "data")
    index: str = dataclasses.field(default_factory=lambda: str(Path.cwd() / "index.bin"))


@pytest.mark.parametrize("declared", [PassingSettings, PassingSettings()])
def test_what_every_process_has_anew_is_no_configuration(declared: Any):
    """Otherwise no run could go on; nor could one in a repository that was moved."""
    assert read(declared) == ({"k": 60, "folder": "data", "index": "index.bin"}, {})


def test_declared_variables_are_part_of_the_configuration(monkeypatch: pytest.MonkeyPatch):
    """``ENVIRONMENT`` names them; one that is not set is null, and of a key only that is said."""
    monkeypatch.setenv("BACKEND_MODEL", "small")
    monkeypatch.setenv("BACKEND_API_KEY", "hidden")
    monkeypatch.delenv("BACKEND_OTHER", raising=False)
    names = ["BACKEND_MODEL", "BACKEND_OTHER", "BACKEND_API_KEY"]
    assert read(None, names) == (
        {"BACKEND_MODEL": "small", "BACKEND_OTHER": None},
        {"BACKEND_API_KEY": "set"},
    )
    with pytest.raises(SystemLoadError, match="ENVIRONMENT is 3; write the names"):
        read(None, 3)


def test_a_variant_overrides_the_configuration_and_a_key_is_no_part_of_it():
    """A setting that every variant sets itself may change in the system unnoticed."""
    system = PythonSystem(lambda question: question, settings=ModelSettings(k=60, api_key="x"))
    own = with_configuration(Variant(name="on", settings={"k": 5}), system)
    assert own.configuration == {"k": 5, "mode": "a"}
    other = PythonSystem(lambda question: question, settings=ModelSettings(k=61, api_key=""))
    same = with_configuration(Variant(name="on", settings={"k": 5}), other)
    assert digest(same.configuration) == digest(own.configuration)
    assert (own.secrets, same.secrets) != (None, None)
    assert own.secrets != same.secrets


def test_a_system_without_settings_adds_nothing():
    """Its variants, and the fingerprints of its rows, are as they were."""
    variant = Variant(name="on", settings={"k": 5})
    assert with_configuration(variant, PythonSystem(lambda question: question)) is variant


def test_a_process_of_its_own_tells_its_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The run has it without importing the module."""
    source = (
        "import os\nfrom dataclasses import dataclass, field\n"
        "ENVIRONMENT = ['BACKEND_MODEL']\n"
        "@dataclass\nclass SETTINGS:\n"
        "    k: int = field(default_factory=lambda: int(os.environ.get('BACKEND_K', '60')))\n"
        "def ask(question):\n    return question\n"
    )
    (tmp_path / "isolated_backend.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BACKEND_K", "7")
    monkeypatch.setenv("BACKEND_MODEL", "small")
    system = load_python("isolated_backend:ask", isolate="process")
    try:
        variant = with_configuration(Variant(name="on"), system)
    finally:
        asyncio.run(system.close())
    assert variant.configuration == {"k": 7, "BACKEND_MODEL": "small"}


def test_an_environment_that_nobody_can_read_is_noted():
    """A class that needs arguments does not show what it reads; an object of it does."""

    def system(declared: Any) -> PythonSystem:
        return PythonSystem(lambda question: question, settings=declared)

    (note,) = system(NeedyEnvironment).notes
    assert "SETTINGS: NeedyEnvironment cannot be created without arguments" in str(note)
    for declared in (NeedyEnvironment(model="m"), NeedySettings, ModelSettings, {"k": 60}, None):
        assert system(declared).notes == ()
