"""Check a set of questions: what is wrong with which question, and with the set as a whole.

``--fix`` writes a cleaned copy of the set, and a list of what is not in it and why. The set itself
stays as it is.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.checks.correctness import expects_abstention
from assay.config.workspace import Workspace
from assay.data.corpus.chunk import Chunk, corpus_path, load_corpus
from assay.data.corpus.chunker import chunk_document
from assay.data.document.document import is_document, read_document
from assay.data.jsonl import UNREADABLE, decoded_lines, repeated_key
from assay.data.question import is_metadata
from assay.data.question_set import foreign_questions, is_own_format
from assay.errors import UseError
from assay.jobs.corpus.ingest import chunks_folder
from assay.questions.check.item import (
    LEVELS,
    Item,
    Kind,
    QuestionFault,
    is_bench_file,
    question_score,
    read_bench_items,
    read_items,
)
from assay.questions.check.passage import (
    GoldText,
    OtherPassages,
    Passages,
    Tell,
    proposal,
    quoted_passages,
)
from assay.questions.check.question_words import (
    answer_in_question,
    choice_faults,
    duplicate_findings,
    is_copied,
    language_faults,
    overlap,
)
from assay.questions.check.stated_answer import unstated
from assay.questions.gold import next_version, renamed_metadata, set_name
from assay.text.language import language
from assay.text.search_term import words
from assay.text.shingle import Shingles, shingles
from assay.text.width import shortened
from assay.words.message import Message, message

# Whether the questions are spread over documents, and over the places in them.

FIFTHS: Final = 5
LEAST_QUESTIONS: Final = 20
"""Fewer questions say nothing about balance."""
MOST_MOVED: Final = 0.5
"""A larger share of questions at the wrong place is a finding."""


class Balance(Struct, frozen=True, kw_only=True):
    """How many questions are about which document and which fifth of it.

    ``sources_moved`` is the share of questions that would have to be about another document so that
    each document has as many as its length says; ``fifths_moved`` is the same for the fifths. Gold
    that reaches over several fifths counts for each of them by its share.
    ``None`` if fewer than 20 questions have a known place.
    """

    located: int = 0
    sources: dict[str, int] = {}
    without: int = 0
    fifths: tuple[float, ...] = (0.0,) * FIFTHS
    sources_moved: float | None = None
    fifths_moved: float | None = None


class Places:
    """Counts where the gold of questions is."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._sources: Counter[str] = Counter()
        self._fifths = [0.0] * FIFTHS
        self._located = 0

    def add(self, item: Item, evidence: GoldText) -> None:
        """Count a question by its first gold passage."""
        if not evidence.passages or not self._passages.is_corpus:
            return
        first = min(evidence.passages)
        self._located += 1
        self._sources[self._passages.chunks[first].source] += 1
        for number, share in enumerate(_shares(*self._passages.extent(item, evidence))):
            self._fifths[number] += share

    def balance(self) -> Balance:
        """What was counted."""
        lengths = self._passages.lengths if self._passages.is_corpus else {}
        enough = self._located >= LEAST_QUESTIONS
        return Balance(
            located=self._located,
            sources=dict(self._sources.most_common()),
            without=sum(source not in self._sources for source in lengths),
            fifths=tuple(round(count, 1) for count in self._fifths),
            sources_moved=_moved(self._sources, lengths) if enough and len(lengths) > 1 else None,
            fifths_moved=_moved_fifths(self._fifths) if enough else None,
        )


def balance_findings(balance: Balance) -> Iterator[QuestionFault]:
    """Findings about the whole set."""
    if balance.sources_moved is not None and balance.sources_moved > MOST_MOVED:
        top, count = next(iter(balance.sources.items()))
        yield QuestionFault(
            kind="unbalanced_sources",
            what=message(
                "{count} of {located} questions are about {top}, and {without} documents have none; {sources_moved} would have to move so that each document has as many as its length says",
                sources_moved=f"{balance.sources_moved:.0%}",
                count=count,
                located=balance.located,
                top=top,
                without=balance.without,
            ),
        )
    if balance.fifths_moved is not None and balance.fifths_moved > MOST_MOVED:
        shown = ", ".join(f"{count:.0f}" for count in balance.fifths)
        yield QuestionFault(
            kind="unbalanced_positions",
            what=message(
                "from the beginning to the end, the fifths of the documents have {shown} questions; {fifths_moved} would have to move to be even",
                fifths_moved=f"{balance.fifths_moved:.0%}",
                shown=shown,
            ),
        )


