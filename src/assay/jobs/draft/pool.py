"""Drafts as they are found, of which only so many are kept that memory stays flat."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from assay.jobs.draft.draft import Draft
from assay.jobs.draft.kind import Kind
from assay.jobs.draft.order import spread, text_hash
from assay.text import normalised

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
