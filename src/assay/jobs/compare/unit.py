"""What the pairs of a comparison are about: single questions, or questions that were asked often."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.jobs.compare.compared_run import ComparedRun, keys_by_name
from assay.jobs.compare.pair import Pair
from assay.stats import Method, document_count, method_of_units
from assay.text import counted


class Units(Struct, frozen=True, kw_only=True, eq=False):
    """The documents and the questions of some pairs, as numbers."""

    documents: NDArray[np.intp]
    questions: NDArray[np.intp]

    @property
    def method(self) -> Method:
        """How the pairs are tested: related ones are no independent observations."""
        return method_of_units(self.documents, self.questions)

    @property
    def notes(self) -> list[str]:
        """What the comparison is about, if not simply about its pairs."""
        notes = []
        method = self.method
        if method.by_question:
            count = len(np.unique(self.questions))
            pairs = f"{len(self.questions)} pairs are answers to {counted(count, 'question')}"
            notes.append(f"{pairs}: a question counts once, not each of its pairs")
        if method.has_wider_intervals:
            documents = document_count(self.documents, self.questions)
            about = "the test and its interval are about new questions on these documents"
            plain = "the plain interval is about new documents like these"
            notes.append(f"the questions come from {documents} documents: {about}, {plain}")
        return notes


def units_of(base: ComparedRun, cand: ComparedRun, pairs: Mapping[str, Pair]) -> Units:
    """The units of these pairs; an item without a document is one by itself."""
    base_keys, cand_keys = keys_by_name(base, cand)
    documents, questions = [], []
    for name, (case, _) in pairs.items():
        question = (base_keys.get(name) or cand_keys[name])[0]
        documents.append((case.source if case is not None else None) or f"\0{name}")
        questions.append((case.asked if case is not None else "") or question)
    return Units(documents=_numbered(documents), questions=_numbered(questions))


def _numbered(names: Sequence[str]) -> NDArray[np.intp]:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.intp)
