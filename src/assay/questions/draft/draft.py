"""A drafted question with its evidence, and the line that it becomes in a file of questions."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct

from assay.data.corpus.chunk import Chunk
from assay.data.corpus.chunker import SEPARATOR
from assay.text.language import Language
from assay.text.normalise import normalised
from assay.text.search_term import words

# The kinds of questions that are drafted, and how many of them are wanted.

Kind: TypeAlias = Literal[
    "fact", "number", "date", "multi_passage", "multi_document", "comparison", "yes_no",
    "unanswerable", "choice",
]  # fmt: skip

KINDS: Final[tuple[Kind, ...]] = tuple(kind for kind in get_args(Kind) if kind != "choice")
"""The kinds about a corpus, in the order in which they are listed; ``choice`` is about a novel."""
RULE_KINDS: Final[tuple[Kind, ...]] = ("fact", "number", "date", "unanswerable")
"""The kinds that rules draft as people would ask; the others need a model."""

COUNT: Final = 50
"""How many questions are drafted if the user does not say."""


class Wanted(Struct, frozen=True, kw_only=True):
    """How many questions, of which kinds; another seed drafts others."""

    count: int = COUNT
    kinds: tuple[Kind, ...] = KINDS
    seed: int = 0


BY_TEMPLATE: Final = "template"
_ID_BYTES: Final = 6


class DraftSource(Struct, frozen=True, kw_only=True):
    """A part of a document. The offsets are None if the corpus does not say where it lies."""

    source: str
    text: str
    start: int | None = None
    end: int | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a gold span."""
        offsets = {} if self.start is None else {"start": self.start, "end": self.end}
        return {"source": self.source, "text": self.text, **offsets}


class Draft(Struct, frozen=True, kw_only=True):
    """A drafted question.

    The evidence of an unanswerable question is the passage that nearly answers it.
    """

    kind: Kind
    question: str
    answers: tuple[str, ...]
    evidence: tuple[DraftSource, ...]
    language: Language
    by: str = BY_TEMPLATE

    @property
    def id(self) -> str:
        """A hash of what is asked and where."""
        places = [f"{item.source}\0{item.start}\0{item.text}" for item in self.evidence]
        content = "\0".join([self.kind, self.question, *places]).encode("utf-8", "surrogatepass")
        return f"d{hashlib.blake2b(content, digest_size=_ID_BYTES).hexdigest()}"

    @property
    def row(self) -> dict[str, Any]:
        """The line of a file of questions."""
        first = self.evidence[0]
        sources = {item.source for item in self.evidence}
        row: dict[str, Any] = {"id": self.id, "question": self.question}
        if len(sources) == 1:
            row["source"] = first.source
        if self.kind == "unanswerable":
            row["answerable"] = False
        else:
            row["answer"] = list(self.answers)
            row["gold"] = [item.fields for item in self.evidence]
        place = {} if first.start is None else {"start": first.start, "end": first.end}
        row["draft"] = {"by": self.by, "kind": self.kind, "document": first.source, **place}
        return row


# The order in which drafts are taken: documents in turn, and places far from each other.

T = TypeVar("T")
_GOLDEN: Final = 0.6180339887498949


def spread(drafts: Sequence[Draft], seed: int) -> list[Draft]:
    """The drafts so that every beginning of the list is spread over documents and places."""
    by_document: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        by_document[draft.evidence[0].source].append(draft)
    for items in by_document.values():
        items.sort(key=lambda draft: (draft.evidence[0].start or 0, draft.question))
    documents = sorted(by_document, key=lambda name: text_hash(f"{seed}:{name}"))
    orders = [far_apart(by_document[name], text_hash(f"{seed}/{name}")) for name in documents]
    longest = max(map(len, orders), default=0)
    return [order[turn] for turn in range(longest) for order in orders if turn < len(order)]


def far_apart(items: Sequence[T], shift: int) -> list[T]:
    """The items in steps of the golden section, which leave no large gap at any time."""
    order = sorted(range(len(items)), key=lambda place: (place * _GOLDEN + shift / 997) % 1.0)
    return [items[place] for place in order]


