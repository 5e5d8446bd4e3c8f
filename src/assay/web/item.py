"""One question with everything that was expected and answered, from the rows of its cases."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from assay.data.question_set import accepted_answers
from assay.redact.error_text import masked_error
from assay.runs.read import migrate
from assay.text.citation import without_citations
from assay.text.sentence import sentences
from assay.web.api import Missing
from assay.web.item_api import AnswerView, GoldView, ItemView, PassageView, StageView, TextPart
from assay.web.judge.read import run_judges
from assay.web.query import Columns
from assay.web.reason import score_views
from assay.web.run_index import RunIndex
from assay.words.message import Message, Said, joined, message

# What was expected of an answer, as facts in words: for the rows of all jobs.

LONGEST: Final = 4_000
DEEPEST: Final = 6
Fact = tuple[Said, Said]
_HIDDEN: Final = frozenset({"id", "question", "type", "metadata"})


def expected_facts(row: Mapping[str, Any]) -> Iterator[Fact]:
    """What the row says about the right answer."""
    if row.get("answerable") is False:
        yield (
            message("expected: no answer in the documents"),
            message("the documents do not answer this: the answer must say so"),
        )
    if "correct_answer" in row:
        yield from _choice(row)
    for name in ("expected", "ground_truth", "gold"):
        fields = row.get(name)
        if isinstance(fields, Mapping):
            yield from _fields(fields)


def _choice(row: Mapping[str, Any]) -> Iterator[Fact]:
    """The choices and the place of the evidence of a depth test."""
    right = row["correct_answer"]
    listed = right if isinstance(right, list) else [right]
    yield message("right answer"), ", ".join(map(str, listed))
    choices = row.get("choice")
    if isinstance(choices, Mapping):
        for letter, text in choices.items():
            yield str(letter), str(text)[:LONGEST]
    for name, field in _PLACES:
        if row.get(field) is not None:
            yield name, str(row[field])


def _fields(fields: Mapping[str, Any]) -> Iterator[Fact]:
    """The fields of a question file that are not empty, each with its name in words."""
    for name, value in fields.items():
        if name in _HIDDEN or value in (None, [], {}, ""):
            continue
        if isinstance(value, Mapping) and name == "expected":
            yield from _fields(value)
        else:
            yield field_label(name), _value(name, value)


def field_label(name: str) -> Said:
    """The name of a field in words; an unknown one without its underscores.

    >>> str(field_label("must_include")), field_label("my_field")
    ('must contain', 'my field')
    """
    return _FIELDS.get(name) or str(name).replace("_", " ")


def _value(name: str, value: Any) -> Said:
    shown = _shown(value, name)
    text = str(shown)
    return shown if len(text) <= LONGEST else text[:LONGEST]


def _shown(value: Any, name: str = "", depth: int = 0) -> Said:
    """A value of a question file in words."""
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, Mapping) and depth < DEEPEST:
        return _object(value, depth)
    if isinstance(value, list | tuple) and depth < DEEPEST:
        parts = [_shown(each, name, depth + 1) for each in value]
        if any(isinstance(each, Mapping) for each in value):
            return joined(parts, "\n")
        return joined(parts, " / " if depth else " · ")  # an inner list has alternatives
    if isinstance(value, str):
        return value if name in _FREE else _VALUES.get(value, value)
    return str(value)


_YES: Final = message("yes")
_NO: Final = message("no")
_PLACES: Final = (
    (message("depth"), "depth_bin"),
    (message("context length, tokens"), "test_context_length"),
)
_FIELDS: Final[Mapping[str, Message]] = {
    "date_range": message("period", "field"),
    "date": message("date", "field"),
    "required_evidence": message("required evidence", "field"),
    "scoring": message("how it is scored", "field"),
    "must_include": message("must contain", "field"),
    "must_include_any": message("must contain one of", "field"),
    "must_not_include": message("must not contain", "field"),
    "require_citation": message("citation required", "field"),
    "citation_required": message("citation required", "field"),
    "date_exact": message("exact date", "field"),
    "numeric_exact": message("exact number", "field"),
    "partial_credit": message("partial credit", "field"),
    "should_abstain": message("must abstain", "field"),
    "conflict_detected": message("must point out a contradiction", "field"),
    "hallucination_penalty": message("penalty for invention", "field"),
    "required_quote": message("required quotation", "field"),
    "additional_quotes": message("further quotations", "field"),
    "evidence_location": message("place of the evidence", "field"),
    "expected_behavior": message("expected behaviour", "field"),
    "abstention_required": message("abstention required", "field"),
    "hallucination_check": message("check for invention", "field"),
    "quote_required": message("quotation required", "field"),
    "amount_total": message("total amount", "field"),
    "amount_breakdown": message("amounts", "field"),
    "count": message("count", "field"),
    "text_answer": message("text", "field"),
    "boolean_answer": message("yes or no", "field"),
    "entity": message("name", "field"),
    "key_points": message("key points", "field"),
    "evidence_count_min": message("least number of passages", "field"),
    "page": message("page", "field"),
    "lines": message("lines", "field"),
    "section": message("section", "field"),
    "speaker": message("speaker", "field"),
    "is_critical": message("critical", "field"),
    "risk_level": message("risk level", "field"),
    "rules": message("rules", "field"),
    "risk_id": message("main risk", "field"),
    "laws": message("laws", "field"),
    "reason_keywords": message("words of the reason", "field"),
    "amount": message("amount", "field"),
    "description": message("description", "field"),
    "weight": message("weight", "field"),
    "min_score": message("least score", "field"),
    "answer": message("answer", "field"),
    "min_recall": message("least recall", "field"),
    "min_precision": message("least precision", "field"),
}
"""Fields of files of questions, as the page shows what was expected."""
_VALUES: Final[Mapping[str, Message]] = {
    "high": message("high", "field value"),
    "medium": message("medium", "field value"),
    "low": message("low", "field value"),
    "none": message("none", "field value"),
    "must_not_invent_details": message("nothing may be invented", "field value"),
}
_FREE: Final = frozenset({"text_answer", "must_include", "must_not_include", "required_quote"})
"""Fields whose values are texts of documents, never words of ours."""


def _object(fields: Mapping[str, Any], depth: int) -> Said:
    if set(fields) == {"start", "end"}:
        return f"{fields['start']} – {fields['end']}"
    if isinstance(fields.get("must_include"), str):
        return _evidence(fields)
    shown = (
        joined((field_label(name), _shown(value, name, depth + 1)), ": ")
        for name, value in fields.items()
        if value not in (None, [], {}, "")
    )
    return joined(shown)


def _evidence(fields: Mapping[str, Any]) -> Said:
    """Words that must be found, where, and whether everything depends on them."""
    where = [
        joined((field_label(name), str(fields[name])), " ")
        for name in ("page", "section", "speaker")
        if fields.get(name) not in (None, "")
    ]
    if fields.get("is_critical"):
        where.append(field_label("is_critical"))
    words = f"“{fields['must_include']}”"
    return joined((f"{words} (", joined(where, ", "), ")"), "") if where else words


LONGEST_TEXT: Final = 40_000
"""How many characters of an answer or a question are sent at first."""
LONGEST_PASSAGE: Final = 8_000
LONGEST_DETAIL: Final = 2_000
LONGEST_PART: Final = 200_000
"""How many characters of a long text are sent at once; each takes at most four bytes."""
MOST_PASSAGES: Final = 100
BUDGET: Final = 700_000
"""How many bytes all answers of an item may take together; longer texts are cut shorter."""
SHORTEST_SPAN: Final = 12
"""A sentence of an answer is looked for in a passage if it has at least so many characters."""

Row = Mapping[str, Any]


def _no_item(name: str, index: RunIndex) -> Missing:
    return Missing(
        message("no question {name}: the run has {n}", name=name, n=index.findings.items)
    )


def item_view(index: RunIndex, item: int, metric: str = "") -> ItemView:
    """An item with its answers in the order of the variants."""
    if not 0 <= item < index.findings.items:
        raise _no_item(str(item), index)
    return next(item_views(index, [item], metric))


def item_views(index: RunIndex, items: Sequence[int], metric: str = "") -> Iterator[ItemView]:
    """Several items; the rows of all of them are read at once."""
    columns = Columns(index, metric)
    variants = range(len(columns.variants))
    lines = index.lines([(item, variant) for item in items for variant in variants])
    for item in items:
        yield _view(
            index, columns, item, [row_fields(lines.get((item, each))) for each in variants]
        )


def _view(index: RunIndex, columns: Columns, item: int, rows: Sequence[Row]) -> ItemView:
    first = next(filter(None, rows), {})
    question, is_cut = _cut(str(first.get("question") or ""), LONGEST_TEXT)
    view = ItemView(
        item=item,
        id=index.findings.results.scores.items[item],
        question=question,
        source=index.listed.sources.get(item, ""),
        expected=tuple(_expected(index, rows)),
        gold=tuple(_gold_views(index, rows)),
        tags=index.listed.tags.get(item, ()),
        answers=tuple(_answers(index, columns, item, rows, LONGEST_TEXT, LONGEST_PASSAGE)),
        is_cut=is_cut,
    )
    if len(msgspec.json.encode(view)) <= BUDGET:
        return view
    share = max(500, BUDGET // (8 * max(1, len(rows))))
    answers = tuple(_answers(index, columns, item, rows, share, max(100, share // 20)))
    return msgspec.structs.replace(view, answers=answers)


def item_number(index: RunIndex, name: str) -> int:
    """The index of an item now: ``=ID`` names it by its id, a number by its index.

    The index of an item changes while its run goes on, its id does not. Addresses of earlier
    versions have the index, so a number that is no id is taken for one.
    """
    named = name.removeprefix("=")
    known = index.listed.item_number(named) if named != name else None
    if known is not None:
        return known
    is_number = named.isascii() and named.isdecimal() and len(named) < 16
    number = int(named) if is_number else -1
    if 0 <= number < index.findings.items:
        return number
    raise _no_item(repr(named[:200]), index)


def row_fields(line: bytes | None) -> Row:
    """The fields of the line of a row; none if there is no line."""
    return {} if line is None else migrate(msgspec.json.decode(line, type=dict[str, Any]))


def _cut(text: str, longest: int) -> tuple[str, bool]:
    return text[:longest], len(text) > longest


def _gold(row: Row) -> Sequence[str] | None:
    """The ids of the gold passages; ``None`` if the row does not say."""
    gold = row.get("gold_chunk_ids")
    return [str(each) for each in gold] if isinstance(gold, list) else None


def _expected(index: RunIndex, rows: Sequence[Row]) -> Iterator[Fact]:
    """What the rows expect, with the answer of the file of questions if they do not have it."""
    first = next(filter(None, rows), {})
    facts = tuple(expected_facts(first))
    recorded = next(filter(None, (row.get("expected_answer") for row in rows)), None)
    answers = accepted_answers(recorded)
    if not answers and (answer := index.texts.answer(str(first.get("question_id") or ""))):
        answers = (answer,)
    told = {value for _, value in facts if isinstance(value, str)}
    if not told.issuperset(answers):
        yield message("answer"), _cut(" / ".join(answers), LONGEST_PASSAGE)[0]
    yield from facts


def _gold_views(index: RunIndex, rows: Sequence[Row]) -> Iterator[GoldView]:
    """The gold passages with their texts: from any row that has them, or from the corpus."""
    first = next(filter(None, rows), {})
    retrieved = {
        str(passage.get("id")): passage["text"]
        for row in rows
        for passage in filter(_mapping, row.get("passages") or ())
        if isinstance(passage.get("text"), str)
    }
    for name in (_gold(first) or ())[:MOST_PASSAGES]:
        text = retrieved.get(name) or index.texts.gold(name)
        yield GoldView(id=name, text=_cut(text, LONGEST_PASSAGE)[0] if text else None)


def _answers(
    index: RunIndex,
    columns: Columns,
    item: int,
    rows: Sequence[Row],
    longest: int,
    longest_passage: int,
) -> Iterator[AnswerView]:
    judges = run_judges(index)
    for variant, row in enumerate(rows):
        cell = columns.cell(variant, item)
        text = answer_text(row)
        answer, is_cut = (None, False) if text is None else _cut(text, longest)
        usage = _mapping(row.get("usage"))
        has_tokens = usage.get("prompt_tokens") or usage.get("completion_tokens")
        error = row.get("error") or row.get("reason") or row.get("judging_error")
        yield AnswerView(
            variant=columns.variants[variant],
            status=cell.status,
            answer=answer,
            error=_cut(masked_error(str(error)), longest)[0] if error else None,
            passages=_passages(index, row, text or "", longest_passage),
            stages=tuple(_stages(row)),
            scores=tuple(score_views(index.findings.job, row)),
            value=cell.value,
            mark=cell.mark,
            elapsed_s=_number(row.get("elapsed_s")),
            is_first_in_flight=row.get("first_in_flight") is True,
            cost=_number(row.get("cost")),
            tokens=(int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0)))
            if has_tokens
            else None,
            is_abstained=cell.is_abstained,
            attempts=row["attempts"] if isinstance(row.get("attempts"), int) else None,
            is_cut=is_cut,
            verdicts=tuple(judges.verdicts(item, variant)),
        )


def answer_text(row: Row) -> str | None:
    """The answer of a row, also if it is not judged yet."""
    text = row.get("answer")
    if text is None:
        text = _mapping(_mapping(row.get("recorded")).get("answer")).get("text")
    return text if isinstance(text, str) else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _passages(
    index: RunIndex, row: Row, answer: str, longest: int
) -> tuple[PassageView, ...] | None:
    listed = row.get("passages")
    if not isinstance(listed, list):
        return None
    gold = _gold(row)
    cited_ids = set(map(str, row.get("cited_chunk_ids") or ()))
    cited_pages = set(row.get("cited_pages") or ())
    stated = _Stated(row, listed)
    numbers = set(row.get("citation_numbers") or ())
    quotes = _quotes(answer)
    views = []
    for number, passage in enumerate(filter(_mapping, listed[:MOST_PASSAGES]), 1):
        name = str(passage.get("id", ""))
        page = passage.get("page")
        is_cited = name in cited_ids or (page is not None and page in cited_pages)
        is_cited = is_cited or (not cited_ids and number in numbers) or stated.has(passage)
        whole = _passage_text(index, passage)
        text, is_cut = _cut(whole, longest) if whole else (None, False)
        views.append(
            PassageView(
                id=name,
                number=number,
                text=text,
                page=page if isinstance(page, int) else None,
                score=_number(passage.get("score")),
                rank=passage["rank"] if isinstance(passage.get("rank"), int) else None,
                is_gold=None if not gold else name in gold,
                is_cited=is_cited,
                spans=tuple(_spans(text, quotes)) if text and is_cited else (),
                is_cut=is_cut,
            )
        )
    return tuple(views)


def _passage_text(index: RunIndex, passage: Row) -> str | None:
    """The text that the row has of a passage, or the corpus if the row leaves it out."""
    text = passage.get("text")
    if isinstance(text, str) and text:
        return text
    return index.texts.retrieved(str(passage.get("id", "")))


class _Stated:
    """Citations that name a page, with the text that was found there if it is known."""

    def __init__(self, row: Row, passages: Sequence[Any]) -> None:
        cited = [
            (each["page"], _words(each.get("text")))
            for each in filter(_mapping, row.get("citations") or ())
            if isinstance(each.get("page"), int)
        ]
        held = {_words(each.get("text")) for each in filter(_mapping, passages)} - {""}
        self._texts = {text for _, text in cited if text in held}
        self._pages = {page for page, text in cited if text not in held}

    def has(self, passage: Row) -> bool:
        """Whether a passage is cited: by its own text, or by its page if no text tells more."""
        return _words(passage.get("text")) in self._texts or passage.get("page") in self._pages


def _words(text: Any) -> str:
    return " ".join(text.split()) if isinstance(text, str) else ""


def _quotes(answer: str) -> list[str]:
    """The sentences of an answer that are long enough to be looked for."""
    plain = without_citations(answer[:LONGEST_TEXT])
    parts = [plain[span.start : span.end].strip(" .。\n") for span in sentences(plain)]
    return [part for part in parts[:50] if len(part) >= SHORTEST_SPAN]


def _spans(text: str, quotes: Iterable[str]) -> list[tuple[int, int]]:
    """Where the sentences of the answer stand in a passage, sorted and joined."""
    single_spaced = " ".join(text.split())
    found = sorted(
        span for quote in quotes if (span := _span(text, single_spaced, quote)) is not None
    )
    spans: list[tuple[int, int]] = []
    for start, end in found:
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return spans


def _span(text: str, single_spaced: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, with any white space between its words."""
    place = text.find(quote)
    if place >= 0:
        return place, place + len(quote)
    words = quote.split()
    if " ".join(words) not in single_spaced:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), text)
    return match.span() if match else None