def _shares(low: float, high: float) -> list[float]:
    """The shares of a part in the fifths; a point is in one of them.

    >>> [round(share, 2) for share in _shares(0.0, 0.5)], _shares(1.0, 1.0)
    ([0.4, 0.4, 0.2, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0])
    """
    if high - low < 1 / (100 * FIFTHS):
        place = min(FIFTHS - 1, max(0, math.floor((low + high) / 2 * FIFTHS)))
        return [float(number == place) for number in range(FIFTHS)]
    return [
        max(0.0, min(high, (number + 1) / FIFTHS) - max(low, number / FIFTHS)) / (high - low)
        for number in range(FIFTHS)
    ]


def _moved(counts: Mapping[str, int], sizes: Mapping[str, int]) -> float:
    """Half the sum of the differences between two distributions (total variation)."""
    total, size = sum(counts.values()), sum(sizes.values())
    return _total_variation(
        (counts.get(name, 0) / total, sizes[name] / max(1, size)) for name in sizes
    )


def _moved_fifths(counts: Sequence[float]) -> float:
    total = sum(counts) or 1.0
    return _total_variation((count / total, 1 / FIFTHS) for count in counts)


def _total_variation(pairs: Iterable[tuple[float, float]]) -> float:
    return sum(abs(left - right) for left, right in pairs) / 2


class QuestionCheck(Struct, frozen=True, kw_only=True, gc=False):
    """A question of the set: its score, and the words it shares with its evidence (0 to 1).

    ``overlap`` is ``None`` if the evidence is not known.
    """

    id: str
    line: int
    score: float
    overlap: float | None = None


class SetCheck(Struct, frozen=True, kw_only=True):
    """Everything that was found. ``questions`` has all that could be read.

    ``without_gold``: questions that are answerable and name no gold; ``without_evidence``: the text
    of their gold is not known, so that it was not checked. ``closed_book``: questions that a model
    answers without the document; ``None`` if no model was asked.
    """

    path: Path
    corpus: str
    questions: tuple[QuestionCheck, ...]
    findings: tuple[QuestionFault, ...]
    balance: Balance
    languages: dict[str, int]
    without_gold: int
    without_evidence: int
    closed_book: int | None = None

    @property
    def flagged(self) -> int:
        """The number of questions with a finding, lines that are no questions included."""
        return len({finding.line for finding in self.findings if finding.line})

    @property
    def counts(self) -> dict[Kind, int]:
        """The number of findings of each kind that was found, in the order of the kinds."""
        found = Counter(finding.kind for finding in self.findings)
        return {kind: found[kind] for kind in LEVELS if found[kind]}

    @property
    def score(self) -> float:
        """The mean score of the questions; a line that is no question counts as 0."""
        total = len(self.questions) + self.counts.get("file_problem", 0)
        return sum(question.score for question in self.questions) / total if total else 0.0

    @property
    def passed(self) -> bool:
        """Whether there is neither an error nor a warning."""
        return all(finding.level == "note" for finding in self.findings)


def check_questions(
    path: Path,
    chunks: Sequence[Chunk] | None = None,
    corpus: str = "",
    known: Iterable[QuestionFault] | None = None,
    tell: Tell = lambda _done, _total, _what: None,
) -> SetCheck:
    """Check the set of a file against the chunks of its corpus, or without a corpus.

    Without one, the texts that the set quotes as gold are its passages. ``known`` are the questions
    that a model answers without the document; ``None`` if no model was asked. ``tell`` is told of
    the progress.

    Raises:
        DatasetError: the file cannot be read, or has no questions.
    """
    items, faults = read_bench_items(path) if is_bench_file(path) else read_items(path)
    passages = Passages(chunks) if chunks is not None else quoted_passages(items)
    checker = _Checker(passages, tell)
    answered = list(known or ())
    findings = [*faults, *answered]
    for number, item in enumerate(items):
        tell(number, len(items), "questions")
        findings += checker.check(item)
    findings += duplicate_findings(items, checker.sets)
    balance = checker.places.balance()
    findings += balance_findings(balance)
    by_line: dict[int, list[QuestionFault]] = {}
    for finding in findings:
        by_line.setdefault(finding.line, []).append(finding)
    order = {kind: number for number, kind in enumerate(LEVELS)}
    return SetCheck(
        path=path,
        corpus=corpus,
        questions=tuple(
            QuestionCheck(
                id=item.id,
                line=item.line,
                score=question_score(by_line.get(item.line, ())),
                overlap=share,
            )
            for item, share in zip(items, checker.overlaps, strict=True)
        ),
        findings=tuple(sorted(findings, key=lambda each: (order[each.kind], each.line))),
        balance=balance,
        languages=dict(checker.languages.most_common()),
        without_gold=checker.without_gold,
        without_evidence=checker.without_evidence,
        closed_book=None if known is None else len(answered),
    )


