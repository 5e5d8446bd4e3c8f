"""Reads a YAML file into a struct and remembers the line of every value.

``load_document(path, Type)`` refuses unknown keys (and suggests the nearest valid key),
duplicate keys, wrong types and missing fields. Each problem is one line that begins with
``file:line:``. All problems of a file are reported at once.
"""

import copy
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec
import msgspec.inspect as shape
from msgspec import Meta, Struct, field

from assay.config.experiment import Defaults, Experiment
from assay.config.system import JudgeConfig, ModelConfig, RedactConfig, RedactMode, SystemConfig
from assay.errors import ConfigError
from assay.registry import nearest

# The place of a value in a file: the keys and indexes that lead to it.

KeyPath = tuple[str | int, ...]


def value_at(raw: Any, at: KeyPath) -> Any:
    """The value at a path; ``None`` if there is none."""
    for step in at:
        try:
            raw = raw[step]
        except (KeyError, IndexError, TypeError):
            return None
    return raw


def line_of(lines: dict[KeyPath, int], at: KeyPath) -> int:
    """The line of ``at``, or of the nearest enclosing value whose line is known."""
    while at and at not in lines:
        at = at[:-1]
    return lines.get(at, 1)


T = TypeVar("T")

_ERROR_PATH = re.compile(r"^(?P<what>.*) - at (?P<key>`key` in )?`(?P<path>[^`]*)`$", re.DOTALL)
_PATH_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]|\[(?P<any>\.\.\.)\]")
_PATTERNS = {
    "https?": "is not an address: it must begin with http:// or https://",
    r"\\w": "cannot be a file name: use letters, digits, '_', '-' and '.', "
    "and begin with a letter, a digit or '_'",
}
"""Explains the regular expressions of the structs in words. Each key is a part of one regular
expression, and identifies it."""
MOST_FAULTS = 50
"""The most problems of a file that are looked for."""
_MISSING_FIELD = re.compile(r"^Object missing required field `(?P<name>[^`]+)`$")


class ConfigDocument(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A value, and the line of each of its parts in the file."""

    value: T
    path: Path
    lines: dict[KeyPath, int]

    def where(self, *key_path: str | int) -> str:
        """``file:line`` of the value at ``key_path``, or of the nearest enclosing value."""
        return f"{self.path}:{line_of(self.lines, key_path)}"


def load_document(path: Path, as_type: type[T]) -> ConfigDocument[T]:
    """Read the YAML file ``path`` into ``as_type``; raise ``ConfigError`` if anything is wrong."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path}:{line}: not UTF-8 (byte {error.start}); save the file as UTF-8"
        ) from None
    return parse_document(text, as_type, path)


def parse_document(
    text: str, as_type: type[T], path: Path, prepare: Callable[[Any], Any] | None = None
) -> ConfigDocument[T]:
    """Convert YAML text to ``as_type``; ``path`` is used only in messages.

    ``prepare`` changes the plain value before it is checked; it must not move items of lists.
    """
    from assay.config.yaml_tree import parse_yaml  # noqa: PLC0415 - PyYAML is slow to import

    raw, lines = parse_yaml(text, path)
    if raw is None:
        raise ConfigError(f"{path}:1: the file is empty")
    if prepare is not None:
        raw = prepare(raw)
    unknown = list(_unknown_keys(raw, shape.type_info(as_type), ()))
    problems = [
        (line_of(lines, at), f"{path}:{line_of(lines, at)}: {what}") for at, what in unknown
    ]
    faults = _Faults(raw, as_type, lines, path)
    for at, _ in unknown:
        faults.leave_out(at)
    problems += faults.all()
    if problems:
        raise ConfigError(*(what for _, what in sorted(problems)))
    return ConfigDocument(value=msgspec.convert(raw, as_type), path=path, lines=lines)


class _Faults:
    """Finds all values that do not fit, one after the other: each is left out once it is named.

    msgspec stops at the first one. An item of a list is left out with its index, so that the
    places of the others in the file are still known.
    """

    def __init__(self, raw: Any, as_type: type[Any], lines: dict[KeyPath, int], path: Path) -> None:
        self._raw = copy.deepcopy(raw)
        self._as_type = as_type
        self._lines = lines
        self._path = path
        self._left_out: dict[KeyPath, list[int]] = {}
        self._incomplete: set[KeyPath] = set()  # objects without a key that was left out

    def all(self) -> Iterator[tuple[int, str]]:
        """The line and the message of each problem."""
        for _ in range(MOST_FAULTS):
            try:
                msgspec.convert(self._raw, self._as_type)
            except msgspec.ValidationError as error:
                at, name, what = _explain(str(error), self._raw, self._as_type, self._original)
                place = self._original(at)
                is_missing = _MISSING_FIELD.match(str(error).partition(" - at ")[0])
                if not (is_missing and place in self._incomplete):
                    line = line_of(self._lines, place)
                    yield line, f"{self._path}:{line}: {name}: {what}"
                if not at:
                    return
                self._remove(at)
            else:
                return

    def leave_out(self, at: KeyPath) -> None:
        """Leave out a key whose problem is already known."""
        holder = value_at(self._raw, at[:-1])
        if isinstance(holder, dict):
            holder.pop(at[-1], None)
            self._incomplete.add(at[:-1])

    def _remove(self, at: KeyPath) -> None:
        holder, step = value_at(self._raw, at[:-1]), at[-1]
        if isinstance(holder, list) and isinstance(step, int):
            place = self._original(at[:-1])
            self._left_out.setdefault(place, []).append(int(self._original(at)[-1]))
            del holder[step]
        elif isinstance(holder, dict) and step in holder:
            del holder[step]
            self._incomplete.add(self._original(at[:-1]))
        elif len(at) > 1:  # a missing key: what should have it is left out
            self._remove(at[:-1])

    def _original(self, at: KeyPath) -> KeyPath:
        """The path in the file of a path in what is left."""
        found: KeyPath = ()
        for step in at:
            if isinstance(step, int):
                for gone in sorted(self._left_out.get(found, ())):
                    step += gone <= step  # noqa: PLW2901 - counted with those left out
            found = (*found, step)
        return found


