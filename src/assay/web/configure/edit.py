"""Changes of the text of ``experiments.yaml`` that leave everything else as it is.

Only the lines of one experiment are written again, by ruamel.yaml, which keeps their comments and
the order of their keys. All other lines stay as they are, byte for byte.
"""

import io
import re
from typing import Any, Final

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from assay.errors import UseError
from assay.web.configure.api import Draft, NewSystem

KEYS: Final = (
    "name", "description", "system", "questions_path", "baseline", "design", "ablation_variable",
    "values", "components", "primary", "question_limit", "top_k",
)  # fmt: skip
"""The keys that a form sets, in the order in which a new experiment has them."""
_COMMENT_OR_BLANK: Final = re.compile(r"\s*(#.*)?$")


def with_draft(text: str, experiment: str, draft: Draft) -> str:
    """The text with the form written into the experiment, which is added if it is not there."""
    root = _root(text)
    found = _value(root, "experiments")
    items = found.value if isinstance(found, yaml.SequenceNode) else []
    names = [_scalar(_value(item, "name")) for item in items]
    if isinstance(found, yaml.SequenceNode) and found.flow_style and items:
        raise UseError("the experiments stand in brackets on one line: edit them as text")
    lines = text.splitlines(keepends=True)
    if experiment in names:
        return _changed(lines, items, names.index(experiment), draft)
    new = CommentedSeq([_filled(CommentedMap(), draft)])
    if items:
        start = _line_start(lines, items[0])
        end = _trimmed(lines, items[-1].end_mark.line, items[-1].start_mark.line)
        gap = "\n" if end and lines[end - 1].endswith("\n") else "\n\n"
        return "".join([*lines[:end], gap, _yaml_text(new, start), *lines[end:]])
    if root is not None and found is not None:  # "experiments:" without items
        at = _key_line(root, "experiments")
        return "".join([*lines[:at], "experiments:\n", _yaml_text(new, 2), *lines[at + 1 :]])
    return _with_end(text) + "experiments:\n" + _yaml_text(new, 2)


def with_system(text: str, system: NewSystem) -> str:
    """The text with a new system, and its model if it is an OpenAI-type one."""
    root = _root(text)
    for section in ("systems", "models"):
        names = [_scalar(key) for key, _ in _pairs(_value(root, section))]
        if system.name in names:
            raise UseError(f"there is {system.name!r} under {section} already; choose another name")
    if system.kind == "http":
        fields: dict[str, Any] = {"kind": "http", "url": system.url}
        if system.answer and system.answer != "answer":
            fields["answer"] = system.answer
        return _with_entry(text, "systems", system.name, fields)
    model = {
        "model": system.model,
        "base_url": system.url,
        "api_key_env": system.api_key_env or None,
    }
    text = _with_entry(text, "models", system.name, model)
    return _with_entry(text, "systems", system.name, {"kind": "openai", "model": system.name})


def _with_entry(text: str, section: str, name: str, fields: dict[str, Any]) -> str:
    root = _root(text)
    found = _value(root, section)
    entry = _yaml_text(CommentedMap({name: CommentedMap(fields)}), 2)
    if found is None:
        return _with_end(text) + f"{section}:\n" + _indented(entry, 2)
    if not isinstance(found, yaml.MappingNode) or found.flow_style or not found.value:
        raise UseError(f"{section} stands in brackets or is empty: edit it as text")
    lines = text.splitlines(keepends=True)
    start = _line_start(lines, found.value[0][0])
    end = _trimmed(lines, found.end_mark.line, found.start_mark.line)
    return "".join([*lines[:end], _indented(entry, start), *lines[end:]])


def _changed(lines: list[str], items: list[Any], at: int, draft: Draft) -> str:
    first = items[at].start_mark.line
    last = items[at + 1].start_mark.line if at + 1 < len(items) else items[at].end_mark.line
    end = _trimmed(lines, last, first)
    block = "".join(lines[first:end])
    indent = _line_start(lines, items[at])
    if re.search(r"(^|[\s\[{,])[&*]\w", block):
        raise UseError("the experiment uses an anchor or an alias (& or *): edit it as text")
    loaded = _yaml(indent).load(block)
    before = _yaml_text(loaded, indent)
    _filled(loaded[0], draft)
    after = _yaml_text(loaded, indent)
    if before == after:
        return "".join(lines)
    return "".join([*lines[:first], after, *lines[end:]])


