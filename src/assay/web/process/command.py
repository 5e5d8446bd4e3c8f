"""The command of a request: every value is checked, and none can become another option."""

import math
import re
from pathlib import Path
from typing import Final

from assay.config import Workspace, nearest
from assay.errors import UseError
from assay.jobs.quality import check_out
from assay.journal import check_rows_path
from assay.web.live_api import StartRequest
from assay.web.process.form import COMMANDS, FORMS, Choices, Option

_SETTING: Final = re.compile(r"[^\W\d][\w.]{0,80}=[^\x00-\x1f]{0,500}")
_PLACE: Final = re.compile(r"(experiments|eval/runs)(/[^\W_][\w.-]{0,80}){0,3}")
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
        texts = _checked(option, value, choices, root)
        if not option.flag:
            path += [text if not text.startswith("-") else f"./{text}" for text in texts]
        else:
            is_switch = option.kind == "switch"
            words += [option.flag if is_switch else f"{option.flag}={text}" for text in texts]
    if request.is_dry:
        words.append("--dry-run")
    found = Workspace.find(start=root).root
    if found != root.resolve():
        words.append("--root=.")
    return [*words, *path]


def _checked(option: Option, value: Value, choices: Choices, root: Path) -> list[str]:
    """The texts of a value that fits its option: one, or one for each setting."""
    name, text = option.name, str(value)
    match option.kind:
        case "switch":
            if value is not True:
                raise UseError(f"{name}: {value!r} is not yes or no")
            return [""]
        case "choice":
            allowed = choices.of(option)
            if value not in allowed:
                raise UseError(f"{name}: {value!r} is not a choice{nearest(text, allowed)}")
            return [text]
        case "count" | "number":
            return [_number(option, value)]
        case "settings":
            return _settings(name, text)
    check = {"file": _path, "place": _place, "text": _free_text}[option.kind]
    return [check(name, text, root)]


def _free_text(name: str, text: str, _: Path) -> str:
    if not _TEXT.fullmatch(text) or text.startswith((".", "-")):
        raise UseError(f"{name}: use letters, digits, and . , - _ only")
    return text


def _settings(name: str, text: str) -> list[str]:
    """The lines of a text, each ``NAME=VALUE``."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if not _SETTING.fullmatch(line):
            raise UseError(f"{name}: write {line[:80]!r} as NAME=VALUE")
    return lines


def _place(name: str, text: str, root: Path) -> str:
    """A file or folder for results, in a folder where the page looks for runs."""
    if not _PLACE.fullmatch(text) or not (root / text).resolve().is_relative_to(root.resolve()):
        raise UseError(f"{name}: results go into experiments/… or eval/runs/…, not {text[:80]!r}")
    path = root / text
    if name == "out":
        check_out(path)
    elif name == "output":
        check_rows_path(path)
    elif path.exists() and not path.is_dir():
        raise UseError(f"{name}: {text} is a file; name a folder")
    return text


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
