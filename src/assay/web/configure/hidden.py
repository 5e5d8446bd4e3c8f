"""``experiments.yaml`` as the page may see it: with a placeholder for each key that stands in it.

The page sends the text back. A placeholder then becomes what the file on disk has in its place, and
only there: at the same system or model, with the same address. So who may change something on the page
can neither read a key nor have it sent elsewhere.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

from assay.config.document import ExperimentFile, KeyPath
from assay.config.literal_secret import item_steps, secret_parts
from assay.errors import UseError
from assay.mask import mask_secrets
from assay.redact.network import find_passwords, find_secrets

_PLACEHOLDER: Final = re.compile(r"<\*\*\*([0-9]{1,4})>")
_ADDRESSES: Final = ("kind", "url", "base_url", "prepare", "command", "target", "query")
"""The fields of a system or a model that say where its keys go."""
_VARIABLE: Final = re.compile(
    r"""(?:^|[\s{,])["']?[A-Z][A-Z0-9_]+["']?\s*:\s*["']?([^\s"',}\]]{6,})"""
)
"""What looks like a variable and its value, in a file that cannot be parsed."""
_MOST_NODES: Final = 100_000
_SHORTEST: Final = 6


class HiddenSecrets:
    """The secrets of a file on disk, in its spelling, each with its placeholder."""

    def __init__(self, on_disk: str) -> None:
        found = dict.fromkeys(_spellings(on_disk))
        self._placeholders = {text: f"<***{n}>" for n, text in enumerate(found, 1)}
        self._texts = {name: text for text, name in self._placeholders.items()}

    def hide(self, text: str) -> str:
        """The text with a placeholder for each secret of the file on disk."""
        for secret in sorted(self._placeholders, key=len, reverse=True):
            text = text.replace(secret, self._placeholders[secret])
        return text

    def restore(self, text: str) -> str:
        """The text of the page with what the file on disk has in place of each placeholder.

        Raises:
            UseError: The file on disk has not so many secrets any more.
        """

        def secret(match: re.Match[str]) -> str:
            if match[0] not in self._texts:
                raise UseError(f"{match[0]} stands for no key of the file; load the page again")
            return self._texts[match[0]]

        return _PLACEHOLDER.sub(secret, text)


def refuse_moved(new: ExperimentFile, old: ExperimentFile, on_disk: str, path: Path) -> None:
    """Raise ``UseError`` if a secret of the old file is elsewhere in the new one."""
    before, after = msgspec.to_builtins(old), msgspec.to_builtins(new)
    secrets = {part for at, text in _texts(before) for part in secret_parts(at, text)}
    secrets |= set(_spellings(on_disk))  # also those of comments
    if not secrets:
        return
    known = {(_place(at), part) for at, text in _texts(before) for part in secrets if part in text}
    for at, text in _texts(after):
        for part in secrets:
            if part not in text:
                continue
            is_there = (_place(at), part) in known
            if not is_there or _address(before, at) != _address(after, at):
                raise UseError(
                    f"{'.'.join(map(str, at))}: a key that the page does not show can only stay where "
                    f"it is, with the same address; change it in {path.name} with an editor"
                )


def _place(at: KeyPath) -> KeyPath:
    """The place of a value without the numbers of list items, which change when items are added."""
    return tuple(step for step in at if not isinstance(step, int))


def _address(file: Any, at: KeyPath) -> Any:
    if len(at) < 2 or at[0] not in {"systems", "models"}:
        return None
    section = file[at[0]].get(at[1]) or {}
    return {name: section.get(name) for name in _ADDRESSES}


def _texts(value: Any, at: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _texts(item, (*at, name))
    elif isinstance(value, list | tuple):
        for step, item in zip(item_steps(value), value, strict=True):
            yield from _texts(item, (*at, *step))
    elif isinstance(value, str):
        yield at, value


def _of_form(text: str) -> Iterator[str]:
    """What has the form of a key or a password, or is known to be one; no references to variables."""
    for finding in (*find_secrets(text), *find_passwords(text)):
        secret = text[finding.start : finding.end]
        if len(secret) >= _SHORTEST and "$" not in secret and "<***" not in secret:
            yield secret


def _spellings(text: str) -> Iterator[str]:
    """The secrets of a YAML text as they are written there; of a text that is no YAML, by their form."""
    yield from _of_form(text)
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        for at, node in _scalars(root, ()):
            yield from _in_scalar(text, at, node)
    except (yaml.YAMLError, RecursionError):
        # the rest of a damaged file is not known: all that looks like a variable is hidden
        for match in _VARIABLE.finditer(text):
            if "$" not in match[1]:
                yield match[1]


def _in_scalar(text: str, at: KeyPath, node: yaml.ScalarNode) -> Iterator[str]:
    value, written = str(node.value), text[node.start_mark.index : node.end_mark.index].strip()
    quote = written[:1]
    inner = written[1:-1] if quote in {"'", '"'} and written.endswith(quote) else written
    parts = secret_parts(at, value)
    data = value.encode("utf-8", "surrogatepass")
    if not parts and mask_secrets(data) != data:
        parts = [value]
    for part in parts:
        spelling = part if part in inner else inner  # an escape or a fold spells it in another way
        if spelling:
            yield spelling


def _scalars(root: yaml.Node | None, at: KeyPath) -> Iterator[tuple[KeyPath, yaml.ScalarNode]]:
    """All scalars with their places; aliases are followed, a bomb of them is not."""
    pending, count = [(at, root)], 0
    while pending:
        place, node = pending.pop()
        count += 1
        if count > _MOST_NODES:
            raise RecursionError
        if isinstance(node, yaml.ScalarNode):
            yield place, node
        elif isinstance(node, yaml.SequenceNode):
            steps = item_steps([getattr(item, "value", None) for item in node.value])
            pending += [
                ((*place, *step), item) for step, item in zip(steps, node.value, strict=True)
            ]
        elif isinstance(node, yaml.MappingNode):
            for name, item in node.value:
                is_merge = getattr(name, "value", "") == "<<"
                step = () if is_merge else (str(getattr(name, "value", "")),)
                pending.append(((*place, *step), item))
