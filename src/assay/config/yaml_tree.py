"""Reads YAML text into plain values and remembers the line of each, and writes values as YAML."""

import json
import re
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec
import yaml

from assay.config.document import ExperimentFile, KeyPath
from assay.errors import ConfigError

MOST_VALUES = 100_000
"""The most values of a file, each alias counted with all that it stands for."""
DEEPEST = 100
"""The most brackets that may be open at the same time."""


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader that also reads ``1e-3`` as a number; in YAML 1.1 it is text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.own_keys: dict[int, frozenset[int]] = {}
        self.values = 0

    def fetch_flow_collection_start(self, token_class: Any) -> None:
        """Refuse deep nesting here: PyYAML takes minutes to find that it is too deep for it."""
        if self.flow_level > DEEPEST:
            raise RecursionError
        super().fetch_flow_collection_start(token_class)

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge the ``<<`` keys, and remember which keys the mapping had before the merge."""
        self.own_keys.setdefault(id(node), frozenset(id(key) for key, _ in node.value))
        super().flatten_mapping(node)


class _Dumper(yaml.SafeDumper):
    """PyYAML's safe writer that puts the text ``1e-3`` in quotes, because the loader needs them."""


for _each in (_Loader, _Dumper):
    _each.add_implicit_resolver(
        "tag:yaml.org,2002:float",
        re.compile(r"^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+$"),
        list("-+.0123456789"),
    )


def yaml_text(value: Any, *, in_brackets: bool | None) -> str:
    r"""The text that ``parse_yaml`` reads as the value; ``None``: only innermost lists in brackets.

    >>> yaml_text({"a": "1e-3", "b": [1, 2]}, in_brackets=None)
    "a: '1e-3'\nb: [1, 2]\n"
    """
    text: str = yaml.dump(
        value, Dumper=_Dumper, default_flow_style=in_brackets, allow_unicode=True,
        width=float("inf"), sort_keys=False,
    )  # fmt: skip
    return text


def parse_yaml(text: str, path: Path) -> tuple[Any, dict[KeyPath, int]]:
    """The plain Python value of a YAML text, and the line of each key path."""
    try:
        loader = _Loader(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(
            f"{path}:{line}: not valid YAML: the character U+{error.character:04X} is not allowed here"
        ) from None
    try:
        node = loader.get_single_node()
        lines: dict[KeyPath, int] = {(): 1}
        if node is None:
            return None, lines
        return _build(loader, node, (), lines, path, frozenset()), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigError(f"{path}:{line}: not valid YAML: {error.problem}") from None
    except RecursionError:
        line = loader.get_mark().line + 1
        raise ConfigError(f"{path}:{line}: nested too deeply to be read") from None
    finally:
        loader.dispose()


def _build(
    loader: _Loader,
    node: yaml.Node,
    at: KeyPath,
    lines: dict[KeyPath, int],
    path: Path,
    above: frozenset[int],
) -> Any:
    if id(node) in above:
        raise ConfigError(f"{path}:{node.start_mark.line + 1}: an alias contains itself")
    loader.values += 1
    if loader.values > MOST_VALUES:  # aliases of aliases: 500 bytes may stand for a billion values
        raise ConfigError(
            f"{path}:{node.start_mark.line + 1}: the aliases stand for more than "
            f"{MOST_VALUES:,} values"
        )
    lines.setdefault(at, node.start_mark.line + 1)
    within = above | {id(node)}
    if isinstance(node, yaml.SequenceNode):
        return [
            _build(loader, child, (*at, index), lines, path, within)
            for index, child in enumerate(node.value)
        ]
    if not isinstance(node, yaml.MappingNode):
        return _scalar(loader, node, path)
    loader.flatten_mapping(node)
    own_keys = loader.own_keys[id(node)]
    built: dict[Any, Any] = {}
    seen: set[Any] = set()
    for key_node, value_node in node.value:
        key = _scalar(loader, key_node, path)
        line = key_node.start_mark.line + 1
        try:
            hash(key)
        except TypeError:
            raise ConfigError(f"{path}:{line}: a key must be a plain name") from None
        if id(key_node) in own_keys:
            if key in seen:
                raise ConfigError(f"{path}:{line}: the key {key!r} appears twice")
            seen.add(key)
        lines[(*at, key)] = line
        built[key] = _build(loader, value_node, (*at, key), lines, path, within)
    return built


def _scalar(loader: _Loader, node: yaml.Node, path: Path) -> Any:
    try:
        value = loader.construct_object(node, deep=True)
        if isinstance(value, str):
            value.encode()  # an escape may stand for half a character
    except (ValueError, LookupError, AttributeError, TypeError):  # PyYAML does not convert these
        kind = node.tag.rpartition(":")[2]
        value_text = repr(node.value) if len(str(node.value)) <= 40 else "the value"
        raise ConfigError(
            f"{path}:{node.start_mark.line + 1}: {value_text} cannot be read as {kind}; "
            "put it in quotes to make it text"
        ) from None
    return value


# The JSON Schema of the configuration, generated from the structs that read it.


def with_plain_descriptions(schema: Any) -> Any:
    """A JSON Schema whose descriptions are docstrings without their indentation, by any Python."""
    if isinstance(schema, dict):
        return {
            key: cleandoc(value)
            if key == "description" and isinstance(value, str)
            else with_plain_descriptions(value)
            for key, value in schema.items()
        }
    return (
        [with_plain_descriptions(each) for each in schema] if isinstance(schema, list) else schema
    )


def experiments_schema() -> str:
    """The JSON Schema (2020-12) of ``experiments.yaml``, indented, with a newline at the end."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "assay experiments.yaml",
        **with_plain_descriptions(msgspec.json.schema(ExperimentFile)),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
