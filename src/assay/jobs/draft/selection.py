"""Choosing drafts: of all kinds, about all documents, and no question twice."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.jobs.draft.draft import Draft
from assay.jobs.draft.kind import Kind
from assay.jobs.draft.pool import DraftPool
from assay.text import words

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
