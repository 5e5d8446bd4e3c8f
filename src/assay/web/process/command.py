"""The command of a request: every value is checked, and none can become another option."""

import math
import re
from pathlib import Path
from typing import Final

from assay.config import Workspace, nearest
from assay.errors import UseError
from assay.web.live_api import StartRequest
from assay.web.process.form import COMMANDS, FORMS, Choices, Option

Value = str | int | float | bool
_TEXT: Final = re.compile(r"[\w.,-]{1,80}")
"""What a free text may have: a name, or numbers with commas."""


def command_words(request: StartRequest, root: Path) -> list[str]:
    """The words after ``assay``; raises ``UseError`` if the command line would not accept them.

    >>> command_words(StartRequest(job="bench", options={"sample": True, "top_k": 3}), Path())
    ['bench', 'run', '--sample', '--top-k=3']
    """
    options = {option.name: option for option in FORMS.get(request.job, ())}
    if not options:
        raise UseError(f"{request.job!r} is not one of {', '.join(FORMS)}")
    for name in request.options:
        if name not in options:
            raise UseError(f"{request.job}: there is no field {name!r}{nearest(name, options)}")
    choices = Choices(root)
    words = [*COMMANDS[request.job]]
    path = []
    for name, option in options.items():
        value = request.options.get(name, "")
        if value == "" or value is False:
            if option.is_required:
                raise UseError(f"{name}: choose one")
            continue
        text = _checked(option, value, choices, root)
        if not option.flag:
            path.append(text if not text.startswith("-") else f"./{text}")
        else:
            words.append(option.flag if option.kind == "switch" else f"{option.flag}={text}")
    if request.is_dry:
        words.append("--dry-run")
    found = Workspace.find(start=root).root
    if found != root.resolve():
        words.append("--root=.")
    return [*words, *path]


def _checked(option: Option, value: Value, choices: Choices, root: Path) -> str:
    """The text of a value that fits its option."""
    name = option.name
    match option.kind:
        case "switch":
            if value is not True:
                raise UseError(f"{name}: {value!r} is not yes or no")
            return ""
        case "choice":
            allowed = choices.of(option)
            if value not in allowed:
                raise UseError(f"{name}: {value!r} is not a choice{nearest(str(value), allowed)}")
            return str(value)
        case "count" | "number":
            return _number(option, value)
        case "file":
            return _path(name, str(value), root)
        case "text":
            if not _TEXT.fullmatch(str(value)) or str(value).startswith((".", "-")):
                raise UseError(f"{name}: use letters, digits, and . , - _ only")
            return str(value)


def _number(option: Option, value: Value) -> str:
    try:
        number = float(value) if not isinstance(value, bool) else math.nan
    except ValueError:
        number = math.nan
    is_whole = option.kind == "count"
    if not math.isfinite(number) or number < 0 or (is_whole and number != int(number)):
        kind = "a whole number" if is_whole else "a number"
        raise UseError(f"{option.name}: {value!r} is not {kind} of 0 or more")
    return str(int(number)) if is_whole else f"{number:g}"


def _path(name: str, text: str, root: Path) -> str:
    """A file of the workspace by its path from there; a link may not lead out of it."""
    if "\0" in text:
        raise UseError(f"{name}: not a path")
    path = (root / text).resolve()
    if not path.is_relative_to(root.resolve()):
        raise UseError(f"{name}: {text} is outside the workspace")
    if not path.exists():
        raise UseError(f"{name}: {text}: no such file in the workspace")
    return path.relative_to(root.resolve()).as_posix()
