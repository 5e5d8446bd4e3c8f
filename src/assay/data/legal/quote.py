"""Find evidence and quotes of a benchmark file that are not at the stated place."""

from collections.abc import Iterator
from typing import Any

from assay.data.document import PagedDocument
from assay.data.legal.problem import KeyPath
from assay.data.legal.shape import Deviation
from assay.scorers.legal import stands_in


def misplaced_quotes(raw: dict[str, Any], document: PagedDocument) -> Iterator[Deviation]:
    """Each ``must_include`` and quote that is not on its page, on its lines, or in the document."""
    questions = raw.get("questions")
    for index, question in enumerate(questions if isinstance(questions, list) else []):
        if isinstance(question, dict):
            at = ("questions", index)
            yield from _evidence_deviations(question, document, at)
            yield from _quote_deviations(question, document, at)


def _evidence_deviations(
    question: dict[str, Any], document: PagedDocument, at: KeyPath
) -> Iterator[Deviation]:
    evidence = question.get("required_evidence")
    for index, item in enumerate(evidence if isinstance(evidence, list) else []):
        if isinstance(item, dict) and isinstance(item.get("must_include"), str):
            item_at = (*at, "required_evidence", index)
            yield from _page_deviations(
                item["must_include"], item.get("page"), document, item_at, "must_include"
            )


def _page_deviations(
    quote: str, page: Any, document: PagedDocument, at: KeyPath, name: str, page_at: KeyPath = ()
) -> Iterator[Deviation]:
    if not quote.strip():
        return
    is_number = isinstance(page, int) and not isinstance(page, bool) and page >= 1
    if not is_number or not document.has_page_marks:
        yield from _document_deviations(quote, document, (*at, name))
        return
    text = document.page(page)
    if text is None:
        count = len(document.pages)
        yield (page_at or (*at, "page")), f"is {page}, but {document.name} has {count} pages"
    elif not stands_in(quote, text):
        others = [n for n, content in enumerate(document.pages, 1) if stands_in(quote, content)]
        where = (
            f"; it is on page {others[0]}" if others else f" and nowhere else in {document.name}"
        )
        yield (*at, name), f"{quote!r} is not on page {page}{where}"


def _document_deviations(quote: str, document: PagedDocument, at: KeyPath) -> Iterator[Deviation]:
    if quote.strip() and not stands_in(quote, "\n".join(document.pages)):
        yield at, f"{quote!r} is not in {document.name}"


def _quote_deviations(
    question: dict[str, Any], document: PagedDocument, at: KeyPath
) -> Iterator[Deviation]:
    additional = question.get("additional_quotes")
    for index, quote in enumerate(additional if isinstance(additional, list) else []):
        if isinstance(quote, str):
            yield from _document_deviations(quote, document, (*at, "additional_quotes", index))
    location = question.get("evidence_location")
    location = location if isinstance(location, dict) else {}
    quote = question.get("required_quote")
    page = location.get("page")
    if isinstance(quote, str):
        on_page = list(
            _page_deviations(
                quote, page, document, at, "required_quote", (*at, "evidence_location", "page")
            )
        )
        yield from on_page
        if not on_page:
            lines_at = (*at, "evidence_location", "lines")
            yield from _line_deviations(quote, location, document, lines_at)


def _line_deviations(
    quote: str, location: dict[str, Any], document: PagedDocument, at: KeyPath
) -> Iterator[Deviation]:
    lines = str(location.get("lines", ""))
    first, _, last = lines.partition("-")
    if len(lines) > 20 or not first.isdigit() or not (last or first).isdigit():
        return
    text = document.lines(int(first), int(last or first))
    if text is None:
        yield at, f"{lines!r} are not lines of {document.name}"
    elif not stands_in(quote, text):
        yield at, f"the required quote is not on lines {lines} of {document.name}"
    elif document.has_page_marks and location.get("page") not in (
        None,
        document.page_of_line(int(first)),
    ):
        page = document.page_of_line(int(first))
        yield at, f"line {first} is on page {page}, not {location['page']}"
