"""Results stay out of git unless somebody decides otherwise.

Rows, reports and pages contain the texts of questions and answers. Whatever a command writes is
named in a ``.gitignore`` beside it, unless the ``.gitignore`` of a folder above names it already,
as in a workspace of ``assay init``.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

IGNORE_FILE: Final = ".gitignore"
_HEAD: Final = "# written by assay: results contain the texts of questions and answers"
_SPECIAL: Final = re.compile(r"[\\*?\[\]]")


def keep_private(path: Path) -> None:
    """Name a file or folder that a command writes in the ``.gitignore`` beside it."""
    name = _SPECIAL.sub(r"\\\g<0>", path.name)
    _ignore(path, [f"/{name}"])


def keep_run_private(journal: Path) -> None:
    """Name all files of a run: rows, summary, plan, verdicts, report, charts and pages."""
    names = [journal.name.removesuffix(".jsonl")]
    if names[0].endswith(".rows"):  # a results file has its rows in a file of its own
        names.append(names[0].removesuffix(".rows"))
    patterns = []
    for name in names:
        plain = _SPECIAL.sub(r"\\\g<0>", name)
        patterns += [f"/{plain}.json*", f"/{plain}.*.json*", f"/{plain}.md", f"/{plain}.*.md"]
        patterns += [f"/{plain}/", f"/{plain}*.html"]
    _ignore(journal, patterns)


def _ignore(path: Path, patterns: Sequence[str]) -> None:
    """Add the patterns to the file beside ``path``; a folder that cannot be written to is left."""
    path = path.absolute()
    if path.is_char_device() or path.is_fifo() or _is_ignored(path):
        return
    file = path.parent / IGNORE_FILE
    with suppress(OSError, UnicodeDecodeError):
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        known = set(text.splitlines())
        new = [pattern for pattern in patterns if pattern not in known]
        if not new:
            return
        lines = [*([] if _HEAD in known else [_HEAD]), *new]
        start = "" if not text or text.endswith("\n") else "\n"
        path.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(start + "\n".join(lines) + "\n")


def _is_ignored(path: Path) -> bool:
    """Whether a ``.gitignore`` of this folder or of one above names the path already.

    Only plain patterns are understood; a path that is ignored in another way is named once more.
    """
    for folder in path.parents:
        inside = path.relative_to(folder).as_posix()
        patterns = list(_patterns(folder / IGNORE_FILE))
        if any(pattern.lstrip("!/") == inside for pattern in patterns if pattern[0] == "!"):
            return False
        if any(_matches(inside, pattern) for pattern in patterns if pattern[0] != "!"):
            return True
        if (folder / ".git").exists():
            return False
    return False


def _patterns(file: Path) -> Iterator[str]:
    with suppress(OSError, UnicodeDecodeError):
        if file.is_file():
            lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
            yield from (line for line in lines if line and not line.startswith("#"))


def _matches(inside: str, pattern: str) -> bool:
    """Whether a pattern of a folder names a path below it.

    >>> _matches("experiments/hyde.jsonl", "experiments/*"), _matches("eval/a.json", "eval/runs/")
    (True, False)
    """
    is_rooted = "/" in pattern.rstrip("/")
    plain = pattern.strip("/").replace("\\", "")
    parts = inside.split("/")
    if is_rooted:
        starts = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        return any(
            fnmatchcase(start, plain) and start.count("/") == plain.count("/") for start in starts
        )
    return any(fnmatchcase(part, plain) for part in parts)
