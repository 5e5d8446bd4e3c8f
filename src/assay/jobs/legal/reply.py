"""The answer in the form that the scorers of the benchmark use.

A system may answer with a text, with a list of citations, or with a structured reply whose fields
(``amount``, ``date``, ``boolean``, ``text``, ``citation``, ``evidence``, ``abstained``) are used
as they are.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from assay.errors import SystemFailed
from assay.jobs.legal.evidence import stands_in
from assay.jobs.legal.expectation import BenchAnswer, CitedPassage
from assay.records import Answer, Passage
from assay.text.citation import (
    citation_spans,
    extract_citation_numbers,
    extract_page_numbers,
    without_citations,
)
from assay.text.sentence import sentences
from assay.text.thought import scored_text

CITATIONS: Final = "citations"
"""The key of ``Answer.extra`` whose value is the system's own list of citations."""
_VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "amount_total": ("amount_total", "amount"),
    "amount_breakdown": ("amount_breakdown",),
    "date": ("date",),
    "date_range": ("date_range",),
    "count": ("count",),
    "boolean_answer": ("boolean_answer", "boolean"),
    "text_answer": ("text_answer", "text"),
    "entity": ("entity", "text"),
}
"""The fields of a structured reply that state each expected field."""
_WORDS: Final = ("text", "content", "quote", "must_include", "snippet")
"""The keys under which a citation may have its words."""
_EDGE: Final = " \t\n,，;；:：.。-—()（）[]【】"


def bench_answer(answer: Answer) -> BenchAnswer:
    """The answer in the form that the scorers of the benchmark use.

    If the system gives citations or evidence, these are used. Otherwise the citations are the
    passages that the text names by number. If it names none by number, they are the passages
    on the pages that it names: those that the text quotes, or the best one of the page if it
    quotes none.

    >>> passage = Passage(id="a", text="It is £5.", page=3)
    >>> bench_answer(Answer(text="It is £5 [1].", passages=(passage,))).citations
    (CitedPassage(page=3, text='It is £5.'),)
    >>> bench_answer(Answer(text="£5", extra={"citations": [{"page": 2}]})).citations
    (CitedPassage(page=2, text=None),)
    >>> bench_answer(Answer(text="", extra={"amount": 42000.0})).values
    {'amount_total': '42000'}
    """
    answer = replace(answer, text=scored_text(answer.text))
    extra = answer.extra
    listed = extra.get(CITATIONS)
    single = _single_citation(extra.get("citation"))
    evidence = read_evidence(extra)
    if listed is not None or single or evidence:
        citations = (*single, *(() if listed is None else read_citations(listed)))
    else:
        passages = _passages_cited_by_number(answer) or _passages_cited_by_page(answer)
        citations = tuple(
            CitedPassage(page=passage.page, text=passage.text or None) for passage in passages
        )
    return structured_answer(answer.text, tuple(dict.fromkeys(citations)), extra, evidence=evidence)


def structured_answer(
    text: str,
    citations: tuple[CitedPassage, ...],
    extra: Mapping[str, Any],
    *,
    evidence: tuple[CitedPassage, ...] = (),
) -> BenchAnswer:
    """An answer with these citations, and with the values that the reply states by themselves."""
    abstained = extra.get("abstained")
    return BenchAnswer(
        text=scored_text(text),
        citations=citations,
        evidence=evidence,
        values=dict(_stated_values(extra)),
        abstained=abstained if isinstance(abstained, bool) else None,
    )


def read_evidence(extra: Mapping[str, Any]) -> tuple[CitedPassage, ...]:
    """The evidence of a reply: a list of citations, or a single one.

    >>> read_evidence({"evidence": ["第2页：共42000元", {"page": 3}]})[0]
    CitedPassage(page=2, text='共42000元')
    """
    return _single_citation(extra.get("evidence"))


