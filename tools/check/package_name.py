"""The name of the package on the index, and the one home of hints at its extras."""

import re
from collections.abc import Iterator

from tools.check.repository import Finding, Repository

FOLDERS = (".ci", ".github", "bench", "docs", "src", "tests", "tools", "web")
NOT_OURS = {"__pycache__", "build", "bundle", "node_modules", "results"}
"""Folders with what programs have written."""
TEXT = {"", ".json", ".jsonl", ".md", ".py", ".sh", ".toml", ".ts", ".tsx", ".txt", ".yaml", ".yml"}
_OTHER_PACKAGE = re.compile(
    r"(?:pip[\d.]*|pipx|uv|poetry|conda)(?: +pip| +tool)? +(?:install|add|run|download)(?: +-\S+)* +[\"']?assay(?![\w-])"  # a command
    r"|uvx +assay(?![\w-])"
    r"|(?<![\w-])assay\[[a-z]|[\"']assay *[<>=~!]="  # with an extra or a version
    r"|dependencies *= *\[.*[\"']assay[\"']"
)
_HINT = re.compile(r"pip install(?! ray==)")


def other_package(repository: Repository) -> Iterator[Finding]:
    """``assay`` on the package index belongs to somebody else; ours is ``assay-eval``."""
    for path, number, line in _lines(repository):
        if _OTHER_PACKAGE.search(line):
            what = "names the package assay of somebody else; write assay-eval"
            yield Finding(path, number, what)


def written_hints(repository: Repository) -> Iterator[Finding]:
    """A hint at an extra comes from ``assay.registry.install_command``."""
    for path, number, line in _lines(repository):
        is_source = path.startswith("src/") and path != "src/assay/registry.py"
        if is_source and _HINT.search(line):
            what = "writes how to install; call assay.registry.install_command"
            yield Finding(path, number, what)


def _lines(repository: Repository) -> Iterator[tuple[str, int, str]]:
    """Path, number and text of each line of the text files, without what programs have written."""
    root = repository.root
    top = [path for path in sorted(root.iterdir()) if path.is_file() and path.name != ".git"]
    inner = [
        path for name in FOLDERS for path in sorted((root / name).rglob("*")) if path.is_file()
    ]
    for path in (*top, *inner):
        name = path.relative_to(root)
        if path.suffix in TEXT and NOT_OURS.isdisjoint(name.parts):
            text = path.read_text(encoding="utf-8", errors="replace")
            for number, line in enumerate(text.split("\n"), 1):
                yield name.as_posix(), number, line
