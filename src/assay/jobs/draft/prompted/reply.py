"""Reading what a model wrote, and holding it against the passages.

Evidence is looked up in the passages: a draft counts only if it quotes them. Nothing is corrected;
what does not hold is dropped with the reason.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from assay.data.corpus import Chunk
from assay.jobs.draft.draft import Draft, Evidence
from assay.jobs.draft.place import text_start
from assay.jobs.draft.prompted.request import Request, wording
from assay.text import find_phrase, language, without_first_thought

LONGEST_QUESTION: Final = 400
_FENCED: Final = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```\Z", re.DOTALL)
_ASKS: Final = re.compile(r"[?？]")
_COPIED: Final = frozenset({"fact", "number", "date"})
_TWO: Final = frozenset({"multi_passage", "multi_document"})


class Dropped(Exception):
    """The reply is no usable draft; the message is the reason."""


def read_draft(text: str, request: Request, model: str) -> Draft:
    """The draft in a reply; raises ``Dropped`` with the reason if there is none that holds."""
    content = _json_object(text)
    question = content.get("question")
    if question is None:
        raise Dropped("the model found nothing to ask")
    if not isinstance(question, str) or not 0 < len(question.strip()) <= LONGEST_QUESTION:
        raise Dropped("the reply has no question")
    question = question.strip()
    if not _ASKS.search(question):
        raise Dropped("the question asks nothing")
    if language(question) != request.language:
        raise Dropped("the question is in another language than the passage")
    evidence = _evidence(content.get("evidence"), request)
    answers = _answers(content.get("answer"), question, evidence, request)
    return Draft(
        kind=request.kind,
        question=question,
        answers=answers,
        evidence=evidence,
        language=request.language,
        by=model,
    )


def _json_object(text: str) -> dict[str, Any]:
    stripped = without_first_thought(text).strip()
    fenced = _FENCED.match(stripped)
    try:
        content = msgspec.json.decode((fenced[1] if fenced else stripped).encode(errors="replace"))
    except (msgspec.DecodeError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Dropped("the reply is not a JSON object")
    return content


def _evidence(written: Any, request: Request) -> tuple[Evidence, ...]:
    quotes = [written] if isinstance(written, str) else written
    if not isinstance(quotes, list) or not all(isinstance(quote, str) for quote in quotes):
        raise Dropped("the reply quotes no evidence")
    found = [_located(quote, request.passages) for quote in quotes if quote.strip()]
    if not found:
        raise Dropped("the reply quotes no evidence")
    if request.kind in _TWO and not all(
        any(place == number for place, _ in found) for number in range(len(request.passages))
    ):
        raise Dropped("the evidence is not from both passages")
    return tuple(dict.fromkeys(item for _, item in found))


def _located(quote: str, passages: Sequence[Chunk]) -> tuple[int, Evidence]:
    """The number of the passage that has the quotation, and its place in the document."""
    for number, chunk in enumerate(passages):
        at = chunk.text.find(quote.strip())
        end = at + len(quote.strip())
        if at < 0 and (span := find_phrase(quote, chunk.text)) is not None:
            at, end = span.start, span.end
        if at < 0:
            continue
        begin = text_start(chunk)
        start = None if begin is None else begin + at
        return number, Evidence(
            source=chunk.source,
            text=chunk.text[at:end],
            start=start,
            end=None if start is None else start + end - at,
        )
    raise Dropped("the evidence is not in the passage")


def _answers(
    written: Any, question: str, evidence: Sequence[Evidence], request: Request
) -> tuple[str, ...]:
    if request.kind == "unanswerable":
        return ()
    answer = str(written).strip() if isinstance(written, str | int | float) else ""
    if not answer or isinstance(written, bool):
        raise Dropped("the reply has no answer")
    if request.kind == "yes_no":
        words = wording(request.language)
        allowed = {word.casefold() for word in (*words["yes"], *words["no"])}
        if answer.strip(".。!").casefold() not in allowed:
            raise Dropped("the answer is not yes or no")
        return (answer.strip(".。!"),)
    if request.kind in _COPIED and not any(find_phrase(answer, item.text) for item in evidence):
        raise Dropped("the answer is not in the evidence")
    if find_phrase(answer, question) and request.kind != "comparison":
        raise Dropped("the question contains the answer")
    return (answer,)
