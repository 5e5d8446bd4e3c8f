"""Reads the pages of the project: code blocks, links, and what a block needs to run.

A fenced block may have notes, which are HTML comments directly above it:

- ``<!-- not run: reason -->``: no test runs the block, for the given reason.
- ``<!-- file: path -->``: the block is written to this path before the next block runs.
- ``<!-- exits: N -->``: the last command of the block must end with this exit code.

A Python block whose first line is a comment with a file name (``# my_rag.py``) is written to that
file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

GENERATED = {"cli.md", "metrics.md"}
SHELL = {"bash", "console", "sh", "shell"}
TRANSLATED = ("README.zh.md", "README.ru.md")
"""The README in other languages; its commands are those of README.md, so they need not run."""

_FENCE = re.compile(
    r"(?P<notes>(?:^[ ]*<!--[^\n]*-->\n\s*?)*)"
    r"^(?P<indent>[ ]*)```(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^[ ]*```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_NOTE = re.compile(r"<!--\s*(not run|file|exits)\s*(?::\s*(.*?))?\s*-->")
_FILE_COMMENT = re.compile(r"#\s*([\w/-]+\.py)\s*\n")
_LINK = re.compile(r"(?:\[[^\]]*\]\(<?|src=\")([^)\s>\"]+)")
_INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block; ``page`` is the path of its page, ``line`` that of its opening fence."""

    page: str
    line: int
    language: str
    text: str
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """The position of the block as ``page:line``, for messages."""
        return f"{self.page}:{self.line}"

    @property
    def is_excused(self) -> bool:
        """Whether the block has a ``not run`` note."""
        return "not run" in self.notes

    @property
    def file(self) -> str | None:
        """The file that the block is written to; ``None`` if it is not a file."""
        comment = _FILE_COMMENT.match(self.text) if self.language == "python" else None
        return self.notes.get("file") or (comment[1] if comment else None)

    @property
    def script(self) -> str:
        """The commands of a shell block; in a console block, the text after each prompt."""
        if self.language != "console":
            return self.text
        return "".join(line[2:] for line in self.text.splitlines(True) if line.startswith("$ "))


class Piece(NamedTuple):
    """A link or a command in a sentence, with the line where it is."""

    line: int
    text: str


@dataclass(frozen=True)
class Page:
    """A page; ``name`` is its path from the root of the repository."""

    root: Path
    name: str

    @property
    def path(self) -> Path:
        """The file."""
        return self.root / self.name

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def blocks(self) -> list[Block]:
        """The fenced blocks, in order."""
        return list(self._blocks())

    def _blocks(self) -> Iterator[Block]:
        for match in _FENCE.finditer(self.text):
            indent = len(match["indent"])
            lines = match["text"].splitlines(keepends=True)
            yield Block(
                page=self.name,
                line=self.text.count("\n", 0, match.start("language")) + 1,
                language=match["language"],
                text="".join(line[indent:] if line.strip() else line for line in lines),
                notes={key: reason or "" for key, reason in _NOTE.findall(match["notes"])},
            )

    @cached_property
    def prose(self) -> str:
        """The text with empty lines in place of the fenced blocks."""
        return _FENCE.sub(_only_newlines, self.text)

    @property
    def links(self) -> list[Piece]:
        """The targets of the links, without links to other sites."""
        text = _INLINE.sub(_only_newlines, self.prose)
        return [
            Piece(_line(text, match), match[1])
            for match in _LINK.finditer(text)
            if not match[1].startswith(("http://", "https://", "mailto:"))
        ]

    @property
    def anchors(self) -> set[str]:
        """The anchors of the headings, as GitHub generates them."""
        headings = re.findall(r"^#+ +(.+?) *$", self.prose, re.MULTILINE)
        plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
        return {heading.replace(" ", "-") for heading in plain}

    @property
    def inline_commands(self) -> list[Piece]:
        """The ``assay …`` commands in sentences and tables."""
        spans = (
            Piece(_line(self.prose, match), " ".join(match[1].split()).replace("\\|", "|"))
            for match in _INLINE.finditer(self.prose)
        )
        return [span for span in spans if span.text.startswith("assay ")]

    @property
    def shown_lines(self) -> list[str]:
        """The lines of output that it shows; a line with only an ellipsis stands for others."""
        shown = (block.text for block in self.blocks if block.language == "text")
        return [
            line.rstrip() for text in shown for line in text.splitlines() if line not in {"", "…"}
        ]


def pages(root: Path) -> list[Page]:
    """Every page that is written by hand, not generated."""
    files = [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]
    return [
        Page(root, file.relative_to(root).as_posix())
        for file in files
        if file.name not in GENERATED
    ]


def _only_newlines(match: re.Match[str]) -> str:
    """What keeps the numbers of the lines that follow."""
    return "\n" * match[0].count("\n")


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1