def _filled(experiment: CommentedMap, draft: Draft) -> CommentedMap:
    """Write the fields of a form; a field without a value is taken out."""
    wanted: dict[str, Any] = {
        "name": draft.name,
        "description": draft.description or None,
        "system": draft.system or None,
        "questions_path": draft.questions_path or None,
        "baseline": draft.baseline or None,
        "design": None if draft.design == "single" else draft.design,
        "primary": draft.primary or None,
        "question_limit": draft.question_limit,
        "top_k": draft.top_k,
    }
    if not draft.has_variants:
        wanted |= _variables(draft)
    for key in KEYS:
        if key not in wanted:
            continue
        value = wanted[key]
        if value is None:
            experiment.pop(key, None)
        elif experiment.get(key) != value:
            experiment[key] = value
    return experiment


def _variables(draft: Draft) -> dict[str, Any]:
    named = [variable for variable in draft.variables if variable.name]
    if draft.design != "single":
        components = CommentedMap(
            (variable.name, _flow(variable.values or (False, True))) for variable in named
        )
        names = [variable.name for variable in named]
        is_plain = not any(variable.values for variable in named)
        shown: Any = _flow(names) if is_plain else components
        return {"ablation_variable": None, "values": None, "components": shown if named else None}
    first = named[0] if named else None
    values = _flow(first.values) if first and first.values else None
    return {
        "ablation_variable": first.name if first else None,
        "values": values,
        "components": None,
    }


def _flow(values: Any) -> CommentedSeq:
    sequence = CommentedSeq(values)
    sequence.fa.set_flow_style()
    return sequence


def _yaml(indent: int) -> YAML:
    """A reader and writer that keeps comments; items of lists stand ``indent`` further in."""
    parser = YAML(typ="rt")
    parser.preserve_quotes = True
    parser.width = 10_000
    parser.indent(mapping=2, sequence=indent + 2, offset=indent)
    return parser


def _yaml_text(value: Any, indent: int) -> str:
    out = io.StringIO()
    _yaml(indent).dump(value, out)
    return out.getvalue()


def _indented(block: str, indent: int) -> str:
    return "".join(
        f"{' ' * indent}{line}" if line.strip() else line
        for line in block.splitlines(keepends=True)
    )


def _root(text: str) -> yaml.Node | None:
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise UseError(
            f"{where}not valid YAML: {getattr(error, 'problem', None) or 'unreadable'}"
        ) from None
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise UseError("the file must have keys such as defaults and experiments at its top")
    if root is not None and root.flow_style:
        raise UseError("the file stands in brackets: edit it as text")
    return root


def _pairs(node: yaml.Node | None) -> list[Any]:
    return list(node.value) if isinstance(node, yaml.MappingNode) else []


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    return next((value for name, value in _pairs(node) if _scalar(name) == key), None)


def _scalar(node: yaml.Node | None) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def _key_line(root: yaml.Node, key: str) -> int:
    return next(int(name.start_mark.line) for name, _ in _pairs(root) if _scalar(name) == key)


def _line_start(lines: list[str], node: yaml.Node) -> int:
    """How far the line of a node is indented."""
    line = lines[node.start_mark.line]
    return len(line) - len(line.lstrip(" "))


def _trimmed(lines: list[str], end: int, start: int) -> int:
    """The line after the last one that has more than a comment."""
    if end < len(lines) and end == start:
        end += 1
    end = min(max(end, start + 1), len(lines))
    while end > start + 1 and _COMMENT_OR_BLANK.match(lines[end - 1]):
        end -= 1
    return end


def _with_end(text: str) -> str:
    if not text.strip():
        return text if text.endswith("\n") or not text else f"{text}\n"
    return text.rstrip("\n") + "\n\n"
