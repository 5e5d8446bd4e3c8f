"""Questions that the layout of a document gives: the pages of frequent questions, and tables."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from assay.data.corpus.chunker import SEPARATOR
from assay.questions.draft.draft import Draft, DraftSource
from assay.questions.draft.statement import (
    Wording,
    capitalised,
    text_size,
    wording,
)
from assay.text.language import Language, language
from assay.text.normalise import Span
from assay.text.search_term import tagged_words
from assay.text.sentence import sentences


class PassageText(Struct, frozen=True, kw_only=True):
    """A passage of a document. ``start`` is its offset there; None if that is not known.

    ``heading`` is the one that it is below, and may begin with.
    """

    id: str
    text: str
    start: int | None = None
    heading: str = ""

    @property
    def title(self) -> str:
        """The last part of the heading."""
        return self.heading.rpartition(SEPARATOR)[2]

    def evidence(self, source: str, span: Span) -> DraftSource:
        """A part of the passage as a part of its document."""
        part = DraftSource(source=source, text=span.of(self.text))
        if self.start is None:
            return part
        return replace(part, start=self.start + span.start, end=self.start + span.end)


# Frequent questions: a heading or a line that asks, and the text below it.

_LINE: Final = re.compile(r"[^\n]+")
_ASKING: Final = re.compile(
    r"(?P<mark>[#*_\s]*(?:\d{1,3}[.)、]\s*)?)"
    r"(?P<label>(?:[^\W\d_]{1,10}\s?\d{0,3}[:：]|[^\W\d_]\.)[*_\s]*)?"
    r"(?P<question>[^\W_][^\n?？|:：;；。!！]{3,150}[?？])[*_\s]*"
)
_LABEL: Final = re.compile(r"[*_\s]*[^\W\d_]{1,10}\s?\d{0,3}[:：.][*_\s]+|[*_\s]*[^\W\d_]{1,10}：")
_CODE: Final = re.compile(r"^```|^\||^#", re.MULTILINE)
_FEWEST_WORDS: Final = {"en": 3, "ru": 3, "zh": 5}
_SHORTEST_ANSWER: Final = {"en": 5, "ru": 4, "zh": 9}
_LONGEST_ANSWER: Final = 600
_LISTING: Final = 0.25
"""If so many lines of a document ask something, it is a list of questions."""


def faq_drafts(source: str, passages: Sequence[PassageText]) -> Iterator[Draft]:
    """The questions that a document asks and answers itself."""
    lines = sum(len(_LINE.findall(passage.text)) for passage in passages)
    asking = [(passage, _asking_lines(passage.text)) for passage in passages]
    is_list = sum(len(found) for _, found in asking) >= _LISTING * lines
    for passage, found in asking:
        for at, match in enumerate(found, 1):
            end = found[at].start() if at < len(found) else len(passage.text)
            is_heading = match.start() == 0 and match[0].strip() == passage.title.strip()
            is_labelled = match["label"] and not is_heading
            is_marked = is_heading or match["mark"].strip()
            if is_list or is_labelled or (is_marked and _stands_alone(match["question"])):
                yield from _answered(source, passage, match, end)


def _stands_alone(question: str) -> bool:
    """Whether a heading among others asks about something that it names: not about "it"."""
    unclear = wording(language(question)).statement["not_anywhere"]
    return unclear.search(question[:-1]) is None


def _asking_lines(text: str) -> list[re.Match[str]]:
    lines = (_ASKING.fullmatch(text, *line.span()) for line in _LINE.finditer(text))
    return [match for match in lines if match is not None]


def _answered(source: str, passage: PassageText, match: re.Match[str], end: int) -> Iterator[Draft]:
    """The question of a line, if what follows up to ``end`` answers it in a sentence."""
    speech = language(match["question"])
    question = capitalised(" ".join(match["question"].split()))
    begin = match.end()
    label = _LABEL.match(passage.text, begin, end) if match["label"] else None
    span = _first_sentences(passage.text, begin if label is None else label.end(), end, speech)
    if span is not None and text_size(question, speech) >= _FEWEST_WORDS[speech]:
        yield Draft(
            kind="fact",
            question=question,
            answers=(span.of(passage.text),),
            evidence=(passage.evidence(source, span),),
            language=speech,
        )


def _first_sentences(text: str, begin: int, end: int, speech: Language) -> Span | None:
    """As many sentences as say something: more than "Yes." and "as follows:"."""
    start: int | None = None
    for sentence in sentences(text[begin : min(end, begin + _LONGEST_ANSWER)]):
        start = begin + sentence.start if start is None else start
        answer = text[start : begin + sentence.end]
        if _CODE.search(answer):
            return None
        if text_size(answer, speech) >= _SHORTEST_ANSWER[speech] and answer[-1] not in ":：?？":
            return Span(start=start, end=start + len(answer))
    return None


# Tables: the value of a column for a row, which its first cell names.


class _Row(Struct, frozen=True, kw_only=True):
    headers: tuple[str, ...]
    cells: tuple[str, ...]
    passage: PassageText
    span: Span


_RULE: Final = re.compile(r"[\s|:–-]+")
_EDGE_BARS: Final = re.compile(r"^\s*\||\|\s*$")
_BAR: Final = re.compile(r"(?<!\\)\|")
_MARKUP: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)|[*`]+")
_FIELD: Final = re.compile(r"(?P<header>[^:;|]{1,40}): (?P<cell>[^;|]+)")
_KEY: Final = re.compile(r"[^\W_](?:[^\W_]|[ ’'&+-](?!$)|\.(?= ))*")
_HEADER: Final = re.compile(r"[^\W\d_][\w.’'-]*(?: [\w.’'-]+){0,2}")
_UNIT: Final = re.compile(r"\s*[(（][^()（）]*[)）]$")
_DIGIT: Final = re.compile(r"\d")
_SHORTEST_WORD: Final = 3
_LONGEST_NAME: Final = 40
_LONGEST_VALUE: Final = 80


def table_drafts(source: str, passages: Sequence[PassageText]) -> Iterator[Draft]:
    """A question about each row whose first cell no other row has, the columns in turn."""
    rows = [row for passage in passages for row in _rows(passage)]
    rows_of = Counter(row.headers for row in rows)
    same = Counter((row.headers, row.cells[0]) for row in rows)
    for number, row in enumerate(rows):
        if rows_of[row.headers] > 1 and same[row.headers, row.cells[0]] == 1:
            yield from _about_row(source, row, 1 + number % (len(row.headers) - 1))


def _rows(passage: PassageText) -> Iterator[_Row]:
    """The rows of tables: ``name: value; name: value``, or values between bars below the names."""
    block: list[re.Match[str]] = []
    is_cut = True
    for line in _LINE.finditer(passage.text):
        if "|" in line[0]:
            block.append(line)
            continue
        yield from _rows_between_bars(passage, block, is_cut=is_cut)
        is_cut, block = is_cut and line.start() == 0 and not line[0].strip(), []
        fields = [_FIELD.fullmatch(part) for part in line[0].split("; ")]
        if len(fields) > 1 and all(fields):
            named = [match for match in fields if match is not None]
            yield _Row(
                headers=tuple(match["header"].strip() for match in named),
                cells=tuple(match["cell"].strip() for match in named),
                passage=passage,
                span=Span(start=line.start(), end=line.end()),
            )
    yield from _rows_between_bars(passage, block, is_cut=is_cut)


def _rows_between_bars(
    passage: PassageText, block: Sequence[re.Match[str]], *, is_cut: bool
) -> Iterator[_Row]:
    """The rows below the first line; that of a table that may be cut names columns if a rule follows."""
    is_ruled = len(block) > 1 and _RULE.fullmatch(block[1][0]) is not None
    if len(block) < 2 or (is_cut and not is_ruled):
        return
    headers = _cells(block[0][0])
    for line in block[1 + is_ruled :]:
        cells = _cells(line[0])
        if len(cells) == len(headers):
            yield _Row(
                headers=headers,
                cells=cells,
                passage=passage,
                span=Span(start=line.start(), end=line.end()),
            )


def _cells(line: str) -> tuple[str, ...]:
    cells = _BAR.split(_EDGE_BARS.sub("", line))
    return tuple(_MARKUP.sub(lambda match: match[1] or "", cell).strip() for cell in cells)


def _about_row(source: str, row: _Row, place: int) -> Iterator[Draft]:
    """What the cell at ``place`` has for what the first cell names."""
    key, value = row.cells[0], row.cells[place]
    header, column = (_UNIT.sub("", row.headers[at]) for at in (0, place))
    speech = language(f"{header} {column}")
    is_named = _KEY.fullmatch(key) and any(map(str.isalpha, key)) and len(key) <= _LONGEST_NAME
    is_told = any(map(str.isalnum, value)) and len(value) <= _LONGEST_VALUE
    is_shortened = key[:1].islower() or (
        "|" in row.span.of(row.passage.text) and column[:1].islower()
    )
    if is_shortened or not is_named or not is_told or not _is_noun(column, speech):
        return
    question = _asked_of_row(header, column, key, value, wording(speech))
    evidence = row.passage.evidence(source, row.span)
    if question is None or value.casefold() in question.casefold() or value not in evidence.text:
        return
    has_digit = _DIGIT.search(value) is not None
    yield Draft(
        kind="number" if has_digit else "fact",
        question=question,
        answers=(value,),
        evidence=(evidence,),
        language=speech,
    )


def _is_noun(column: str, speech: Language) -> bool:
    """Whether the name of a column can be what is asked for: not "opened", not "what is read"."""
    words = wording(speech)
    if not _HEADER.fullmatch(column) or len(column) > _LONGEST_NAME:
        return False
    if speech == "zh":
        tags = [tag for word, tag in tagged_words(column) if word.strip()]
        return tags[-1][0] in "nqv" and not {tag[0] for tag in tags} & set("rpc")
    statement, parts = words.statement, column.lower().split()
    is_clause = statement["not_at_start"].search(capitalised(column))
    if is_clause or statement["not_anywhere"].search(column):
        return False
    if words.verbs is None:
        return True
    verbs = words.verbs
    is_verb = any(part in verbs.auxiliaries or verbs.participle.fullmatch(part) for part in parts)
    is_open = any(verbs.not_in_subject.search(part) for part in (parts[0], parts[-1]))
    return not is_verb and not is_open and len(column) >= _SHORTEST_WORD


def _asked_of_row(header: str, column: str, key: str, value: str, words: Wording) -> str | None:
    """The question for a cell in the words of the language; None if they do not fit together."""
    table = words.table
    which = next((word for find, word in table.which if find.search(f"{column}|{value}")), "")
    owner = next((find.sub(to, header) for find, to in table.header if find.search(header)), "")
    if not which or (table.header and not owner):
        return None
    fields = {
        "{which}": which,
        "{column}": _small(column),
        "{header}": _small(owner),
        "{key}": key,
    }
    return re.sub(r"\{\w+\}", lambda match: fields[match[0]], table.question)


def _small(name: str) -> str:
    """A name with a small letter at its beginning, unless it is an abbreviation."""
    first = name.partition(" ")[0]
    return name[:1].lower() + name[1:] if first[1:].islower() or len(name) == 1 else name