def text_hash(text: str) -> int:
    """A hash that is the same in every process."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=7).digest())


# Drafts as they are found, of which only so many are kept that memory stays flat.

_LEAST_KEPT: Final = 1000
_KEPT_FOR_EACH: Final = 10
_CONFLICT: Final = -1


class DraftPool:
    """Collects drafts, at most some thousands of a kind, and knows which questions are ambiguous.

    A question that has several answers, in one document or in two, is not asked.
    """

    def __init__(self, count: int, seed: int) -> None:
        self._most = max(_LEAST_KEPT, _KEPT_FOR_EACH * count)
        self._seed = seed
        self._drafts: dict[Kind, list[Draft]] = defaultdict(list)
        self._answers: dict[int, int] = {}
        self.left_out: Counter[str] = Counter()

    def add(self, drafts: Iterable[Draft]) -> None:
        """Add drafts; a question that is there already is not kept twice."""
        for draft in drafts:
            question = text_hash(normalised(draft.question, fold_case=True))
            answer = text_hash("\0".join(draft.answers))
            known = self._answers.setdefault(question, answer)
            if known != answer:
                self._answers[question] = _CONFLICT
                self.left_out["the same question has several answers"] += 1
                continue
            self._drafts[draft.kind].append(draft)
            if len(self._drafts[draft.kind]) > 2 * self._most:
                self._shrink(draft.kind)

    def drafts(self, kind: Kind) -> list[Draft]:
        """The drafts of a kind in the order in which they should be taken."""
        unique: dict[str, Draft] = {}
        for draft in self._drafts[kind]:
            text = normalised(draft.question, fold_case=True)
            if self._answers[text_hash(text)] == _CONFLICT:
                self.left_out["the same question has several answers"] += 1
            elif text in unique:
                self.left_out["asked twice"] += 1
            else:
                unique[text] = draft
        return spread(list(unique.values()), self._seed)

    def _shrink(self, kind: Kind) -> None:
        self._drafts[kind] = spread(self._drafts[kind], self._seed)[: self._most]


# Choosing drafts: of all kinds, about all documents, and no question twice.

WEIGHTS: Final[Mapping[Kind, int]] = {
    "fact": 4, "number": 3, "date": 3, "multi_passage": 2, "multi_document": 2, "comparison": 2,
    "yes_no": 2, "unanswerable": 2,
}  # fmt: skip
"""How many drafts of each kind are chosen, in proportion, if there are enough."""
TOO_ALIKE: Final = 0.9
"""Questions with this share of common words are taken for the same one."""
_RARE_WORDS: Final = 6


class Selection(Struct, frozen=True, kw_only=True):
    """The chosen drafts in the order of their documents; and why others were left out."""

    drafts: tuple[Draft, ...]
    left_out: dict[str, int]


def select(
    pool: DraftPool, count: int, kinds: Sequence[Kind], *, one_of_a_sentence: bool = True
) -> Selection:
    """Choose ``count`` drafts, or as many as there are.

    Unless ``one_of_a_sentence`` is false, a sentence is asked about once.
    """
    queues = {kind: pool.drafts(kind)[::-1] for kind in kinds}
    taker = _Taker(one_of_a_sentence=one_of_a_sentence)
    chosen: list[Draft] = []
    while len(chosen) < count and any(queues.values()):
        for kind in _turns(kinds):
            draft = taker.take(queues[kind]) if len(chosen) < count else None
            if draft is not None:
                chosen.append(draft)
    chosen.sort(key=_place)
    left_out = pool.left_out + taker.left_out
    return Selection(drafts=tuple(chosen), left_out=dict(left_out))


def _place(draft: Draft) -> tuple[str, int, str]:
    first = draft.evidence[0]
    return first.source, first.start or 0, draft.question


def _turns(kinds: Sequence[Kind]) -> Iterator[Kind]:
    """The kinds as often as they weigh, mixed."""
    for turn in range(max(WEIGHTS.values())):
        yield from (kind for kind in kinds if turn < WEIGHTS[kind])


class _Taker:
    """Takes drafts that are neither about the same sentence as a taken one nor too much like it."""

    def __init__(self, *, one_of_a_sentence: bool) -> None:
        self._one_of_a_sentence = one_of_a_sentence
        self.left_out: Counter[str] = Counter()
        self._used: set[tuple[str, str]] = set()
        self._terms: list[frozenset[str]] = []
        self._by_word: dict[str, list[int]] = defaultdict(list)

    def take(self, queue: list[Draft]) -> Draft | None:
        """The next draft at the end of a queue that can be taken; None if there is none."""
        while queue:
            draft = queue.pop()
            places = {(item.source, item.text) for item in draft.evidence}
            if self._one_of_a_sentence and places & self._used:
                self.left_out["about a sentence that another draft is about"] += 1
            elif not self._is_new(draft.question):
                self.left_out["too much like another draft"] += 1
            else:
                self._used |= places
                return draft
        return None

    def _is_new(self, question: str) -> bool:
        """Whether no taken question is much like this one, which is then remembered.

        It is compared with those that share one of its rarest words.
        """
        terms = frozenset(words(question))
        rarest = sorted(terms, key=lambda word: (len(self._by_word.get(word, ())), word))
        near = {n for word in rarest[:_RARE_WORDS] for n in self._by_word.get(word, ())}
        for number in near:
            other = self._terms[number]
            if len(terms & other) >= TOO_ALIKE * len(terms | other):
                return False
        for word in terms:
            self._by_word[word].append(len(self._terms))
        self._terms.append(terms)
        return True


# Where the text of a chunk lies in its document.

_LONGEST_SIGN: Final = 8


def text_start(chunk: Chunk) -> int | None:
    r"""The offset in the document from which offsets in the chunk's text count; None if unknown.

    It is known if the document has the same characters there. A chunk that begins with a heading has
    lost the sign of this heading (``##``): then offsets are right after its first line.

    >>> chunk = Chunk(id="1", text="Sea\n\nIt is deep.", source="a.md", heading="Sea", start=0, end=18)
    >>> text_start(chunk)
    2
    """
    if chunk.start is None or chunk.end is None:
        return None
    missing = chunk.end - chunk.start - len(chunk.text)
    if missing == 0:
        return chunk.start
    title = (chunk.heading or "").rpartition(SEPARATOR)[2]
    begins_with_title = bool(title) and chunk.text.partition("\n")[0] == title
    is_sign = 0 < missing <= _LONGEST_SIGN and begins_with_title
    return chunk.end - len(chunk.text) if is_sign else None
