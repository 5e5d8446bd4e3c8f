"""The first ten minutes in each language: ``python -m tests.newcomer.readme [FOLDER]``.

The commands of the three READMEs run in an environment like that of a newcomer: an empty home, 80
columns, the locale of the language and nothing else. What they print is compared with what the
README shows, and looked through for what must not be there. The pictures stay in ``FOLDER``, to be
looked at.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from assay.text.width import display_width
from tests.support.docs import RUN_PYTHON, page_script
from tests.support.path import ROOT
from tools.page import Page

LOCALES = {"README.md": "en_US", "README.zh.md": "zh_CN", "README.ru.md": "ru_RU"}
COLUMNS = 80
WRONG = {
    "a warning": re.compile(r"warning|findfont|Traceback|missing from font", re.IGNORECASE),
    "a character that could not be shown": re.compile("\ufffd|\\\\u[0-9a-f]{4}|\\\\x[0-9a-f]{2}"),
}
HELP = ((), ("--help",), ("ablate", "-h"), ("depth", "-h"), ("quality", "-h"), ("compare", "-h"))


def environment(home: Path, locale: str) -> dict[str, str]:
    """What a fresh login shell has, and nothing of this one."""
    return {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}:{os.defpath}",
        "LANG": f"{locale}.UTF-8",
        "PYTHONUTF8": "1",  # the locale need not be installed
        "COLUMNS": str(COLUMNS),
        "RUN_PYTHON": RUN_PYTHON,
    }


def problems(page: str, locale: str, folder: Path) -> Iterator[str]:
    """Run the commands of a page and say what is wrong with what they print."""
    home = folder / "home"
    home.mkdir(parents=True)
    variables = environment(home, locale)
    ran = subprocess.run(
        ["bash", "-c", page_script(Page(ROOT, page))],
        cwd=folder, env=variables, text=True, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    (folder / "output.txt").write_text(ran.stdout, encoding="utf-8")
    if ran.returncode:
        yield f"ended with {ran.returncode}: {ran.stdout[-500:]}"
    yield from (
        f"not shown: {line}" for line in Page(ROOT, page).shown_lines if line not in ran.stdout
    )
    for what, pattern in WRONG.items():
        yield from (f"{what}: {line}" for line in ran.stdout.splitlines() if pattern.search(line))
    for words in HELP:
        helped = subprocess.run(
            ["assay", *words], cwd=folder, env=variables, text=True, check=True, capture_output=True
        )
        wide = (line for line in helped.stdout.splitlines() if display_width(line) > COLUMNS)
        yield from (f"wider than {COLUMNS} columns: {line}" for line in wide)


def main(folder: Path) -> int:
    """Try all languages; return the exit code."""
    code = 0
    for page, locale in LOCALES.items():
        found = list(problems(page, locale, folder / locale))
        pictures = sorted((folder / locale).rglob("*.png"))
        print(  # noqa: T201 - the result
            f"{page}: {len(found)} problems, {len(pictures)} pictures in {folder / locale}"
        )
        for problem in found:
            print(f"  {problem}")  # noqa: T201
            code = 1
    return code


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(
        main(Path(given[0] if given else tempfile.mkdtemp(prefix="assay-newcomer-")).resolve())
    )
