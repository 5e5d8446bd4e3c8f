"""The settings that ``SETTINGS`` declares, in every form."""

import dataclasses
import enum
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, NotRequired, TypedDict

import msgspec
import pytest
from msgspec import UNSET

from assay.errors import SystemLoadError
from assay.systems.protocol import Setting
from assay.systems.python.declaration import read_settings

FAST = {"fast_mode": True}


class Order(enum.Enum):
    """An enumeration of a backend."""

    FORWARD = "forward"
    REVERSE = "reverse"


def read(declared: Any, only_when: Any = None) -> dict[str, Setting]:
    """The settings, which must be known."""
    settings = read_settings(declared, only_when)
    assert settings is not None
    return settings


@dataclasses.dataclass
class DataSettings:
    """Settings as a dataclass."""

    fast_mode: bool = False
    rate: float = 0.5
    mode: Literal["a", "b"] = "a"
    order: Order = Order.FORWARD
    deep: list[int] = dataclasses.field(default_factory=list)
    size: int = dataclasses.field(default=64, metadata={"only_when": FAST, "choices": [64, 128]})


class TypedSettings(TypedDict):
    """Settings as a ``TypedDict``, which has no values by default."""

    fast_mode: bool
    size: NotRequired[Annotated[int, {"only_when": FAST}]]


class StructSettings(msgspec.Struct):
    """Settings as a struct."""

    fast_mode: bool = False
    size: Annotated[int, Setting(only_when=FAST)] = 64


class TupleSettings(NamedTuple):
    """Settings as a named tuple."""

    fast_mode: bool
    size: Annotated[int, {"only_when": FAST}]


class PlainSettings:
    """Settings as a class with hints."""

    fast_mode: bool = False
    size: Annotated[int, {"only_when": FAST}] = 64
    registry: ClassVar[dict[str, Any]] = {}


def info(annotation: Any, default: Any = UNSET, **more: Any) -> SimpleNamespace:
    """A field of a pydantic 2 model, by its shape."""
    return SimpleNamespace(
        annotation=annotation, default=default, is_required=lambda: default is UNSET,
        default_factory=None, **{"metadata": [], "json_schema_extra": None, **more},
    )  # fmt: skip


class ModelSettings:
    """Settings with the shape of a pydantic 2 model or settings class."""

    model_fields: ClassVar[Mapping[str, Any]] = {
        "fast_mode": info(bool, False),
        "size": info(int, 64, json_schema_extra={"only_when": FAST}),
        "api_key": info(str),
    }
    fast_mode = True
    size = 128


class OldModelSettings:
    """Settings with the shape of a pydantic 1 model."""

    __fields__: ClassVar[Mapping[str, Any]] = {
        "fast_mode": SimpleNamespace(outer_type_=bool, allow_none=False, required=False, default=False, field_info=SimpleNamespace(extra={})),
        "size": SimpleNamespace(outer_type_=int, allow_none=False, required=False, default=64, field_info=SimpleNamespace(extra={"only_when": FAST})),
    }  # fmt: skip


IN_A_MAPPING = {"fast_mode": bool, "size": {"type": int, "default": 64, "only_when": FAST}}
FORMS = [
    DataSettings, DataSettings(), TypedSettings, StructSettings, StructSettings(), TupleSettings,
    PlainSettings, ModelSettings, ModelSettings(), OldModelSettings, IN_A_MAPPING,
    {"fast_mode": False, "size": Setting(kind=int, only_when=FAST)},
]  # fmt: skip


@pytest.mark.parametrize("declared", FORMS)
def test_every_form_says_types_and_dependence(declared: Any):
    """A type is checked, and a setting that matters only in fast mode says so."""
    settings = read(declared)
    assert settings["fast_mode"].kind is bool
    assert settings["size"].kind is int
    assert settings["size"].only_when == FAST


@pytest.mark.parametrize("declared", FORMS)
def test_values_by_default_are_known_but_never_passed(declared: Any):
    """An object of a settings class may have other values, from the environment."""
    assert all(setting.default is UNSET for setting in read(declared).values())


def test_an_object_tells_its_own_values():
    """They are in force, and not those that the class writes down."""
    assert read(ModelSettings)["size"].initial == 64
    assert read(ModelSettings())["size"].initial == 128
    assert read(DataSettings(size=128))["size"].initial == 128
    assert read(TypedSettings)["size"].initial is UNSET
    assert read(ModelSettings)["api_key"].initial is UNSET


def test_types_become_checks():
    """Literals and enumerations have choices; a type that is not simple is not checked."""
    settings = read(DataSettings)
    assert settings["rate"].kind is float
    assert settings["mode"].choices == ("a", "b")
    assert settings["order"].choices == ("forward", "reverse")
    assert settings["order"].initial == "forward"
    assert settings["deep"] == Setting()
    assert settings["size"].choices == (64, 128)
    optional = read({"dim": int | None, "pack": Literal["x", "y"] | None})
    assert optional["dim"].kind is None
    assert optional["pack"].choices == ("x", "y", None)


def test_a_mapping_may_have_every_kind_of_entry():
    """A type, choices, a value, a ``Setting``, a mapping or ``None``."""
    switch = Setting(kind=bool, description="on or off")
    known = read({"a": int, "b": ("x", "y"), "c": ["x"], "d": switch, "e": None, "f": 3, "g": "x"})
    assert known == {
        "a": Setting(kind=int),
        "b": Setting(choices=("x", "y")),
        "c": Setting(choices=("x",)),
        "d": switch,
        "e": Setting(),
        "f": Setting(kind=int, initial=3),
        "g": Setting(kind=str, initial="x"),
    }


def test_dependence_can_be_beside_a_class_that_must_not_change():
    """``ONLY_WHEN`` names the settings and what they need."""
    settings = read({"fast": bool, "depth": int}, {"depth": {"fast": True}})
    assert settings["depth"].only_when == {"fast": True}
    with pytest.raises(SystemLoadError, match="ONLY_WHEN: unknown setting 'dept'"):
        read({"fast": bool, "depth": int}, {"dept": {"fast": True}})


def test_a_name_that_says_fast_mode_needs_no_more_words():
    """As ``embedding_dim_fast_mode`` does, where the backend has a fast mode."""
    settings = read({"fast_mode": bool, "embedding_dim_fast_mode": int})
    assert settings["embedding_dim_fast_mode"].only_when == FAST
    assert read({"embedding_dim_fast_mode": int})["embedding_dim_fast_mode"].only_when == {}


def test_the_embedding_dimension_is_also_called_dim():
    """By its name, or by the alias that the module gives to another setting."""
    settings = read({"embedding_dim": int, "embedding_dim_fast_mode": int, "rank": int})
    assert settings["embedding_dim_fast_mode"].aliases == ("dim", "mrl_dimension")
    assert settings["embedding_dim"].aliases == ()
    settings = read({"embedding_dim": int, "width": Setting(aliases=("dim",))})
    assert settings["embedding_dim"].aliases == ()


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (5, "SETTINGS must be"),
        ("dim", "SETTINGS must be"),
        (["dim"], "SETTINGS must be"),
        ({"dim": object()}, r"SETTINGS\['dim'\] is"),
        ({"dim": {"kind": int}}, r"SETTINGS\['dim'\] has 'kind'"),
        ({"dim": {"type": int, "only_when": "fast"}}, "only_when of dim"),
        ({"dim": {"type": int, "only_when": {"fast": True}}}, "unknown setting 'fast'"),
    ],
)
def test_other_declarations_are_refused(declared: Any, message: str):
    """The message says what can be written."""
    with pytest.raises(SystemLoadError, match=message):
        read_settings(declared)
