"""Evidence and quotes of a benchmark file that do not stand where the file says."""

from collections.abc import Iterator
from typing import Any

from assay.data.document import PagedDocument
from assay.data.legal.problem import KeyPath
from assay.data.legal.shape import Deviation
from assay.scorers.legal import stands_in


def misplaced_quotes(raw: dict[str, Any], document: PagedDocument) -> Iterator[Deviation]:
    """Every ``must_include`` and quote that its page, its lines or the document lack."""
    questions = raw.get("questions")
    for place, question in enumerate(questions if isinstance(questions, list) else []):
        if isinstance(question, dict):
            at = ("questions", place)
            yield from _evidence(question, document, at)
            yield from _quotes(question, document, at)


def _evidence(
    question: dict[str, Any], document: PagedDocument, at: KeyPath
) -> Iterator[Deviation]:
    evidence = question.get("required_evidence")
    for number, item in enumerate(evidence if isinstance(evidence, list) else []):
        if isinstance(item, dict) and isinstance(item.get("must_include"), str):
            here = (*at, "required_evidence", number)
            yield from _on_page(
                item["must_include"], item.get("page"), document, here, "must_include"
            )


def _on_page(
    quote: str, page: Any, document: PagedDocument, at: KeyPath, name: str, page_at: KeyPath = ()
) -> Iterator[Deviation]:
    if not quote.strip():
        return
    if isinstance(page, bool) or not isinstance(page, int) or page < 1:
        yield from _anywhere(quote, document, (*at, name))
        return
    text = document.page(page)
    if text is None:
        count = len(document.pages)
        yield (page_at or (*at, "page")), f"is {page}, but {document.name} has {count} pages"
    elif not stands_in(quote, text):
        others = [n for n, one in enumerate(document.pages, 1) if stands_in(quote, one)]
        where = (
            f"; it stands on page {others[0]}" if others else f", nor anywhere in {document.name}"
        )
        yield (*at, name), f"{quote!r} does not stand on page {page}{where}"


def _anywhere(quote: str, document: PagedDocument, at: KeyPath) -> Iterator[Deviation]:
    if quote.strip() and not stands_in(quote, "\n".join(document.pages)):
        yield at, f"{quote!r} does not stand in {document.name}"


def _quotes(question: dict[str, Any], document: PagedDocument, at: KeyPath) -> Iterator[Deviation]:
    more = question.get("additional_quotes")
    for number, quote in enumerate(more if isinstance(more, list) else []):
        if isinstance(quote, str):
            yield from _anywhere(quote, document, (*at, "additional_quotes", number))
    location = question.get("evidence_location")
    location = location if isinstance(location, dict) else {}
    quote = question.get("required_quote")
    page = location.get("page")
    if isinstance(quote, str):
        found = list(
            _on_page(
                quote, page, document, at, "required_quote", (*at, "evidence_location", "page")
            )
        )
        yield from found
        if not found:
            yield from _on_lines(quote, location, document, (*at, "evidence_location", "lines"))


def _on_lines(
    quote: str, location: dict[str, Any], document: PagedDocument, at: KeyPath
) -> Iterator[Deviation]:
    lines = location.get("lines")
    if not isinstance(lines, str):
        return
    first, _, last = lines.partition("-")
    if not first.isdigit() or not (last or first).isdigit():
        return
    text = document.lines(int(first), int(last or first))
    if text is None:
        yield at, f"{lines!r} are not lines of {document.name}"
    elif not stands_in(quote, text):
        yield at, f"the required quote does not stand on the lines {lines} of {document.name}"
    elif location.get("page") not in {None, document.page_of_line(int(first))}:
        page = document.page_of_line(int(first))
        yield at, f"line {first} stands on page {page}, not {location['page']}"
