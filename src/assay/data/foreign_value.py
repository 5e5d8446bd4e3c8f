"""Read single values of files that other tools wrote, where types vary.

A number may be written as text, a flag as a word, a list of one text as the text itself. What
cannot be understood is ``None``; the caller decides whether that is an error.
"""

import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from assay.words.message import Message, joined, message, message_n

REASONS: Final = (
    "error", "error_kind", "error_message", "error_type", "errors", "exception", "failure", "failed",
    "timed_out", "timeout", "crashed", "errored", "is_error", "has_error",
)  # fmt: skip
"""Fields of a case that say that it failed, unless they are empty, false or a number."""
DONE: Final = ("complete", "completed", "finished")
"""Fields that say whether something came to its end."""
_STATES: Final = ("status", "state", "outcome")
_BAD_STATES: Final = frozenset(
    {
        "aborted", "canceled", "cancelled", "crashed", "error", "errored", "failed", "failure",
        "incomplete", "interrupted", "not_asked", "partial", "pending", "running", "stopped", "timeout",
        "timed_out",
    }
)  # fmt: skip
_FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def decode_foreign_json(data: bytes) -> Any:
    """The value of a JSON file that another tool wrote.

    A byte-order mark is skipped. ``NaN`` and infinite numbers, which the library of Python writes
    for a mean over nothing, are ``None``.

    Raises:
        msgspec.DecodeError, UnicodeDecodeError, RecursionError: it is not JSON, or nested too
            deeply.

    >>> decode_foreign_json(b'{"accuracy": NaN, "std": -Infinity, "n": 3}')
    {'accuracy': None, 'std': None, 'n': 3}
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError:
        with suppress(ValueError, RecursionError):
            read = json.loads(data, parse_constant=lambda _: None, parse_float=as_number)
            return msgspec.json.decode(json.dumps(read))
        raise


def as_number(value: Any) -> float | None:
    """A finite number, also if it is written as text or as a percentage.

    >>> as_number("0.5"), as_number(" 75% "), as_number(2), as_number("x"), as_number(True)
    (0.5, 0.75, 2.0, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        if isinstance(value, str) and value.strip().endswith(("%", "％")):
            number = float(value.strip()[:-1]) / 100
        else:
            number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_whole_number(value: Any) -> int | None:
    """A whole number, also if it is written as text or with a decimal point.

    >>> as_whole_number("12"), as_whole_number(12.0), as_whole_number(1.5)
    (12, 12, None)
    """
    number = as_number(value)
    return int(number) if number is not None and number == int(number) else None


def as_flag(value: Any) -> bool | None:
    """True or false, also if it is written as a word or as 1 or 0.

    >>> as_flag("True"), as_flag(0), as_flag("maybe")
    (True, False, None)
    """
    if isinstance(value, bool):
        return value
    return _FLAGS.get(str(value).strip().lower()) if isinstance(value, str | int) else None


def as_text(value: Any) -> str | None:
    r"""A text; a number becomes its digits, a list of texts one text with a line for each.

    >>> as_text(2023), as_text(1.0), as_text(["a", "b"]), as_text({"a": 1})
    ('2023', '1', 'a\nb', None)
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        is_whole = isinstance(value, float) and value.is_integer()
        return str(int(value) if is_whole else value)
    if isinstance(value, list):
        parts = [as_text(item) for item in value]
        return "\n".join(part for part in parts if part is not None) if None not in parts else None
    return None


def as_items(value: Any) -> list[Any]:
    """The items of a list; a single value is a list of one, and ``None`` an empty one.

    >>> as_items("a"), as_items(["a", "b"]), as_items(None)
    (['a'], ['a', 'b'], [])
    """
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def inner_list(content: Any) -> Any:
    """The only list in an object, or the content as it is.

    >>> inner_list({"version": 1, "data": [1, 2]})
    [1, 2]
    """
    if not isinstance(content, Mapping):
        return content
    lists = [value for value in content.values() if isinstance(value, list)]
    return lists[0] if len(lists) == 1 else content


# Name the fields of a file from elsewhere that are not read.
#
# Data sets, results, rules and laws that other tools wrote may have any further field. Such a field
# is no error, but the user is told that it has no effect.

_MOST_NAMES: Final = 8


def ignored_fields_note(names: Iterable[str], known: Iterable[str] = ()) -> Message | str:
    """One line with the names of the ignored fields; empty if there are none.

    A name that is close to one of ``known`` may be a slip of the pen, and the line says so.

    >>> str(ignored_fields_note(["chapter", "note", "chapter"]))
    'ignored 2 fields: chapter, note'
    >>> str(ignored_fields_note(["must_inlcude"], ["must_include"]))
    "ignored 1 field: must_inlcude (did you mean 'must_include'?)"
    """
    distinct = [_with_suggestion(name, known) for name in dict.fromkeys(names)]
    if not distinct:
        return ""
    shown = joined(distinct[:_MOST_NAMES], ", ")
    if len(distinct) > _MOST_NAMES:
        return message(
            "ignored {n} fields: {names} and {more} more",
            n=len(distinct),
            names=shown,
            more=len(distinct) - _MOST_NAMES,
        )
    return message_n(
        "ignored {n} field: {names}", "ignored {n} fields: {names}", len(distinct), names=shown
    )


def _with_suggestion(name: str, known: Iterable[str]) -> Message | str:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.75)
    if not close:
        return name
    return message("{name} (did you mean '{other}'?)", name=name, other=close[0])


# Remove what looks like a secret from data of other tools before it is kept or shown.
#
# The header of a published results file may contain the API key of its author.

_NAME: Final = re.compile(
    r"api.?key|secret|passw|authori[sz]ation|credential|bearer|(?:access|auth|id|api).?token",
    re.IGNORECASE,
)
_LOGIN: Final = re.compile(r"(?<=://)[^/@\s]*@")
_KEY: Final = re.compile(r"\b(?:sk|pk|key)-[\w-]{8,}")


def without_secrets(value: Any) -> Any:
    """A JSON-like value without anything that looks like a secret.

    >>> without_secrets({"api_key": "k-1", "max_tokens": 9, "url": "https://me:pw@host/v1"})
    {'max_tokens': 9, 'url': 'https://host/v1'}
    """
    if isinstance(value, Mapping):
        return {
            name: without_secrets(item)
            for name, item in value.items()
            if not _NAME.search(str(name))
        }
    if isinstance(value, list | tuple):
        return [without_secrets(item) for item in value]
    return _KEY.sub("***", _LOGIN.sub("", value)) if isinstance(value, str) else value


def failure_of(case: Mapping[str, Any]) -> str:
    """Why a case failed; empty if nothing says that it did.

    >>> failure_of({"score": 1.0, "timed_out": True}), failure_of({"error": {"code": 500}})
    ('timed_out', "{'code': 500}")
    >>> failure_of({"score": 0.5, "errors": 2, "error": None, "outcome": "passed"})
    ''
    """
    for name in REASONS:
        value = case.get(name)
        if value and (isinstance(value, bool | str | list | dict) or name in REASONS[:2]):
            return name if value is True else str(value)
    for name in DONE:
        if case.get(name) is False:
            return f"{name}: False"
    return next((f"{name}: {case[name]}" for name in _STATES if _is_bad(case.get(name))), "")


def _is_bad(state: Any) -> bool:
    return isinstance(state, str) and state.strip().lower() in _BAD_STATES
