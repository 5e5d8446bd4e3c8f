"""The width of a text in a terminal, and texts cut to fit a line."""

import re
import unicodedata

from assay.text.lexicon import lazy_pattern


def display_width(text: str) -> int:
    """The number of columns a text takes in a terminal.

    A Chinese character takes two columns and a combining accent takes none.

    >>> display_width("中文 ok")
    7
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


# A line may end at a space, after a comma inside a word, and before or after a Chinese character, but not before closing and
# not after opening punctuation.
_CLOSING = "。，、；：！？）】》」』”’)\\]%…"
_OPENING = "（【《「『“‘(\\["
_BREAK = lazy_pattern(
    rf"(?<=[\u2e80-\uffef])(?<![{_OPENING}])(?![{_CLOSING} ])"
    rf"|(?<![{_OPENING} ])(?=[\u2e80-\uffef])(?![{_CLOSING}])"
    r"|(?<= )"
    r"|(?<=,)(?![\d ])",
    re.NOFLAG,
)


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most ``width`` columns; only a longer word makes a longer line.

    >>> wrapped("每个组件有多少贡献？ See docs.", 12)
    ['每个组件有多', '少贡献？ See', 'docs.']
    """
    lines = [""]
    for piece in _BREAK.split(text):
        if lines[-1] and display_width((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def labelled(label: str, text: str) -> str:
    """A line about a run: the label in a column of its own, then the text.

    >>> labelled("system", "reference")
    'system      reference'
    """
    return padded(label, 12) + text


def padded(text: str, width: int) -> str:
    """The text with spaces up to ``width`` columns, and one if it is wider.

    >>> padded("系统", 6) + "|", padded("variants", 4) + "|"
    ('系统  |', 'variants |')
    """
    return text + " " * max(width - display_width(text), 1)


def shortened(text: str, longest: int = 60) -> str:
    """The beginning of a text on one line, cut between words, with a sign if there is more.

    >>> shortened("The keeper of the lighthouse", 16), shortened("灯塔看守人的日记", 4)
    ('The keeper of…', '灯塔看…')
    """
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    space = cut.rfind(" ")
    inside_word = line[longest - 1 : longest].isalnum() and space > longest // 2
    return f"{(cut[:space] if inside_word else cut).rstrip(' ,;:')}…"


# Nouns after a number: "1 document", "2 documents"; 1 документ, 2 документа, 5 документов.


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its English noun; ``plural`` is for nouns that do not just take an "s".

    >>> counted(1, "document"), counted(2, "document"), counted(0, "entry", "entries")
    ('1 document', '2 documents', '0 entries')
    """
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
