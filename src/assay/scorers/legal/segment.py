"""The parts of a record that a benchmark may name: who speaks, and in which section.

A line that begins with a mark (``问：``, ``Q:``, ``Ответ:``, or the name of a speaker) begins a
part, which ends at the next mark. The text before the first mark is the header. A heading
(``## Payment``) begins a section with its name. A document without any such mark restricts
nothing.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from assay.text import normalised

_QUESTION: Final = r"[问問]|q(?:uestion)?|в(?:опрос)?"
_ANSWER: Final = r"答|a(?:nswer)?|о(?:твет)?"
_TURN: Final = re.compile(
    rf"^\W*(?:(?P<question>{_QUESTION})|(?P<answer>{_ANSWER}))\W*[0-9]*\W*?[:：]",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(
    rf"(?<=[。？！；?!.;”»\"])[^\S\n]*(?=(?:{_QUESTION}|{_ANSWER})[0-9]*[:：])", re.IGNORECASE
)
"""The place before a mark inside a line: a quotation may have lost its line breaks."""
_HEADING: Final = re.compile(r"^\s*#{1,6}\s+(?P<title>.+?)\s*#*\s*$")
_NAME: Final = re.compile(r"^\W*(?P<name>[^:：]{1,40}?)\W*[:：]")
_PAIR: Final = frozenset({"qa_pair", "qa", "q&a", "question_answer"})
_HEADER: Final = "header"


class Part(Struct, frozen=True, kw_only=True):
    """A part of a text. ``speaker`` is ``None`` where the text does not say who speaks."""

    text: str
    speaker: str | None = None
    section: str | None = None


def restricted_text(
    text: str, *, section: str | None, speaker: str | None, is_continued: bool = False
) -> str | None:
    r"""The parts of ``text`` in this section and of this speaker; ``None`` if it marks neither.

    With ``is_continued`` the text is not the beginning of the document, so that what stands
    before its first mark may belong to anybody.

    >>> restricted_text("Record\nQ: £5?\nA: £7.", section="qa_pair", speaker="answer")
    'A: £7.'
    >>> restricted_text("He paid £7.", section=None, speaker="answer") is None
    True
    """
    if not section and not speaker:
        return None
    parts = _parts(text, speaker or "")
    is_spoken = any(part.speaker for part in parts)
    by_speaker = _speaker_parts(speaker, parts) if speaker and is_spoken else None
    by_section = _section_parts(section, parts, is_spoken=is_spoken) if section else None
    if by_speaker is None and by_section is None:
        return None
    chosen = [
        part
        for part in parts
        if (by_speaker is None or part in by_speaker) and (by_section is None or part in by_section)
    ]
    if is_continued and parts[0].speaker is None and parts[0] not in chosen:
        chosen.insert(0, parts[0])
    return "\n".join(part.text for part in chosen)


def _speaker_parts(speaker: str, parts: Sequence[Part]) -> list[Part]:
    name = _speaker_name(speaker)
    return [part for part in parts if part.speaker == name]


def _section_parts(section: str, parts: Sequence[Part], *, is_spoken: bool) -> list[Part] | None:
    """The parts of a section; ``None`` if the text does not mark such a section."""
    name = _folded(section)
    if name in _PAIR:
        return [part for part in parts if part.speaker] if is_spoken else None
    if name == _HEADER:
        return [part for part in parts[:1] if not part.speaker] if is_spoken else None
    titled = [part for part in parts if part.section and _is_same_title(part.section, name)]
    return titled or None


def _is_same_title(title: str, name: str) -> bool:
    return name in title or title in name


def _parts(text: str, speaker: str) -> list[Part]:
    """The parts of a text, in order. A line ``NAME:`` is a mark if it names ``speaker``."""
    parts: list[Part] = []
    lines: list[str] = []
    who: str | None = None
    section: str | None = None

    def close() -> None:
        if lines:
            parts.append(Part(text="\n".join(lines), speaker=who, section=section))
            lines.clear()

    for line in _INLINE.sub("\n", text).splitlines():
        if heading := _HEADING.match(line):
            close()
            who, section = None, _folded(heading["title"])
        elif mark := _mark(line, speaker):
            close()
            who = mark
        lines.append(line)
    close()
    return parts or [Part(text=text)]


def _mark(line: str, speaker: str) -> str | None:
    """Who speaks from this line on, if the line says so."""
    if turn := _TURN.match(line):
        return turn.lastgroup
    name = _NAME.match(line)
    if name and speaker and _folded(name["name"]) == _folded(speaker):
        return _speaker_name(speaker)
    return None


def _speaker_name(speaker: str) -> str:
    turn = _TURN.match(f"{speaker}:")
    return turn.lastgroup or "" if turn else _folded(speaker)


def _folded(text: str) -> str:
    return normalised(text, fold_case=True).strip()
