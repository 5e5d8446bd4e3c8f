"""The pages: links work, readers can find every page, and the READMEs say the same."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tools.check.repository import Finding, Repository
from tools.page import TRANSLATED, Page

INDEX = "docs/index.md"
README = "README.md"
DEPENDENCIES = "docs/decisions/0002-dependencies.md"
PICTURES = 2


def links(repository: Repository) -> Iterator[Finding]:
    """Every relative link names an existing file and, if it has an anchor, a heading of it."""
    for page in repository.pages:
        for line, target in page.links:
            path, _, anchor = target.partition("#")
            file = _file(page, path)
            if not file.exists():
                yield Finding(
                    page.name, line, f"links to {target}, which does not exist; correct it"
                )
            elif anchor and anchor not in Page(repository.root, _name(repository, file)).anchors:
                text = f"links to {target}, and {file.name} has no such heading; correct it"
                yield Finding(page.name, line, text)


def index(repository: Repository) -> Iterator[Finding]:
    """docs/index.md links to every page in docs, so that readers can find all of them."""
    page = Page(repository.root, INDEX)
    linked = {_file(page, target.partition("#")[0]) for _, target in page.links}
    for file in sorted((repository.root / "docs").resolve().rglob("*.md")):
        if file not in linked and file != page.path.resolve():
            yield Finding(_name(repository, file), 1, f"no link in {INDEX} leads here; add one")


def translated_readmes(repository: Repository) -> Iterator[Finding]:
    """The README in other languages has the same commands, figures, sections, links and pictures.

    Only README.md is run, so the others must have its commands to the letter.
    """
    readme = Page(repository.root, README)
    for name in TRANSLATED:
        page = Page(repository.root, name)
        if not page.path.is_file():
            yield Finding(name, 1, f"is missing; translate {README}")
            continue
        for number, (line, row) in enumerate(_figures(page)):
            rows = _figures(readme)
            if number >= len(rows) or row != rows[number][1]:
                text = f"this row of a table has other figures or commands than that of {README}"
                yield Finding(name, line, f"{text}; make them the same")
                break
        for what, read in _SAME.items():
            if read(page) != read(readme):
                yield Finding(name, 1, f"has other {what} than {README}; make them the same")
    for name in (README, *TRANSLATED):
        for other in sorted({README, *TRANSLATED} - {name}):
            if f"({other})" not in repository.text(name):
                yield Finding(name, 1, f"does not link to {other}; add a link")


def pictures(repository: Repository) -> Iterator[Finding]:
    """Every README shows two pictures; ``links`` sees whether they exist."""
    for name in (README, *TRANSLATED):
        shown = re.findall(r'<img src="([^"]+)"', repository.text(name))
        if len(shown) != PICTURES:
            yield Finding(name, 1, f"shows {len(shown)} pictures instead of {PICTURES}")


def dependencies(repository: Repository) -> Iterator[Finding]:
    """docs/decisions/0002-dependencies.md gives a reason for every dependency."""
    named = set(re.findall(r"[\w.-]+", repository.text(DEPENDENCIES).lower()))
    project = repository.project
    extras = project["project"].get("optional-dependencies", {}).values()
    groups = project.get("dependency-groups", {}).values()
    lists = [project["project"]["dependencies"], *extras, *groups]
    packages = {re.split(r"[^\w.-]", requirement)[0] for each in lists for requirement in each}
    for package in sorted(packages):
        if package.lower() not in named and not package.startswith("types-"):
            yield Finding(DEPENDENCIES, 1, f"has no reason for {package}; add one")


def _file(page: Page, target: str) -> Path:
    """The file that a link names."""
    return (page.path.parent / target).resolve() if target else page.path.resolve()


def _name(repository: Repository, file: Path) -> str:
    return file.relative_to(repository.root.resolve()).as_posix()


def _figures(page: Page) -> list[tuple[int, list[str]]]:
    """The numbers and the code of each row of a table, without spaces and marks inside numbers."""
    text = re.sub(r"(?<=\d)[, .\u00a0](?=\d)", "", page.text)
    return [
        (number, sorted(re.findall(r"`[^`]+`|\d+", line)))
        for number, line in enumerate(text.splitlines(), 1)
        if line.startswith("|")
    ]


def _commands(page: Page) -> list[tuple[str, str]]:
    """The blocks that a reader types or copies."""
    return [(block.language, block.text) for block in page.blocks if block.language != "text"]


def _linked_pages(page: Page) -> set[str]:
    """The pages that it links to, other than the READMEs."""
    targets = {target for _, target in page.links if target.partition("#")[0].endswith(".md")}
    return {target for target in targets if not target.startswith("README")}


_SAME: Mapping[str, Callable[[Page], object]] = {
    "blocks": _commands,
    "links to pages": _linked_pages,
    "lines of output": lambda page: len(page.shown_lines),
    "rows of tables": lambda page: len(_figures(page)),
    "sections": lambda page: page.text.count("\n## "),
}
"""What a translated README has in common with README.md."""
