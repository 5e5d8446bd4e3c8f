"""Which required passages the citations of an answer support, and why or why not.

A citation with quoted words supports what these words say, provided that its page contains them
(or any page, if the citation names none). A citation of a page alone supports everything on
that page. Quoted words are first compared with the document letter by letter, where dots are
for omitted words. If that fails, they are compared by ``aligned``, which allows another wording
but no changed number, date or denial. A literal quotation supports a differently worded item
only if the two overlap in the document: another passage that resembles the required one is
still another passage. An item of a section or a speaker is looked for only in the parts of the
document that are marked so.

A document without page marks cannot show what is on a page, so the page of a citation is compared
with the page of the item. Without a document the words are compared with those of the item, too.

The score of an ``evidence_set`` question is computed from this:

::

    recall    = required items supported / required items
    precision = retrieved pieces that support an item / retrieved pieces
    score     = 0.5 (recall ≥ its minimum) + 0.3 (precision ≥ its minimum) + 0.2 (citation given)

The required items are the required evidence and the key points. The retrieved pieces are the
evidence or the citations that the system returned with their words or, if there are none, the statements of
the answer except those that only abstain: a bare page number shows nothing that was not said. A piece supports an item if it contains the item's
words or states its key point. A statement of the answer supports a key point also if the answer
has citations. A statement that the document does not say supports only the items that it quotes.
If nothing is retrieved, precision is undefined and does not reach its minimum.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from assay.checks.abstention import abstains
from assay.jobs.legal.expectation import (
    BenchAnswer,
    CitedPassage,
    EvidenceExpectation,
    EvidenceItem,
)
from assay.text.citation import without_citations
from assay.text.lexicon import word_set
from assay.text.normalise import normalised, without_recognition_marks
from assay.text.number import numbers
from assay.text.search_term import content_units, tokens
from assay.text.sentence import sentences

# The parts of a record that a benchmark may name: who speaks, and in which section.
#
# A line that begins with a mark (``问：``, ``Q:``, ``Ответ:``, or the name of a speaker) begins a
# part, which ends at the next mark. The text before the first mark is the header. A heading
# (``## Payment``) begins a section with its name. A document without any such mark restricts
# nothing.

_QUESTION: Final = r"[问問]|q(?:uestion)?|в(?:опрос)?"
_ANSWER: Final = r"答|a(?:nswer)?|о(?:твет)?"
_TURN: Final = re.compile(
    rf"^\W*+(?:(?P<question>{_QUESTION})|(?P<answer>{_ANSWER}))[^\w:：]*+[0-9]*+[^\w:：]*+[:：]",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(
    rf"(?<=[。？！；?!.;”»\"])[^\S\n]*+(?=(?:{_QUESTION}|{_ANSWER})[0-9]*[:：])", re.IGNORECASE
)
"""The place before a mark inside a line: a quotation may have lost its line breaks."""
_HEADING: Final = re.compile(r"^\s*+#{1,6}\s++(?P<title>.+)$")
_NAME: Final = re.compile(r"^\W*+(?P<name>[^:：]{1,40}?)[^\w:：]*+[:：]")
_PAIR: Final = frozenset({"qa_pair", "qa", "q&a", "question_answer"})
_HEADER: Final = "header"


class DocumentPart(Struct, frozen=True, kw_only=True):
    """A part of a text. ``speaker`` is ``None`` where the text does not say who speaks."""

    text: str
    speaker: str | None = None
    section: str | None = None


def restricted_text(
    text: str, *, section: str | None, speaker: str | None, is_continued: bool = False
) -> str | None:
    r"""The parts of ``text`` in this section and of this speaker; ``None`` if it marks neither.

    With ``is_continued`` the text is not the beginning of the document, so that what is
    before its first mark may belong to anybody.

    >>> restricted_text("Record\nQ: £5?\nA: £7.", section="qa_pair", speaker="answer")
    'A: £7.'
    >>> restricted_text("He paid £7.", section=None, speaker="answer") is None
    True
    """
    if not section and not speaker:
        return None
    parts = _parts(text, speaker or "")
    is_spoken = any(part.speaker for part in parts)
    by_speaker = _speaker_parts(speaker, parts) if speaker and is_spoken else None
    by_section = _section_parts(section, parts, is_spoken=is_spoken) if section else None
    if by_speaker is None and by_section is None:
        return None
    chosen = [
        part
        for part in parts
        if (by_speaker is None or part in by_speaker) and (by_section is None or part in by_section)
    ]
    if is_continued and parts[0].speaker is None and parts[0] not in chosen:
        chosen.insert(0, parts[0])
    return "\n".join(part.text for part in chosen)


def _speaker_parts(speaker: str, parts: Sequence[DocumentPart]) -> list[DocumentPart]:
    name = _speaker_name(speaker)
    return [part for part in parts if part.speaker == name]


def _section_parts(
    section: str, parts: Sequence[DocumentPart], *, is_spoken: bool
) -> list[DocumentPart] | None:
    """The parts of a section; ``None`` if the text does not mark such a section."""
    name = _folded(section)
    if name in _PAIR:
        return [part for part in parts if part.speaker] if is_spoken else None
    if name == _HEADER:
        return [part for part in parts[:1] if not part.speaker] if is_spoken else None
    titled = [part for part in parts if part.section and _is_same_title(part.section, name)]
    return titled or None


def _is_same_title(title: str, name: str) -> bool:
    return name in title or title in name


def _parts(text: str, speaker: str) -> list[DocumentPart]:
    """The parts of a text, in order. A line ``NAME:`` is a mark if it names ``speaker``."""
    parts: list[DocumentPart] = []
    lines: list[str] = []
    who: str | None = None
    section: str | None = None

    def close() -> None:
        if lines:
            parts.append(DocumentPart(text="\n".join(lines), speaker=who, section=section))
            lines.clear()

    for line in _INLINE.sub("\n", without_recognition_marks(text)).splitlines():
        if heading := _HEADING.match(line):
            close()
            who, section = None, _folded(heading["title"].rstrip().rstrip("#"))
        elif mark := _mark(line, speaker):
            close()
            who = mark
        lines.append(line)
    close()
    return parts or [DocumentPart(text=text)]


def _mark(line: str, speaker: str) -> str | None:
    """Who speaks from this line on, if the line says so."""
    if turn := _TURN.match(line):
        return turn.lastgroup
    name = _NAME.match(line)
    if name and speaker and _folded(name["name"]) == _folded(speaker):
        return _speaker_name(speaker)
    return None


def _speaker_name(speaker: str) -> str:
    turn = _TURN.match(f"{speaker}:")
    return turn.lastgroup or "" if turn else _folded(speaker)


def _folded(text: str) -> str:
    return normalised(text, fold_case=True).strip()


_DOTS: Final = re.compile(r"…+|\.{3,}")
PART: Final = 0.4
"""The least share of an item's words with which a statement gives a part of the item."""
NEAR: Final = 0.8
"""The least share of quoted words with which a page contains them although it words them differently."""
SAME: Final = 0.7
"""The least share of the words of one wording with which another says the same."""
_LEAST: Final = 3
"""A shortened quotation must keep more than this many characters at its start and at its end."""