class _Checker:
    """Looks at the questions one by one, and keeps what is needed to look at all of them."""

    def __init__(self, passages: Passages, tell: Tell) -> None:
        self._passages = passages
        self._others = OtherPassages(passages, tell) if passages.chunks else None
        self.sets: list[Shingles] = []
        self.overlaps: list[float | None] = []
        self.places = Places(passages)
        self.languages: Counter[str] = Counter()
        self.without_gold = 0
        self.without_evidence = 0

    def check(self, item: Item) -> Iterator[QuestionFault]:
        """The findings of one question, apart from those about other questions."""
        found = words(item.text)
        self.sets.append(shingles(item.text, found))
        self.languages[language(item.text)] += 1
        evidence = self._passages.evidence(item)
        self._count(item, evidence)
        text = evidence.text
        share = overlap(found, text) if text else None
        self.overlaps.append(None if share is None else round(share, 3))
        for what in (*evidence.missing, *self._missing_document(item)):
            yield _finding("gold_missing", item, what)
        reason = self._unstated(item, text)
        if reason:
            yield _finding("answer_not_in_evidence", item, reason)
        if away := answer_in_question(item):
            yield _finding(
                "answer_in_question",
                item,
                message("the question contains its answer {away}", away=repr(away)),
            )
        for what in choice_faults(item):
            yield _finding("two_right_choices", item, what)
        for what in language_faults(item, text):
            yield _finding("language_mix", item, what)
        if text and is_copied(found, text):
            yield _finding(
                "copied_words",
                item,
                message(
                    "it repeats a sentence of its gold passage, so that matching words is enough to find it"
                ),
            )
        if item.answerable is False:
            yield from self._answered(item, found)
        elif not reason:
            yield from self._elsewhere(item, found, evidence)

    def _unstated(self, item: Item, text: str) -> Message | str:
        """Why the gold does not have the answer; without gold, why the named document does not."""
        if not item.answers:
            return ""
        if text:
            return unstated(item.answers, text, item.text)
        if item.gold or item.spans or item.has_own_check:
            return ""
        document = self._passages.document(item.source)
        reason = unstated(item.answers, document, item.text) if document else ""
        return f"{item.source}: {reason}" if reason else ""

    def _missing_document(self, item: Item) -> Iterator[Message | str]:
        """What is said if a question without gold names a document that the corpus does not have."""
        if item.gold or item.spans or item.has_own_check or not item.source:
            return
        if self._passages.is_corpus and not self._passages.document(item.source):
            yield message("the corpus has no document {source}", source=repr(item.source))

    def _answered(self, item: Item, found: Sequence[str]) -> Iterator[QuestionFault]:
        if item.unused and not expects_abstention(item.unused):
            what = message(
                "it is marked unanswerable, but an answer is expected: {a}", a=repr(item.unused[0])
            )
            yield _finding("unanswerable_answer", item, what)
        known = self._others is not None and self._passages.is_corpus
        chunk = self._others.answering(item, found) if known and self._others else None
        if chunk is not None:
            what = message("this passage seems to answer it: {a}", a=repr(shortened(chunk.text)))
            yield _passage_finding("answered_by_corpus", item, what, chunk)

    def _elsewhere(
        self, item: Item, found: Sequence[str], evidence: GoldText
    ) -> Iterator[QuestionFault]:
        chunk = self._others.find(item, found, evidence) if self._others is not None else None
        if chunk is not None:
            what = message("this passage answers it too: {a}", a=repr(shortened(chunk.text)))
            yield _passage_finding("answer_elsewhere", item, what, chunk)

    def _count(self, item: Item, evidence: GoldText) -> None:
        self.places.add(item, evidence)
        if item.answerable is False or item.has_own_check:
            return
        if not item.gold and not item.spans:
            is_checked = bool(item.answers and self._passages.document(item.source))
            self.without_gold += not is_checked
        elif not evidence.text:
            self.without_evidence += 1


def _finding(kind: Kind, item: Item, what: Message | str) -> QuestionFault:
    return QuestionFault(kind=kind, what=what, id=item.id, line=item.line)


def _passage_finding(kind: Kind, item: Item, what: Message | str, chunk: Chunk) -> QuestionFault:
    return replace(_finding(kind, item, what), other=chunk.id, proposal=proposal(chunk))


# The corpus that a set is checked against: chunks of ``assay ingest``, or a document.


