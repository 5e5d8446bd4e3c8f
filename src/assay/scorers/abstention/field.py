"""The report of a program: fields beside its answer, and a record whose answer is empty.

"Status: done. Documents searched: 14. Matches: 0." says nothing but that there is no answer, and so
does ``{"status": "ok", "answer": null}``.
"""

import re
from typing import Final

from assay.scorers.abstention.context import REPORT_FIELD
from assay.scorers.abstention.question import Focus, content_words
from assay.text.lexicon import alternatives, lazy_pattern

_NAME_END: Final = re.compile("[:=<>]")
_EMPTY_ANSWER: Final = lazy_pattern(
    lambda: rf'"({alternatives("sign.answer_key")})"\s*:\s*(null|""|\[\s*\]|\{{\s*\}})(?=\s*[,}}])'
)
_GIVEN_ANSWER: Final = lazy_pattern(
    lambda: (
        rf'"(?:{alternatives("sign.answer_key")})"\s*:\s*("(?:[^"\\]|\\.)+"|-?[0-9][0-9.]*)(?=\s*[,}}])'
    )
)
_RECORD: Final = re.compile(r"\s*(?:```\w*\s*)?\{")


def is_report_field(text: str, asked: Focus | None) -> bool:
    """Whether ``text``, in lower case, is a field of a report, and not one that is asked for.

    >>> is_report_field("documents searched: 14", None)
    True
    """
    if REPORT_FIELD.match(text) is None:
        return False
    name = _NAME_END.split(text, maxsplit=1)[0]
    return asked is None or not content_words(name) & asked.words


def without_other_fields(text: str) -> str:
    """A record with an answer, which may be empty: the answer alone, all else replaced by spaces.

    >>> without_other_fields('{"hits": 0, "answer": ""}')
    '             answer : na '
    >>> without_other_fields('{"answer": "30 days", "error": null}').split()
    ['30', 'days']
    """
    if not _RECORD.match(text):
        return text
    match, given = _EMPTY_ANSWER.search(text), _GIVEN_ANSWER.search(text)
    if match is not None and given is not None:
        return text  # one of several values is empty
    if match is None:
        return text if given is None else _alone(text, *given.span(1))
    value = match.group(2)
    # An empty text has no letters, so it would be no statement.
    value = value if value.isalpha() else "na".ljust(len(value))
    kept = f" {match.group(1)} ".ljust(match.start(2) - match.start()) + value
    colon = text.index(":", match.end(1)) - match.start()
    kept = kept[:colon] + ":" + kept[colon + 1 :]
    return " " * match.start() + kept + " " * (len(text) - match.end())


def _alone(text: str, start: int, end: int) -> str:
    """A stretch of the text without its quotation marks, all else replaced by spaces."""
    value = text[start:end]
    if value.startswith('"'):
        value = f" {value[1:-1]} "
    return " " * start + value + " " * (len(text) - end)