class RequiredItem(Struct, frozen=True, kw_only=True):
    """A required item: words of a page, and the key point that they show, if it has one.

    The words of an item with ``is_key_point`` are a key point, not words of the document;
    ``passage`` are the words of the evidence that it describes, if it has one.
    """

    must_include: str
    page: int | None = None
    key_point: str | None = None
    section: str | None = None
    speaker: str | None = None
    is_critical: bool = False
    is_key_point: bool = False
    passage: str | None = None

    @property
    def shown(self) -> str:
        """The item on one line, for explanations."""
        return f"“{self.must_include}”" + ("" if self.page is None else f" (page {self.page})")


class EvidenceMatch(Struct, frozen=True, kw_only=True):
    """One required item, and the first citation that supports it, if there is one."""

    item: RequiredItem
    carried: bool
    citation: CitedPassage | None = None


class CitationCheck(Struct, frozen=True, kw_only=True):
    """A citation compared with the document: the text it refers to, or why it refers to none.

    ``source`` is the text that contains the quoted words literally. It is empty if the citation
    quotes no words, or if the words were found only in another wording. ``is_page_checked`` is
    false if the document does not show which page its text is on.
    """

    citation: CitedPassage
    text: str
    source: str = ""
    problem: str | None = None
    is_page_checked: bool = True

    @property
    def is_valid(self) -> bool:
        """Whether the citation refers to something that may be in the document."""
        return self.problem is None and bool(self.text or self.citation.page is not None)