def _stated_values(extra: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field, names in _VALUES.items():
        value = next((extra[name] for name in names if extra.get(name) is not None), None)
        if field == "amount_total" and isinstance(value, list | tuple):
            continue
        if field == "amount_breakdown" and isinstance(extra.get("amount"), list | tuple):
            value = extra["amount"]
        text = "" if value is None else _value_text(value)
        if text:
            yield field, text


def _value_text(value: Any) -> str:
    """A stated value as an answer would say it.

    >>> _value_text(True), _value_text(42000.0), _value_text([{"amount": 5}, 7])
    ('yes', '42000', '5, 7')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, date):
        return value.isoformat()[:10]
    if isinstance(value, Mapping):
        parts = [value["amount"]] if "amount" in value else list(value.values())
        separator = " – " if {"start", "end"} <= value.keys() else ", "
        return separator.join(map(_value_text, parts))
    if isinstance(value, list | tuple):
        return ", ".join(map(_value_text, value))
    return str(value)


def with_answer(reply: Any) -> Any:
    """The reply with an ``answer``: a number is written out, structured fields need no text.

    >>> with_answer({"amount": 5}), with_answer({"answer": 5}), with_answer("5")
    ({'answer': '', 'amount': 5}, {'answer': '5'}, '5')
    """
    if not isinstance(reply, Mapping):
        return reply
    if isinstance(reply.get("answer"), int | float):
        return {**reply, "answer": _value_text(reply["answer"])}
    has_answer = reply.get("answer") is not None or isinstance(reply.get("text"), str)
    names = {name for names in _VALUES.values() for name in names} | {"abstained"}
    if has_answer or all(reply.get(name) is None for name in names):
        return reply
    return {**reply, "answer": ""} if "answer" in reply else {"answer": "", **reply}


def read_citations(citations: Any) -> tuple[CitedPassage, ...]:
    """The citations of a reply: a list of ``{"page", "text"}`` objects, texts or page numbers.

    Raises:
        SystemFailed: The reply has something else there.

    >>> read_citations([{"page": 2, "text": "in all"}, "three payments", 4])[1:]
    (CitedPassage(page=None, text='three payments'), CitedPassage(page=4, text=None))
    """
    if isinstance(citations, str | Mapping) or not isinstance(citations, Sequence):
        kind = type(citations).__name__
        raise SystemFailed(f"the citations of the reply are of type {kind}, not a list")
    return tuple(_citation(citation) for citation in citations)


def _single_citation(citation: Any) -> tuple[CitedPassage, ...]:
    """The citations of the field ``citation``: one citation, or a list of them.

    >>> _single_citation("第2页：共计42000元"), _single_citation(None)
    ((CitedPassage(page=2, text='共计42000元'),), ())
    """
    if citation is None or isinstance(citation, bool) or citation in ("", {}):
        return ()
    if isinstance(citation, list | tuple):
        return tuple(part for item in citation for part in _single_citation(item))
    if isinstance(citation, str):
        return (_text_citation(citation),)
    return (_citation(citation),)


def _text_citation(text: str) -> CitedPassage:
    """A citation that is written as text: a page, words, or both."""
    pages = extract_page_numbers(text)
    if not pages:
        return CitedPassage(text=text)
    for span in reversed(citation_spans(text)):
        text = f"{text[: span.start]} {text[span.end :]}"
    words = text.strip(_EDGE)
    return CitedPassage(page=pages[0], text=words if any(map(str.isalnum, words)) else None)


def _citation(citation: Any) -> CitedPassage:
    if isinstance(citation, CitedPassage):
        return citation
    if isinstance(citation, str):
        return CitedPassage(text=citation)
    if isinstance(citation, int) and not isinstance(citation, bool):
        return CitedPassage(page=citation)
    if not isinstance(citation, Mapping):
        kind = type(citation).__name__
        raise SystemFailed(f"a citation of the reply is of type {kind}, not an object")
    words = next((citation[name] for name in _WORDS if citation.get(name) is not None), None)
    page = citation.get("page")
    if isinstance(page, str) and not page.strip().isdigit():
        page = next(iter(extract_page_numbers(page)), page)
    try:
        return msgspec.convert({"page": page, "text": words}, CitedPassage, strict=False)
    except msgspec.ValidationError as error:
        raise SystemFailed(f"a citation of the reply cannot be read: {error}") from None


def _passages_cited_by_number(answer: Answer) -> list[Passage]:
    numbers, passages = extract_citation_numbers(answer.text), answer.passages or ()
    return [passages[number - 1] for number in numbers if 0 < number <= len(passages)]


def _passages_cited_by_page(answer: Answer) -> list[Passage]:
    text = without_citations(answer.text, pages=True)
    quotes = [span.of(text) for span in sentences(text)]
    passages = answer.passages or ()
    cited: list[Passage] = []
    for page in extract_page_numbers(answer.text):
        on_page = [passage for passage in passages if passage.page == page]
        quoted = [
            passage
            for passage in on_page
            if any(stands_in(quote, passage.text) for quote in quotes)
        ]
        on_page.sort(key=lambda passage: passage.rank or len(passages))
        cited += quoted or on_page[:1]
    return cited