def _unknown_keys(raw: Any, info: shape.Type, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yield the path of each key that is not a field of its struct, with a message."""
    match info:
        case shape.UnionType(types=types):
            yield from _unknown_in_union(raw, types, at)
        case shape.StructType() if isinstance(raw, dict):
            yield from _unknown_in_struct(raw, info, at)
        case shape.DictType(value_type=value_type) if isinstance(raw, dict):
            for key, value in raw.items():
                yield from _unknown_keys(value, value_type, (*at, key))
        case shape.ListType() | shape.VarTupleType() if isinstance(raw, list):
            for index, value in enumerate(raw):
                yield from _unknown_keys(value, info.item_type, (*at, index))
        case _:
            return


def _unknown_in_struct(
    raw: dict[Any, Any], info: shape.StructType, at: KeyPath
) -> Iterator[tuple[KeyPath, str]]:
    known = {field.encode_name: field.type for field in info.fields}
    if info.tag_field:
        known[info.tag_field] = shape.StrType()
    for key, value in raw.items():
        if key in known:
            yield from _unknown_keys(value, known[key], (*at, key))
        else:
            yield (*at, key), f"unknown key {key!r}{nearest(str(key), known)}"


def _unknown_in_union(
    raw: Any, options: Iterable[shape.Type], at: KeyPath
) -> Iterator[tuple[KeyPath, str]]:
    """Check ``raw`` against the struct that its tag names; report a tag that names none."""
    structs = {
        option.tag: option
        for option in options
        if isinstance(option, shape.StructType) and option.tag_field
    }
    if structs and isinstance(raw, dict):
        tag_field = next(iter(structs.values())).tag_field
        tag = raw.get(tag_field)
        if tag in structs:
            yield from _unknown_in_struct(raw, structs[tag], at)
        elif tag is not None:
            kinds = map(str, structs)
            yield (*at, str(tag_field)), f"unknown {tag_field} {tag!r}{nearest(str(tag), kinds)}"
        return
    for option in options:
        yield from _unknown_keys(raw, option, at)


def _explain(
    message: str, raw: Any, as_type: type[Any], original: Callable[[KeyPath], KeyPath]
) -> tuple[KeyPath, str, str]:
    """The path in ``raw`` of a problem, its name in the file, and the message of msgspec in words."""
    parts = _ERROR_PATH.match(message)
    what, at_text = (parts["what"], parts["path"]) if parts else (message, "$")
    in_key = bool(parts and parts["key"])
    at: KeyPath = ()
    for step in _PATH_STEP.finditer(at_text):
        if step["any"]:
            at = (*at, _key_at_fault(raw, at, as_type))
        else:
            at = (*at, int(step["index"]) if step["index"] else step["name"])
    name = ".".join(str(step) for step in original(at)) or "the file"
    missing = _MISSING_FIELD.match(what)
    if missing:
        what = f"{missing['name']!r} is missing"
    else:
        what = what[0].lower() + what[1:]
        if "matching regex" in what:
            rule = next((words for part, words in _PATTERNS.items() if part in what), what)
            what = f"{value_at(raw, at)!r} {rule}"
        if in_key:
            what = f"a key: {what}"
        if "expected `str" in what and (
            in_key or isinstance(value_at(raw, at), bool | int | float)
        ):
            what += "; put it in quotes to make it text"
    return at, name, what


def _key_at_fault(raw: Any, at: KeyPath, as_type: type[Any]) -> str:
    """The first key of the mapping at ``at`` whose value does not convert.

    msgspec reports such a key only as ``[...]``.
    """
    for key in value_at(raw, at):
        try:
            msgspec.convert(_only(raw, at, key), as_type)
        except msgspec.ValidationError:
            return str(key)
    return "?"


def _only(raw: Any, at: KeyPath, key: Any) -> Any:
    """A copy of ``raw`` in which the mapping at ``at`` has no key except ``key``."""
    if not at:
        return {key: raw[key]}
    step, rest = at[0], at[1:]
    if isinstance(raw, dict):
        return {**raw, step: _only(raw[step], rest, key)}
    assert isinstance(step, int)
    return [*raw[:step], _only(raw[step], rest, key), *raw[step + 1 :]]


# The top level of ``experiments.yaml``.


class ExperimentFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults, the named models, systems, judges and baselines, and the experiments."""

    defaults: Defaults = field(default_factory=Defaults)
    models: dict[str, ModelConfig] = field(default_factory=dict)
    systems: dict[str, SystemConfig] = field(default_factory=dict)
    judges: dict[str, JudgeConfig] = field(default_factory=dict)
    baselines: Annotated[
        dict[str, dict[str, Any]],
        Meta(description="Named blocks of settings that an experiment can use as its baseline."),
    ] = field(default_factory=dict)
    redact: Annotated[
        RedactConfig | RedactMode,
        Meta(description="Mask personal data and secrets: off, outputs, calls, or more settings."),
    ] = "off"
    experiments: list[Experiment] = []


PRESETS: Final = "presets.yaml"


def presets() -> ConfigDocument[ExperimentFile]:
    """The experiments that come with assay, as a parsed document."""
    return parse_document(presets_text(), ExperimentFile, Path("assay", PRESETS))


def presets_text() -> str:
    """The text of the YAML file with the experiments that come with assay."""
    return files("assay.config").joinpath(PRESETS).read_text(encoding="utf-8")