def aligned(quoted: str, text: str) -> bool:
    """Whether a part of ``text`` says the same: most of the words, all numbers, and no other denial.

    >>> text = "He paid in 30 days."
    >>> aligned("paid in 30 days", text), aligned("paid in 20 days", text)
    (True, False)
    """
    return _best_share(quoted, text) >= SAME


@lru_cache(maxsize=4096)
def _best_share(quoted: str, text: str) -> float:
    """The share of the quoted words in the part of a text that has most; 0 with other values."""
    wanted = set(content_units(quoted))
    values, denies = _values(quoted), _denies(quoted)
    best = 0.0
    spans = sentences(text)
    for size in (1, 2, 3):
        for first, last in zip(spans, spans[size - 1 :], strict=False):
            part = text[first.start : last.end]
            share = len(wanted.intersection(content_units(part))) / max(1, len(wanted))
            if share > best and values <= _values(part) and denies == _denies(part):
                best = share
    return best


@lru_cache(maxsize=1024)
def _values(text: str) -> frozenset[str]:
    return frozenset(number.canonical for number in numbers(text))


@lru_cache(maxsize=1024)
def _denies(text: str) -> bool:
    return any(token.word in word_set("negation") for token in tokens(text))


def stands_in(quote: str, text: str) -> bool:
    """Whether ``text`` contains ``quote``; case, punctuation and spaces make no difference.

    If dots divide the quote into parts, ``text`` must contain the parts in order. Dots in the
    text may also replace the middle of the quote; then the text must contain the beginning and
    the end of it. A quote without letters and digits is contained in no text.

    >>> stands_in("Not later … in all", "NOT later than May, and £5 in all."), stands_in("art", "start")
    (True, False)
    >>> stands_in("He went to the sea and came back", "“He went … came back”")
    True
    """
    if _quote_offsets(quote, text) is not None:
        return True
    quote_words = _words(quote)
    return bool(quote_words) and not _DOTS.search(quote) and _is_shortened(quote_words, text)


def _quote_offsets(quote: str, text: str) -> tuple[int, int] | None:
    """The start and end of the quote in ``_words(text)``, or ``None`` if it is not there."""
    text_words = _words(text)
    start, end = -1, 0
    for part in filter(None, map(_words, _DOTS.split(quote))):
        position = text_words.find(part, end)
        if position < 0:
            return None
        start = position if start < 0 else start
        # The line break that ends a word is also the one that begins the next word.
        end = position + len(part) - 1
    return None if start < 0 else (start, end)


def check_citation(
    citation: CitedPassage, pages: Sequence[str], *, has_page_marks: bool = True
) -> CitationCheck:
    """The text of the document to which a citation refers, or what is wrong with the citation.

    Without pages, which means without a document, its words are taken as they are.

    >>> check_citation(CitedPassage(page=2, text="one"), ("one", "two")).problem
    'the words do not stand on page 2'
    >>> check_citation(CitedPassage(page=2, text="one"), ("one",), has_page_marks=False).is_valid
    True
    """
    if not pages:
        return CitationCheck(citation=citation, text=citation.text or "", is_page_checked=False)
    page = citation.page if has_page_marks else None
    if page is not None and not 1 <= page <= len(pages):
        return CitationCheck(citation=citation, text="", problem=f"there is no page {page}")
    document = "\n".join(pages)
    source = document if page is None else pages[page - 1]
    if not citation.text:
        text = source if page is not None else ""
        return CitationCheck(citation=citation, text=text, is_page_checked=has_page_marks)
    if stands_in(citation.text, source):
        return CitationCheck(
            citation=citation, text=citation.text, source=source, is_page_checked=has_page_marks
        )
    if not stands_in(citation.text, document) and _best_share(citation.text, source) >= NEAR:
        return CitationCheck(citation=citation, text=citation.text, is_page_checked=has_page_marks)
    location = "in the document" if page is None else f"on page {page}"
    problem = f"the words do not stand {location}"
    return CitationCheck(citation=citation, text="", problem=problem)