def load_passages(given: Path | None, workspace: Workspace) -> tuple[Sequence[Chunk] | None, str]:
    """The chunks of the corpus and its name; ``None`` if the workspace has no corpus.

    ``given`` is a manifest, a folder of chunks, or a document, which is cut as ``assay ingest``
    cuts it. Without it, the corpus of the workspace is taken.

    Raises:
        UseError: there is nothing at ``given``.
        DatasetError: the corpus or the document cannot be read.
    """
    if given is None:
        manifest = corpus_path(chunks_folder(workspace) / "manifest.json")
        if not manifest.exists():
            return None, ""
        return load_corpus(manifest, workspace.bounds).chunks, str(manifest)
    if not given.exists():
        raise UseError(f"--corpus {given}: there is no such file or folder")
    if given.is_file() and given.suffix.lower() != ".json" and is_document(given):
        return list(chunk_document(read_document(given, name=given.name))), str(given)
    return load_corpus(given).chunks, str(given)


_COPIES = frozenset({"duplicate", "near_duplicate"})
_encode = msgspec.json.Encoder().encode


class Fixed(Struct, frozen=True, kw_only=True):
    """The cleaned copy, the list of what was taken out, and how many questions are in each."""

    path: Path
    removed_path: Path
    kept: int
    removed: int


def write_fixed(check: SetCheck, out: Path | None = None) -> Fixed:
    """Write the questions without an error, and beside them those with one and their findings.

    Of questions that ask the same, the first one stays, unless it has another error. A line is
    copied byte for byte. The list has every line that is not in the copy, whole.

    Raises:
        UseError: a file exists, cannot be written, or no question would be left; or it is a file of
            ``assay bench``.
    """
    if is_bench_file(check.path):
        raise UseError(f"{check.path}: a file of assay bench is one JSON object; mend it by hand")
    target = out or next_version(check.path.parent, set_name(check.path), at_least=2)
    removed_path = target.with_name(f"{target.stem}.removed.jsonl")
    faults = removed_lines(check)
    if check.path.resolve() in {target.resolve(), removed_path.resolve()}:
        raise UseError(f"--out {target}: the set itself is never changed; name another file")
    if not any(question.line not in faults for question in check.questions):
        raise UseError(f"{check.path}: every question has an error; nothing would be left")
    for path in (target, removed_path):
        if path.exists():
            raise UseError(f"{path} exists; choose another --out, or delete it")
    kept = removed = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as copy, removed_path.open("xb") as rest:
            for number, line, is_question in _lines(check.path, target):
                if number in faults:
                    rest.write(_encode(_removed(number, line, faults[number])) + b"\n")
                    removed += 1
                else:
                    copy.write(line + b"\n")
                    kept += is_question
    except OSError as error:
        raise UseError(f"{target}: cannot be written: {error.strerror or error}") from None
    return Fixed(path=target, removed_path=removed_path, kept=kept, removed=removed)


def removed_lines(check: SetCheck) -> dict[int, list[QuestionFault]]:
    """The lines that are taken out, with all findings of each."""
    errors = [finding for finding in check.findings if finding.level == "error"]
    broken = {each.line for each in errors if each.kind not in _COPIES}
    ids = {question.id for question in check.questions if question.line in broken}
    taken = broken | {
        each.line for each in errors if each.kind in _COPIES and each.other not in ids
    }
    found: dict[int, list[QuestionFault]] = {}
    for finding in check.findings:
        if finding.line in taken:
            found.setdefault(finding.line, []).append(finding)
    return found


def _lines(path: Path, target: Path) -> Iterator[tuple[int, bytes, bool]]:
    """The lines of a set, and whether each is a question; of another format, our own rows."""
    if not is_own_format(path):
        for row in foreign_questions(path, with_repeats=True):
            yield row.line, row.text.encode() if row.fault else _encode(row.fields), True
        return
    for number, line in decoded_lines(path):
        if is_metadata(_decoded(line)):
            yield number, renamed_metadata(line, target), False
        else:
            yield number, line.rstrip(b"\r\n"), True


def _decoded(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except UNREADABLE:
        return None


def _removed(number: int, line: bytes, findings: list[QuestionFault]) -> dict[str, Any]:
    row = _decoded(line)
    said = [{"kind": finding.kind, "what": str(finding.what)} for finding in findings]
    is_lossy = row is None or repeated_key(line) is not None
    whole = {"text": line.decode("utf-8", "replace")} if is_lossy else {"row": row}
    return {"line": number, "id": findings[0].id, "findings": said, **whole}
