"""Check a set of questions: what is wrong with which question, and with the set as a whole."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from assay.data.corpus import Chunk
from assay.jobs.questions.check.answer import unstated
from assay.jobs.questions.check.balance import Balance, Places, balance_findings
from assay.jobs.questions.check.bench import is_bench_file, read_bench_items
from assay.jobs.questions.check.duplicate import duplicate_findings
from assay.jobs.questions.check.elsewhere import OtherPassages, proposal
from assay.jobs.questions.check.finding import LEVELS, Finding, Kind, question_score
from assay.jobs.questions.check.item import Item, read_items
from assay.jobs.questions.check.near_duplicate import Shingles, shingles
from assay.jobs.questions.check.passage import Evidence, Passages, quoted_passages
from assay.jobs.questions.check.wording import (
    answer_in_question,
    choice_faults,
    is_copied,
    language_faults,
    overlap,
)
from assay.scorers.correctness import expects_abstention
from assay.text import language, shortened, words


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
    findings: tuple[Finding, ...]
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
    known: Iterable[Finding] | None = None,
) -> SetCheck:
    """Check the set of a file against the chunks of its corpus, or without a corpus.

    Without one, the texts that the set quotes as gold are its passages. ``known`` are the questions
    that a model answers without the document; ``None`` if no model was asked.

    Raises:
        DatasetError: the file cannot be read, or has no questions.
    """
    items, faults = read_bench_items(path) if is_bench_file(path) else read_items(path)
    passages = Passages(chunks) if chunks is not None else quoted_passages(items)
    checker = _Checker(passages)
    answered = list(known or ())
    findings = [*faults, *answered]
    for item in items:
        findings += checker.check(item)
    findings += duplicate_findings(items, checker.sets)
    balance = checker.places.balance()
    findings += balance_findings(balance)
    by_line: dict[int, list[Finding]] = {}
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

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._others = OtherPassages(passages) if passages.chunks else None
        self.sets: list[Shingles] = []
        self.overlaps: list[float | None] = []
        self.places = Places(passages)
        self.languages: Counter[str] = Counter()
        self.without_gold = 0
        self.without_evidence = 0

    def check(self, item: Item) -> Iterator[Finding]:
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
            yield _finding("answer_in_question", item, f"the question contains its answer {away!r}")
        for what in choice_faults(item):
            yield _finding("two_right_choices", item, what)
        for what in language_faults(item, text):
            yield _finding("language_mix", item, what)
        if text and is_copied(found, text):
            yield _finding("copied_words", item, "the question repeats a sentence of its evidence")
        if item.answerable is False:
            yield from self._answered(item, found)
        elif not reason:
            yield from self._elsewhere(item, found, evidence)

    def _unstated(self, item: Item, text: str) -> str:
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

    def _missing_document(self, item: Item) -> Iterator[str]:
        """What is said if a question without gold names a document that the corpus does not have."""
        if item.gold or item.spans or item.has_own_check or not item.source:
            return
        if self._passages.is_corpus and not self._passages.document(item.source):
            yield f"the corpus has no document {item.source!r}"

    def _answered(self, item: Item, found: Sequence[str]) -> Iterator[Finding]:
        if item.unused and not expects_abstention(item.unused):
            what = f"it is marked unanswerable, but an answer is expected: {item.unused[0]!r}"
            yield _finding("unanswerable_answer", item, what)
        known = self._others is not None and self._passages.is_corpus
        chunk = self._others.answering(item, found) if known and self._others else None
        if chunk is not None:
            what = f"this passage seems to answer it: {shortened(chunk.text)!r}"
            yield _passage_finding("answered_by_corpus", item, what, chunk)

    def _elsewhere(self, item: Item, found: Sequence[str], evidence: Evidence) -> Iterator[Finding]:
        chunk = self._others.find(item, found, evidence) if self._others is not None else None
        if chunk is not None:
            what = f"this passage answers it too: {shortened(chunk.text)!r}"
            yield _passage_finding("answer_elsewhere", item, what, chunk)

    def _count(self, item: Item, evidence: Evidence) -> None:
        self.places.add(item, evidence)
        if item.answerable is False or item.has_own_check:
            return
        if not item.gold and not item.spans:
            is_checked = bool(item.answers and self._passages.document(item.source))
            self.without_gold += not is_checked
        elif not evidence.text:
            self.without_evidence += 1


def _finding(kind: Kind, item: Item, what: str) -> Finding:
    return Finding(kind=kind, what=what, id=item.id, line=item.line)


def _passage_finding(kind: Kind, item: Item, what: str, chunk: Chunk) -> Finding:
    return replace(_finding(kind, item, what), other=chunk.id, proposal=proposal(chunk))