def required_items(
    evidence: Sequence[EvidenceItem], key_points: Sequence[str] = ()
) -> list[RequiredItem]:
    """The required evidence and then the key points; all of them count for recall.

    If there are as many key points as items of evidence, the n-th key point is another wording of
    the n-th item.
    """
    paired = key_points if len(key_points) == len(evidence) else [None] * len(evidence)
    items = [
        RequiredItem(
            must_include=passage.must_include,
            page=passage.page,
            key_point=point,
            section=passage.section,
            speaker=passage.speaker,
            is_critical=passage.is_critical,
        )
        for passage, point in zip(evidence, paired, strict=True)
    ]
    passages: list[str | None] = [item.must_include for item in items]
    if len(passages) != len(key_points):
        passages = [None] * len(key_points)
    return items + [
        RequiredItem(must_include=point, is_key_point=True, passage=passage)
        for point, passage in zip(key_points, passages, strict=True)
    ]


def evidence_matches(
    items: Sequence[RequiredItem], checks: Sequence[CitationCheck]
) -> list[EvidenceMatch]:
    """For each required item, the first citation that supports it."""
    matches = []
    for item in items:
        supporting = next((check for check in checks if supports_item(item, check)), None)
        citation = None if supporting is None else supporting.citation
        matches.append(EvidenceMatch(item=item, carried=supporting is not None, citation=citation))
    return matches


def supports_item(item: RequiredItem, check: CitationCheck) -> bool:
    """Whether a citation supports an item.

    A citation of a page alone supports the item only if the page contains it literally, or if
    the document does not show its pages and the item is on the cited page.
    """
    cited = check.citation
    if check.problem is not None or not check.is_valid:
        return False
    if not check.is_page_checked and cited.page is not None:
        if item.page is not None and item.page != cited.page:
            return False
        if not cited.text:
            return item.page == cited.page
    if not cited.text:
        return stands_in(item.must_include, _restricted(item, check.text, cited.page))
    text, source = _cited_words(item, check)
    if stands_in(item.must_include, text):
        return True
    passage = item.passage if item.is_key_point else item.must_include
    if source and passage is not None and not _overlap(passage, text, source):
        return False
    wordings = (item.must_include, *([] if item.key_point is None else [item.key_point]))
    return bool(text) and any(aligned(wording, text) for wording in wordings)


def _cited_words(item: RequiredItem, check: CitationCheck) -> tuple[str, str]:
    """The cited words and their source, both without parts of other sections and speakers."""
    if not item.section and not item.speaker:
        return check.text, check.source
    source = _restricted(item, check.source, check.citation.page)
    if source and stands_in(check.text, source):
        return check.text, source
    is_marked = check.source and source != check.source
    text = restricted_text(check.text, section=item.section, speaker=item.speaker)
    if text is None:
        text = "" if is_marked else check.text
    return text, source


def _restricted(item: RequiredItem, text: str, page: int | None) -> str:
    """The parts of a page, or of the document, in which the item may be found."""
    parts = restricted_text(
        text, section=item.section, speaker=item.speaker, is_continued=page not in {None, 1}
    )
    return text if parts is None else parts


def is_stated(
    item: RequiredItem, statement: str, pages: Sequence[str], *, has_page_marks: bool = True
) -> bool:
    """Whether a statement of an answer gives an item, in full or in part.

    A partial statement must agree with the key point or with the line of the document that
    contains the item, and must share at least ``PART`` of the item's words. A statement that
    the document contains literally is treated as a quotation.
    """
    check = check_citation(CitedPassage(text=statement), pages, has_page_marks=has_page_marks)
    if check.source:
        return supports_item(item, check)
    wordings = [item.must_include, *([] if item.key_point is None else [item.key_point])]
    if any(stands_in(wording, statement) or aligned(wording, statement) for wording in wordings):
        return True
    if max(shared_share(wording, statement) for wording in wordings) < PART:
        return False
    return any(aligned(statement, passage) for passage in [*wordings[1:], *_lines(item, pages)])


