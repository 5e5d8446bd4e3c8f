"""Changes of the text of ``experiments.yaml`` that leave everything else as it is.

Only what a form changes is written, at the places where PyYAML finds the keys of one experiment.
Everything else stays as it is, byte for byte: comments, quotes, and the order of keys. What is
written is read again, and refused if it does not say what the form says.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml
from msgspec.structs import replace

from assay.config.document import ExperimentFile, parse_document
from assay.config.system import CommandConfig, HttpConfig, PythonConfig, SystemConfig
from assay.config.workspace import Workspace
from assay.config.yaml_tree import parse_yaml, yaml_text
from assay.data.jsonl import UNREADABLE, locked_folder, replace_file
from assay.data.question_set import foreign_questions
from assay.errors import AssayError, ConfigError, UseError
from assay.models.secret import variables_in
from assay.systems.load import KNOWN_PROVIDERS
from assay.web.configure.api import ConfigureStart, Draft, NewSystem
from assay.web.configure.hidden import HiddenSecrets, refuse_moved

_VERSION_KEY: Final = secrets.token_bytes(32)
"""With it, nobody can try out what a key in the file is from the version of the file."""

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
    if items:
        start = _line_start(lines, items[0])
        end = _trimmed(lines, _line_after(items[-1]), items[-1].start_mark.line)
        gap = "\n" if end and lines[end - 1].endswith("\n") else "\n\n"
        return "".join([*lines[:end], gap, _item(draft, start), *lines[end:]])
    if root is not None and found is not None:  # "experiments:" without items
        at = _key_line(root, "experiments")
        return "".join([*lines[:at], "experiments:\n", _item(draft, 2), *lines[at + 1 :]])
    return _with_end(text) + "experiments:\n" + _item(draft, 2)


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
    entry = yaml_text({name: fields}, in_brackets=False)
    if found is None:
        return _with_end(text) + f"{section}:\n" + _indented(entry, 2)
    if not isinstance(found, yaml.MappingNode) or found.flow_style or not found.value:
        raise UseError(f"{section} stands in brackets or is empty: edit it as text")
    lines = text.splitlines(keepends=True)
    start = _line_start(lines, found.value[0][0])
    end = _trimmed(lines, _line_after(found), found.start_mark.line)
    gap = "" if lines[end - 1].endswith("\n") else "\n"
    return "".join([*lines[:end], gap, _indented(entry, start), *lines[end:]])


def _changed(lines: list[str], items: list[Any], at: int, draft: Draft) -> str:
    first = items[at].start_mark.line
    last = items[at + 1].start_mark.line if at + 1 < len(items) else _line_after(items[at])
    end = _trimmed(lines, last, first)
    block = "".join(lines[first:end])
    if re.search(r"(^|[\s\[{,])[&*]\w", block):
        raise UseError("the experiment uses an anchor or an alias (& or *): edit it as text")
    for key, value in _fields(draft).items():
        block = _with_field(block, key, value)
    return "".join([*lines[:first], block, *lines[end:]])


def _fields(draft: Draft) -> dict[str, Any]:
    """What the form says about each of its keys; ``None``: the experiment does not have it."""
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
    return {key: wanted[key] for key in KEYS if key in wanted}


def _variables(draft: Draft) -> dict[str, Any]:
    named = [variable for variable in draft.variables if variable.name]
    if draft.design != "single":
        components = {variable.name: list(variable.values or (False, True)) for variable in named}
        is_plain = not any(variable.values for variable in named)
        shown: Any = list(components) if is_plain else components
        return {"ablation_variable": None, "values": None, "components": shown if named else None}
    first = named[0] if named else None
    values = list(first.values) if first and first.values else None
    return {
        "ablation_variable": first.name if first else None,
        "values": values,
        "components": None,
    }


def _item(draft: Draft, indent: int) -> str:
    """A new experiment as an item of a list."""
    fields = [(key, value) for key, value in _fields(draft).items() if value is not None]
    text = _indented("".join(_pair(key, value) for key, value in fields), indent + 2)
    return f"{' ' * indent}- {text[indent + 2 :]}"


def _pair(key: str, value: Any) -> str:
    """The lines of a key and its value; lists stand in brackets."""
    is_scalar = not isinstance(value, list | dict)
    return yaml_text({key: value}, in_brackets=False if is_scalar else None)


def _with_field(block: str, key: str, value: Any) -> str:
    """The lines of an experiment with one key set, or taken out if the value is ``None``."""
    (experiment,) = _parsed(block)
    if experiment.get(key) == value and (value is not None or key not in experiment):
        return block
    node = yaml.compose(block, Loader=yaml.SafeLoader).value[0]
    at = next((number for number, (name, _) in enumerate(node.value) if name.value == key), None)
    if at is None:
        changed = _added(block, node, key, value)
    elif value is None:
        changed = _removed(block, node, at)
    else:
        changed = _replaced(block, node, at, value)
    others = {name: each for name, each in experiment.items() if name != key}
    if _parsed(changed) != [others if value is None else {**others, key: value}]:
        raise UseError(f"{key} is written in an unusual way in the experiment: edit it as text")
    return changed


def _parsed(block: str) -> list[Any]:
    """The experiment that these lines are, in a list."""
    try:
        value, _ = parse_yaml(block, Path("experiments.yaml"))
    except ConfigError:
        value = None
    if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], dict):
        raise UseError("the experiment cannot be read by itself: edit it as text")
    return value


def _added(block: str, experiment: yaml.MappingNode, key: str, value: Any) -> str:
    if experiment.flow_style:
        last = experiment.value[-1][1].end_mark.index
        return f"{block[:last]}, {_in_brackets(key, value)}{block[last:]}"
    indent = experiment.start_mark.column
    gap = "" if block.endswith("\n") else "\n"
    return block + gap + _indented(_pair(key, value), indent)


def _removed(block: str, experiment: yaml.MappingNode, at: int) -> str:
    pairs = experiment.value
    key, value = pairs[at]
    start, end = key.start_mark.index, _end(block, value)
    if at + 1 < len(pairs) and (experiment.flow_style or at == 0):
        end = pairs[at + 1][0].start_mark.index  # the next key takes its place
    elif experiment.flow_style:
        start = pairs[at - 1][1].end_mark.index
    else:
        start -= key.start_mark.column
        end = block.find("\n", end) + 1 or len(block)
    return block[:start] + block[end:]


def _replaced(block: str, experiment: yaml.MappingNode, at: int, value: Any) -> str:
    key, old = experiment.value[at]
    start, end = old.start_mark.index, _end(block, old)
    colon = block.index(":", key.end_mark.index) + 1
    if experiment.flow_style:
        text = _in_brackets(key.value, value)
    else:
        text = _indented(_pair(key.value, value), experiment.start_mark.column).rstrip("\n")
    text = text.partition(":")[2]
    if old.start_mark.line == key.start_mark.line:
        return block[:colon] + text + block[end:]
    line = start - old.start_mark.column  # a comment behind the key stays
    return block[:colon] + text + block[colon:line].rstrip("\n") + block[end:]


def _in_brackets(key: str, value: Any) -> str:
    return yaml_text({key: value}, in_brackets=True).strip()[1:-1]


def _end(block: str, node: yaml.Node) -> int:
    """Where a value ends, without the comments and empty lines that PyYAML counts to it."""
    end: int = node.end_mark.index
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        kept = block[:end].splitlines(keepends=True)
        while _COMMENT_OR_BLANK.match(kept[-1]):
            kept.pop()
        end = len("".join(kept))
    return len(block[:end].rstrip()) if end > node.start_mark.index else end


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


def _line_after(node: yaml.Node) -> int:
    """The first line that has nothing of a node; the end of a file may have no line break."""
    mark = node.end_mark
    return int(mark.line) + (mark.column > 0)


def _trimmed(lines: list[str], end: int, start: int) -> int:
    """The line after the last one that has more than a comment."""
    end = min(max(end, start + 1), len(lines))
    while end > start + 1 and _COMMENT_OR_BLANK.match(lines[end - 1]):
        end -= 1
    return end


def _with_end(text: str) -> str:
    if not text.strip():
        return text if text.endswith("\n") or not text else f"{text}\n"
    return text.rstrip("\n") + "\n\n"


# What a page may not add: code that would run here, and secrets that would be sent away.
#
# Whoever may change something on the page must not gain more than that. Python objects, commands and
# recordings can be used if the file on disk names them already. An environment variable goes only to
# an address for which the file on disk uses it already, or to the own address of a known provider.

_WORDS: Final = ("python:", "command:")


def refuse_code(new: ExperimentFile, old_text: str, path: Path) -> None:
    """Raise ``UseError`` if ``new`` has code, or sends variables, that the file on disk does not."""
    old = _trust_parsed(old_text, path)
    refuse_moved(new, old, old_text, path)
    for name, system in new.systems.items():
        is_code = isinstance(system, PythonConfig | CommandConfig)
        if is_code and old.systems.get(name) != system:
            raise UseError(
                f"systems.{name}: the page cannot add or change a Python or command system; "
                f"write it into {path.name} with an editor"
            )
    known = set(_specs(old))
    for spec in _specs(new):
        if spec.startswith(_WORDS) and spec not in known:
            raise UseError(
                f"system {spec!r}: the page cannot add a Python or command system; write it into "
                f"{path.name} with an editor"
            )
    allowed = {*_sent(old), *KNOWN_PROVIDERS}
    for variable, address in _sent(new):
        if (variable, address) not in allowed:
            raise UseError(
                f"the variable {variable}: the page sends it only to an address for which the "
                f"saved {path.name} uses it; for another one, write it into {path.name} with an "
                "editor first"
            )


def _trust_parsed(text: str, path: Path) -> ExperimentFile:
    try:
        return parse_document(text, ExperimentFile, path).value
    except AssayError:
        return ExperimentFile()  # nothing in a file that cannot be read is trusted


def _specs(file: ExperimentFile) -> Iterator[str]:
    yield file.defaults.asked_system
    for experiment in file.experiments:
        if experiment.system is not None:
            yield experiment.system


def _sent(file: ExperimentFile) -> Iterator[tuple[str, str]]:
    """The environment variables that are used, each with the address that gets it."""
    for model in file.models.values():
        address = model.base_url.rstrip("/")
        if model.key_variable:
            yield model.key_variable, address
        for variable in variables_in(_text(model)):
            yield variable, address
    for system in file.systems.values():
        for variable in variables_in(_text(system)):
            yield variable, _address(system)
    for spec in _specs(file):
        for variable in variables_in(spec):
            yield variable, spec


def _address(system: SystemConfig) -> str:
    """Where a system sends something; both addresses of a service with a preparation."""
    if not isinstance(system, HttpConfig):
        return ""
    return system.url if system.prepare is None else f"{system.url} {system.prepare.url}"


def _text(section: Any) -> str:
    return msgspec.json.encode(section).decode()


# ``experiments.yaml`` on disk: read with a hash of it, and written only if it is still the same.


def read_file(workspace: Workspace) -> ConfigureStart:
    """The file as it is, with its keys; an empty text if there is none."""
    path = workspace.experiments_file
    data = _bytes(path)
    try:
        text = (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise UseError(f"{path}: not UTF-8; save the file as UTF-8") from None
    return ConfigureStart(
        path=path.relative_to(workspace.root).as_posix(),
        text=text,
        version="" if data is None else blake2b(data, key=_VERSION_KEY).hexdigest(),
        experiments=_names(text, path),
    )


def shown_file(workspace: Workspace) -> ConfigureStart:
    """The file as the page sees it."""
    workspace.know_secrets()
    start = read_file(workspace)
    return replace(start, text=HiddenSecrets(start.text).hide(start.text))


def restored(workspace: Workspace, text: str) -> str:
    """A text of the page with the keys that the file on disk has.

    Raises:
        UseError: The text has placeholders, and the file on disk is not the one that was opened.
    """
    on_disk = read_file(workspace).text
    if text == HiddenSecrets(on_disk).hide(on_disk):
        return on_disk
    whole = HiddenSecrets(on_disk).restore(text)
    if whole != text:
        try:
            parse_document(on_disk, ExperimentFile, workspace.experiments_file)
        except AssayError as error:
            raise UseError(
                f"{error}; the file has keys that the page does not show, so mend it with an editor"
            ) from None
    return whole


def save_file(workspace: Workspace, text: str, version: str) -> ConfigureStart:
    """Write a text, if the file is still the one that was opened and the text can be used.

    Raises:
        UseError: The file has changed since, the text is wrong, or it adds code.
    """
    path = workspace.experiments_file
    text = restored(workspace, text)
    new = parse_document(text, ExperimentFile, path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked_folder(path.parent):
        now = read_file(workspace)
        if now.version != version:
            raise UseError(
                f"{now.path} has changed since you opened it, and is not overwritten; copy your "
                "text, load the page again, and put it in"
            )
        refuse_code(new.value, now.text, path)
        replace_file(path, text.encode())
        return shown_file(workspace)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None


def _names(text: str, path: Path) -> tuple[str, ...]:
    with suppress(AssayError):
        file = parse_document(text, ExperimentFile, path).value
        return tuple(experiment.name for experiment in file.experiments)
    return ()


# The files of a workspace that are question sets, for the list of the form.

MOST_FILES: Final = 200
LARGEST_TABLE: Final = 4_000_000
"""Larger tables are offered without a look inside, in bytes."""
MOST_LINES: Final = 5
_OURS: Final = frozenset({".jsonl", ".ndjson"})
_TABLES: Final = frozenset({".csv", ".tsv", ".xlsx", ".parquet"})
_GOLD: Final = frozenset({"bundle", "gold_chunk_ids", "gold", "answerable", "answer", "answers"})
_PLAIN: Final = frozenset({"id", "text", "source"})


def question_files(root: Path) -> list[str]:
    """Question sets at most two folders below ``root``, by name; files of runs are none."""
    found: list[str] = []
    for path in sorted(_candidates(root)):
        if len(found) < MOST_FILES and _is_question_set(path):
            found.append(path.relative_to(root).as_posix())
    return found


def _candidates(root: Path) -> Iterator[Path]:
    for pattern in ("*", "*/*", "*/*/*"):
        for path in root.glob(pattern):
            parts = path.relative_to(root).parts
            is_own = parts[0] in {"experiments", "labels", "chunks"}
            is_own = is_own or parts[:2] == ("eval", "runs")
            is_hidden = any(part.startswith(".") for part in parts)
            if path.suffix.lower() in _OURS | _TABLES and not is_own and not is_hidden:
                yield path


def _is_question_set(path: Path) -> bool:
    try:
        if path.suffix.lower() in _OURS:
            return _has_questions(path)
        return path.stat().st_size > LARGEST_TABLE or bool(foreign_questions(path))
    except (AssayError, OSError):
        return False


def _has_questions(path: Path) -> bool:
    """Whether the first row, after one that describes the set, is a question.

    Clauses, laws and chunks have a ``text`` too; only in a question set it stands alone or with gold.
    """
    with path.open("rb") as file:
        for line in (file.readline() for _ in range(MOST_LINES)):
            if not line.strip():
                continue
            try:
                row = msgspec.json.decode(line, type=dict[str, Any])
            except UNREADABLE:
                return False
            if "question" in row:
                return True
            if "metadata" not in row:
                is_plain = _PLAIN.issuperset(row) or not _GOLD.isdisjoint(row)
                return "id" in row and "text" in row and is_plain
    return False
