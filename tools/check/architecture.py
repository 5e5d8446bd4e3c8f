"""The drawing of the layers in ARCHITECTURE.md shows what import-linter holds and what is there."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from tools.check.repository import Finding, Repository

PAGE = "ARCHITECTURE.md"
MOST = 40
"""The lines that are seen at once."""


def layers(repository: Repository) -> Iterator[Finding]:
    """The lines that are not indented are the layers of the contract, in its order."""
    contract = repository.project["tool"]["importlinter"]["contracts"][0]["layers"]
    drawn = [(line, _names(text)) for line, text in _drawing(repository) if text[:1] != " "]
    for place, layer in zip_longest(drawn, contract):
        line, name = place or (1, None)
        if name != layer:
            text = f"draws {name} where the contract in pyproject.toml has {layer}"
            yield Finding(PAGE, line, f"{text}; make them the same")
            return


def screen(repository: Repository) -> Iterator[Finding]:
    """The drawing is short enough to be seen at once."""
    lines = _drawing(repository)
    if len(lines) > MOST:
        text = f"the drawing has {len(lines)} lines, and {MOST} are seen at once; shorten it"
        yield Finding(PAGE, lines[0][0], text)


def _names(line: str) -> str:
    """What is before the remark of a line."""
    return re.split(r" {2,}", line)[0]


def _drawing(repository: Repository) -> list[tuple[int, str]]:
    """The numbered lines of the drawing."""
    page = repository.text(PAGE)
    before, _, section = page.partition("## Layers")
    introduction, _, rest = section.partition("```\n")
    first = (before + introduction).count("\n") + 2
    return list(enumerate(rest.partition("```")[0].splitlines(), first))
