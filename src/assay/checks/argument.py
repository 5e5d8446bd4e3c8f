"""What a check is given: a text, or several; anything else is refused in one line."""

from collections.abc import Sequence


def text_argument(name: str, value: object) -> str:
    """The value, if it is a text.

    >>> text_argument("answer", None)
    Traceback (most recent call last):
    TypeError: answer must be a text, not NoneType
    """
    if isinstance(value, str):
        return value
    message = f"{name} must be a text, not {type(value).__name__}"
    raise TypeError(message)


def texts_argument(name: str, value: object) -> list[str]:
    """The texts of a sequence.

    >>> texts_argument("sources", ["a", None])
    Traceback (most recent call last):
    TypeError: sources[1] must be a text, not NoneType
    """
    if isinstance(value, str) or not isinstance(value, Sequence):
        message = f"{name} must be a list of texts, not {type(value).__name__}"
        raise TypeError(message)
    return [text_argument(f"{name}[{index}]", each) for index, each in enumerate(value)]
