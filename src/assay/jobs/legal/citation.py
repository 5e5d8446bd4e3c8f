"""What an answer cites, from whatever the system under test gave: citations, numbers or pages."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from assay.errors import SystemFailed
from assay.records import Answer, Passage
from assay.scorers.legal import BenchAnswer, CitedPassage, stands_in
from assay.text import extract_citation_numbers, extract_page_numbers, sentences, without_citations

CITATIONS: Final = "citations"
"""The name under which an answer's ``extra`` holds what the system says it cites."""


def bench_answer(answer: Answer) -> BenchAnswer:
    """The answer as the benchmark's scorers read it.

    A system that names its citations is taken at its word. Otherwise the passages that the
    text cites are its citations: by number, or by page, and then those of the page that it
    quotes, else the best of them.

    >>> one = Passage(id="a", text="It is £5.", page=3)
    >>> bench_answer(Answer(text="It is £5 [1].", passages=(one,))).citations
    (CitedPassage(page=3, text='It is £5.'),)
    >>> bench_answer(Answer(text="£5", extra={"citations": [{"page": 2}]})).citations
    (CitedPassage(page=2, text=None),)
    """
    given = answer.extra.get(CITATIONS)
    if given is not None:
        return BenchAnswer(text=answer.text, citations=read_citations(given))
    chosen = _numbered(answer) or _on_pages(answer)
    cited = tuple(CitedPassage(page=one.page, text=one.text or None) for one in chosen)
    return BenchAnswer(text=answer.text, citations=tuple(dict.fromkeys(cited)))


def with_citations(reply: Any) -> Any:
    """A reply whose ``citations`` stand where ``bench_answer`` looks for them.

    >>> with_citations({"answer": "5", "citations": [{"page": 2}]})["extra"]
    {'citations': [{'page': 2}]}
    """
    if not isinstance(reply, Mapping) or reply.get(CITATIONS) is None:
        return reply
    return {**reply, "extra": {**(reply.get("extra") or {}), CITATIONS: reply[CITATIONS]}}


def read_citations(given: Any) -> tuple[CitedPassage, ...]:
    """Citations as a system gives them: a list of ``{"page", "text"}``, texts or page numbers.

    >>> read_citations([{"page": 2, "text": "in all"}, "three payments", 4])[1:]
    (CitedPassage(page=None, text='three payments'), CitedPassage(page=4, text=None))
    """
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
        raise SystemFailed(f"the reply's citations are {type(given).__name__}, not a list")
    return tuple(_citation(one) for one in given)


def _citation(one: Any) -> CitedPassage:
    if isinstance(one, CitedPassage):
        return one
    if isinstance(one, str):
        return CitedPassage(text=one)
    if isinstance(one, int) and not isinstance(one, bool):
        return CitedPassage(page=one)
    if not isinstance(one, Mapping):
        raise SystemFailed(f"a citation of the reply is {type(one).__name__}, not an object")
    try:
        named = {"page": one.get("page"), "text": one.get("text")}
        return msgspec.convert(named, CitedPassage, strict=False)
    except msgspec.ValidationError as error:
        raise SystemFailed(f"a citation of the reply cannot be read: {error}") from None


def _numbered(answer: Answer) -> list[Passage]:
    numbers = extract_citation_numbers(answer.text)
    return [answer.passages[one - 1] for one in numbers if 0 < one <= len(answer.passages)]


def _on_pages(answer: Answer) -> list[Passage]:
    said = without_citations(answer.text, pages=True)
    quotes = [span.of(said) for span in sentences(said)]
    chosen: list[Passage] = []
    for page in extract_page_numbers(answer.text):
        there = [one for one in answer.passages if one.page == page]
        quoted = [one for one in there if any(stands_in(quote, one.text) for quote in quotes)]
        there.sort(key=lambda one: one.rank or len(answer.passages))
        chosen += quoted or there[:1]
    return chosen
