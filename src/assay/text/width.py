"""The width of a text in a terminal."""

import unicodedata


def display_width(text: str) -> int:
    """The number of columns a text takes in a terminal.

    A Chinese character takes two columns and a combining accent takes none.

    >>> display_width("中文 ok")
    7
    """
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )
