"""The digests of a plan's questions: computed once, or taken from the plan that a run stored.

The digest of what is asked has eight digits. If an answer is held against parts of the question, the
digest of these follows, with eight digits more.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final

from assay.errors import JournalCorrupt
from assay.mask import mask_identifiers
from assay.records import DIGEST_BYTES, Question, digest

BATCH: Final = 64
"""How many questions are held in memory at a time; each may have a long text."""

DIGITS: Final = 2 * DIGEST_BYTES
"""How many digits of a question's digests are that of what is asked."""


class QuestionDigests:
    """The digests of the questions from the first one on, as far as they were needed.

    Only the part of a question that ``asked`` returns counts, and what ``against`` returns.
    """

    def __init__(
        self,
        asked: Callable[[Any], Question] | None,
        against: Callable[[Any], Any] | None = None,
    ) -> None:
        self._asked = asked
        self._against = against
        self._bytes = DIGEST_BYTES * (1 if against is None else 2)
        self._known = bytearray()
        self._stored: Iterator[tuple[str, str]] | None = None

    def recall(self, stored: Iterator[tuple[str, str]]) -> None:
        """Take the digests from a stored plan, which has the id and the digest of each question.

        Of every batch the ids are compared and one question is hashed. From the first batch on
        that does not agree, everything is hashed.
        """
        self._stored = stored

    def of(
        self, questions: Iterable[Question]
    ) -> Iterator[tuple[list[Question], list[str], list[str]]]:
        """The questions, their masked ids and their digests, from the first on, in batches."""
        rest, start = iter(questions), 0
        while batch := list(islice(rest, BATCH)):
            names = mask_identifiers([question.id for question in batch])
            end = start + len(batch) * self._bytes
            if end <= len(self._known):
                digests = self._known[start:end].hex(" ", self._bytes).split()
            else:
                is_next = start == len(self._known)
                digests = (self._recalled(batch, names) if is_next else None) or [
                    self._made(question) for question in batch
                ]
                self._known[start:] = bytes.fromhex("".join(digests))
            yield batch, names, digests
            start = end

    def get(self, number: int, question: Question) -> str:
        """The digest of a question, which is the one with this number."""
        start = number * self._bytes
        known = self._known[start : start + self._bytes]
        return known.hex() if known else self._made(question)

    def _made(self, question: Question) -> str:
        asked = digest(question if self._asked is None else self._asked(question))
        return asked if self._against is None else asked + digest(self._against(question))

    def _recalled(self, batch: list[Question], names: list[str]) -> list[str] | None:
        """The stored digests of the next questions; ``None`` if they are not known for certain."""
        if self._stored is None:
            return None
        try:
            stored = list(islice(self._stored, len(batch)))
        except JournalCorrupt:  # the run stores the plan again
            stored = []
        digests = [current for _, current in stored]
        if [name for name, _ in stored] == names and digests[0] == self._made(batch[0]):
            return digests
        self._stored = None
        return None