def _lines(item: RequiredItem, pages: Sequence[str]) -> list[str]:
    """The lines of the item's page that contain the item."""
    page = pages[item.page - 1] if item.page and item.page <= len(pages) else ""
    if len(pages) == 1:
        page = pages[0]
    return [line for line in page.splitlines() if stands_in(item.must_include, line)]


def shared_share(quoted: str, statement: str) -> float:
    """The share of the quoted words that the statement contains, in any order."""
    wanted = content_units(quoted)
    known = set(content_units(statement))
    return sum(unit in known for unit in wanted) / max(1, len(wanted))


def _overlap(passage: str, text: str, source: str) -> bool:
    """Whether the required passage and the cited words overlap in the document."""
    item_offsets = _quote_offsets(passage, source)
    cited_offsets = _quote_offsets(text, source)
    if not item_offsets or not cited_offsets:
        return False
    return item_offsets[0] < cited_offsets[1] and cited_offsets[0] < item_offsets[1]


@lru_cache(maxsize=1024)
def _words(text: str) -> str:
    """The words of a text and its Chinese characters, each between two line breaks."""
    plain = normalised(without_recognition_marks(text), fold_case=True)
    words = re.findall(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]", plain)
    return "\n" + "\n".join(words) + "\n" if words else ""


def _is_shortened(quote_words: str, text: str) -> bool:
    """Whether dots in ``text`` replace the middle of the quote."""
    pieces = _DOTS.split(text)
    heads = [len(_common_words(_words(piece), quote_words)) for piece in pieces]
    tails = [len(_common_words(_words(piece)[::-1], quote_words[::-1])) for piece in pieces]
    return any(
        head > _LEAST and max(tails[following:], default=0) > _LEAST
        for following, head in enumerate(heads[:-1], 1)
    )


def _common_words(text: str, quote: str) -> str:
    """The longest beginning of ``quote``, in whole words, with which ``text`` ends."""
    size = min(len(text), len(quote))
    while size > 1:
        if text.endswith(quote[:size]) and quote[size - 1] == "\n":
            return quote[:size]
        size -= 1
    return ""


RECALL_WEIGHT = 0.5
"""The weight of a recall that reaches its minimum."""
PRECISION_WEIGHT = 0.3
"""The weight of a precision that reaches its minimum."""
CITATION_WEIGHT = 0.2
"""The weight of citing anything at all."""
SHOWN = 1 / 3
"""The least share of a key point's words in the citation of its evidence that shows it."""


class RetrievedPiece(Struct, frozen=True, kw_only=True):
    """A citation or statement of the answer, and the indices of the items that it supports."""

    shown: str
    items: tuple[int, ...]
    text: str = ""
    problem: str | None = None


class EvidenceSetScore(Struct, frozen=True, kw_only=True):
    """The score of an answer. ``recall`` is ``None`` if nothing is required.

    ``found`` and ``missing`` are indices of the required items. ``count_met`` says whether at
    least ``evidence_count_min`` items were found; it is shown and not part of the score.
    """

    score: float
    found: tuple[int, ...]
    missing: tuple[int, ...]
    recall: float | None
    precision: float | None
    recall_met: bool
    precision_met: bool
    citation_provided: bool
    count_met: bool
    retrieved: tuple[RetrievedPiece, ...]
    why: tuple[str, ...]