def _stages(row: Row) -> Iterator[StageView]:
    evaluation = _mapping(row.get("evaluation"))
    for stage in row.get("stages") or ():
        if not isinstance(stage, Mapping):
            continue
        name = str(stage.get("name", ""))
        detail = stage.get("detail") or evaluation.get(name)
        shown = msgspec.json.encode(detail).decode() if detail else ""
        skipped = stage.get("skipped")
        yield StageView(
            name=name,
            elapsed_s=_number(stage.get("elapsed_s")),
            skipped=str(skipped) if skipped else None,
            detail=_cut(shown, LONGEST_DETAIL)[0],
        )


def row_part(index: RunIndex, item: int, variant: str, offset: int) -> TextPart:
    """A part of the line of a row, as it is in the file."""
    return text_part(_line(index, item, variant).decode("utf-8", "replace"), offset)


def field_part(index: RunIndex, item: int, variant: str, field: str, offset: int) -> TextPart:
    """A part of a long text of a row."""
    row = row_fields(_line(index, item, variant))
    kind, _, number = field.partition(":")
    if kind == "passage" and number.isdecimal():
        passages = row.get("passages") or []
        if 1 <= int(number) <= len(passages):
            return text_part(_passage_text(index, passages[int(number) - 1]) or "", offset)
    elif kind == "answer":
        return text_part(answer_text(row) or "", offset)
    elif kind == "question":
        return text_part(str(row.get("question") or ""), offset)
    elif kind == "error":
        return text_part(masked_error(str(row.get("error") or row.get("reason") or "")), offset)
    raise Missing(f"no text {field!r}: question, answer, error or passage:N")


def _line(index: RunIndex, item: int, variant: str) -> bytes:
    variants = index.findings.results.scores.variants
    line = index.row(item, variants.index(variant)) if variant in variants else None
    if line is None:
        raise Missing(
            message(
                "no row of the variant {variant} for question {item}",
                variant=repr(variant),
                item=item,
            )
        )
    return line


def text_part(text: str, offset: int) -> TextPart:
    """The part of a text from ``offset`` on."""
    start = max(0, min(offset, len(text)))
    end = min(len(text), start + LONGEST_PART)
    return TextPart(
        text=text[start:end], offset=start, total=len(text), next=end if end < len(text) else None
    )
