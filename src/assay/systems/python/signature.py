"""What a callable of the user receives: only what its signature names."""

import inspect
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final

from msgspec import Struct

from assay.errors import SystemLoadError
from assay.records import Question

OFFERED: Final = ("question", "question_id", "source", "row", "settings", "top_k")
"""What a callable may ask for, by the names of its parameters."""

_FORMERLY_OFFERED: Final = frozenset({"settings", "top_k"})
"""What ``**options`` behind a question has always received; it is often passed on unread."""


class Signature(Struct, frozen=True, kw_only=True):
    """Which of the offered arguments a callable takes, and how it takes the question's text.

    ``names`` are passed by keyword. ``text_first`` says that the text is the first argument,
    whatever the callable calls it.
    """

    names: frozenset[str]
    text_first: bool

    def arguments(
        self, question: Question, settings: Mapping[str, Any], top_k: int
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """The arguments for a question. Settings and row are copies that belong to the call."""
        offered: dict[str, Callable[[], Any]] = {
            "question": lambda: question.text,
            "question_id": lambda: question.id,
            "source": lambda: question.source,
            "row": lambda: deepcopy(dict(getattr(question, "row", {}))),
            "settings": lambda: deepcopy(dict(settings)),
            "top_k": lambda: top_k,
        }
        text = (question.text,) if self.text_first else ()
        return text, {name: offered[name]() for name in self.names}


def read_signature(function: Callable[..., Any]) -> Signature:
    """The signature of the callable that is asked.

    Raises ``SystemLoadError`` if it needs an argument that is not offered.

    >>> read_signature(lambda text, settings: "").names
    frozenset({'settings'})
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a function written in C may not say
        return Signature(names=frozenset(), text_first=True)
    read = _read(signature)
    try:
        signature.bind(*([""] if read.text_first else []), **dict.fromkeys(read.names))
    except TypeError as error:
        raise SystemLoadError(
            f"{getattr(function, '__qualname__', function)}{signature} cannot be asked: {error}; "
            f"a system may take {', '.join(OFFERED)}. Write a short function around it "
            "(docs/adapters.md)"
        ) from None
    return read


def _read(signature: inspect.Signature) -> Signature:
    parameters = list(signature.parameters.values())
    named = {
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    first = next(
        (
            parameter
            for parameter in parameters
            if parameter.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD)
        ),
        None,
    )
    text_first = first is not None and (
        first.kind is not first.POSITIONAL_OR_KEYWORD
        or first.name == "question"
        or (first.name not in OFFERED and "question" not in named)
    )
    names = named & set(OFFERED)
    if text_first and first is not None:
        names -= {first.name}
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        names |= _FORMERLY_OFFERED if text_first else set(OFFERED)
    return Signature(names=frozenset(names), text_first=text_first)


def hook_arguments(function: Callable[..., Any], offered: frozenset[str]) -> frozenset[str] | None:
    """Which of ``offered`` a hook takes; None if it needs more and therefore is no hook.

    >>> hook_arguments(lambda sources: None, frozenset({"sources", "settings"}))
    frozenset({'sources'})
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    parameters = signature.parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        taken = offered
    else:
        taken = frozenset(offered & parameters.keys())
    try:
        signature.bind(**dict.fromkeys(taken))
    except TypeError:
        return None
    return taken
