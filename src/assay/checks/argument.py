"""What a check is given: a text, or several; anything else is refused in one line."""

from collections.abc import Sequence


def text_argument(name: str, value: object) -> str:
    """The value, if it is a text.

    >>> text_argument("answer", None)
    Traceback (most recent call last):
    TypeError: answer must be a text, not NoneType
    """
    if not isinstance(value, str):
        message = f"{name} must be a text, not {type(value).__name__}"
        raise TypeError(message)
    return value


def texts_argument(name: str, value: object) -> list[str]:
    """The text, or the texts; a number is read as its text."""
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return [
        str(each) if type(each) in {int, float} else text_argument(name, each) for each in several
    ]