def evidence_set_score(
    question: EvidenceExpectation,
    answer: BenchAnswer,
    pages: Sequence[str],
    *,
    has_page_marks: bool = True,
) -> EvidenceSetScore:
    """The score of one answer; ``pages`` are the pages of the document, if there is one.

    >>> from assay.jobs.legal.question import EvidenceQuestion, ExpectedEvidence, RequiredEvidence
    >>> question = EvidenceQuestion(id="q", question="?", expected=ExpectedEvidence(),
    ...     required_evidence=(RequiredEvidence(page=1, must_include="paid back £900"),))
    >>> answer = BenchAnswer(text="He paid back £900.")
    >>> evidence_set_score(question, answer, ["I paid back £900."]).score
    0.8
    """
    items = required_items(question.required_evidence, question.expected.key_points)
    retrieved = _retrieved_pieces(answer, items, pages, has_page_marks=has_page_marks)
    supported = {index for piece in retrieved for index in piece.items}
    supported |= _stated_key_points(answer, items, pages)
    supported |= _shown_key_points(items, retrieved)
    found = tuple(sorted(supported))
    evidence_count = len(question.required_evidence)
    counted = [index for index in found if index < evidence_count or not evidence_count]
    missing = tuple(index for index in range(len(items)) if index not in found)
    recall = len(found) / len(items) if items else None
    relevant = sum(bool(piece.items) for piece in retrieved)
    precision = relevant / len(retrieved) if retrieved else None
    scoring = question.scoring
    recall_met = recall is None or recall >= scoring.evidence_recall_min
    precision_met = precision is not None and precision >= scoring.evidence_precision_min
    cited = bool(answer.cited) or not scoring.citation_required
    why = [f"missing: {items[index].shown}" for index in missing]
    why += [
        f"{piece.shown}: {piece.problem or 'carries nothing required'}"
        for piece in retrieved
        if not piece.items
    ]
    if not cited:
        why.append("nothing is cited")
    return EvidenceSetScore(
        score=round(
            RECALL_WEIGHT * recall_met + PRECISION_WEIGHT * precision_met + CITATION_WEIGHT * cited,
            10,
        ),
        found=found,
        missing=missing,
        recall=recall,
        precision=precision,
        recall_met=recall_met,
        precision_met=precision_met,
        citation_provided=cited,
        count_met=len(counted) >= question.expected.evidence_count_min,
        retrieved=retrieved,
        why=tuple(why),
    )


def _retrieved_pieces(
    answer: BenchAnswer,
    items: Sequence[RequiredItem],
    pages: Sequence[str],
    *,
    has_page_marks: bool,
) -> tuple[RetrievedPiece, ...]:
    cited = [passage for passage in answer.evidence or answer.cited if passage.text]
    if not cited:  # a bare page shows nothing that was not said
        return tuple(_stated_pieces(without_citations(answer.text, pages=True), items, pages))
    checks = [check_citation(passage, pages, has_page_marks=has_page_marks) for passage in cited]
    return tuple(
        RetrievedPiece(
            shown=check.citation.shown,
            items=tuple(index for index, item in enumerate(items) if supports_item(item, check)),
            text=check.text,
            problem=check.problem,
        )
        for check in checks
    )


def _stated_key_points(
    answer: BenchAnswer, items: Sequence[RequiredItem], pages: Sequence[str]
) -> set[int]:
    """The key points that the text of the answer states, whatever it cites."""
    pieces = _stated_pieces(without_citations(answer.text, pages=True), items, pages)
    return {index for piece in pieces for index in piece.items if items[index].is_key_point}


def _shown_key_points(
    items: Sequence[RequiredItem], retrieved: Sequence[RetrievedPiece]
) -> set[int]:
    """The key points of retrieved evidence whose cited words share enough words with them."""
    return {
        position
        for position, point in enumerate(items)
        if point.is_key_point
        for piece in retrieved
        for index in piece.items
        if items[index].key_point == point.must_include
        and shared_share(point.must_include, piece.text) >= SHOWN
    }


def _stated_pieces(
    text: str, items: Sequence[RequiredItem], pages: Sequence[str]
) -> Iterator[RetrievedPiece]:
    """The statements of the answer, without those that abstain and support no item."""
    for sentence in (span.of(text) for span in sentences(text)):
        is_silent = abstains(sentence)
        supported = tuple(
            index
            for index, item in enumerate(items)
            if is_stated(item, sentence, pages)
            and not (is_silent and not stands_in(item.must_include, sentence))
        )
        if supported or (any(map(str.isalnum, sentence)) and not is_silent):
            yield RetrievedPiece(shown=f"“{sentence}”", items=supported, text=sentence)
