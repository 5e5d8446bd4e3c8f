"""Check the repository itself: ``make check`` runs this and shows each finding as ``file:line: what``.

A check is a function that takes the root and yields findings; it is listed in ``CHECKS``. It needs
neither git nor an installed package, so it also works in an unpacked sdist.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
FOLDERS: Final = (".ci", ".github", "bench", "docs", "src", "tests", "tools", "web")
NOT_OURS: Final = {"__pycache__", "build", "bundle", "node_modules", "results"}
"""Folders with what programs have written."""
TEXT: Final = {
    ".json",
    ".jsonl",
    ".md",
    ".py",
    ".sh",
    ".toml",
    ".ts",
    ".tsx",
    ".txt",
    ".yaml",
    ".yml",
}


class Finding(NamedTuple):
    """What must be corrected, and where; the file is relative to the root."""

    file: str
    line: int
    what: str


def files(root: Path) -> Iterator[Path]:
    """The files of the project, without what programs have written."""
    for path in sorted(root.iterdir()):
        if path.is_file() and path.name not in {".coverage", ".env", ".git"}:
            yield path
        elif path.name in FOLDERS:
            yield from (
                inner
                for inner in sorted(path.rglob("*"))
                if inner.is_file() and NOT_OURS.isdisjoint(inner.relative_to(root).parts)
            )


def lines(root: Path) -> Iterator[tuple[str, int, str]]:
    """File, number and text of each line of the text files."""
    for path in files(root):
        if path.suffix in TEXT or not path.suffix:
            text = path.read_text(encoding="utf-8", errors="replace")
            name = path.relative_to(root).as_posix()
            yield from ((name, number, line) for number, line in enumerate(text.split("\n"), 1))


_OTHER_PACKAGE: Final = re.compile(
    r"pip3? +install(?: +-\S+)* +[\"']?assay(?![\w-])"  # a command
    r"|(?<![\w-])assay\[[a-z]|[\"']assay *[<>=~!]="  # with an extra or a version
    r"|dependencies *= *\[.*[\"']assay[\"']"
)


def other_package(root: Path) -> Iterator[Finding]:
    """``assay`` on the package index belongs to somebody else; ours is ``assay-eval``."""
    for file, number, line in lines(root):
        if _OTHER_PACKAGE.search(line):
            yield Finding(
                file, number, "names the package assay of somebody else: write assay-eval"
            )


def written_hints(root: Path) -> Iterator[Finding]:
    """A hint at an extra comes from ``assay.extra.install_command``."""
    for file, number, line in lines(root):
        if not file.startswith("src/") or file == "src/assay/extra.py":
            continue
        if re.search(r"pip install(?! ray==)", line):
            yield Finding(file, number, "writes how to install: call assay.extra.install_command")


CHECKS: Final[tuple[Callable[[Path], Iterator[Finding]], ...]] = (other_package, written_hints)


def main() -> None:
    """Check the repository, or the folder that is given; any finding ends it with 1."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    findings = [finding for check in CHECKS for finding in check(root)]
    for file, line, what in findings:
        print(f"{file}:{line}: {what}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
