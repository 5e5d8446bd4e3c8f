"""The questions behind each tile, limited in number so that a page does not become too large.

In each listing, answers that are not fully right come first; in a listing of pairs, answers that
changed come first. Beyond the limit, the rest is only counted.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.jobs.depth.map.results import AskedQuestion, ModelResults, Reply

MOST_LISTED: Final = 6_000
"""The maximum number of questions listed on a page, in all its tiles together."""

MOST_IN_TILE: Final = 120
FEWEST_IN_TILE: Final = 8

Pair = tuple[Reply, Reply]


class ListedQuestion(Struct, frozen=True, kw_only=True):
    """A question; ``right`` has the letters of the correct choices."""

    text: str
    choices: tuple[tuple[str, str], ...]
    correct: str
    right: tuple[str, ...]
    position: tuple[int, int] | None


class ListedReply(Struct, frozen=True, kw_only=True):
    """An answer with its score, and the depth at which the evidence was."""

    answer: str
    score: float
    parsed: bool
    depth: float | None


class Entry(Struct, frozen=True, kw_only=True):
    """The index of a question in the questions of a page, and its answers, one of each model."""

    question: int
    replies: tuple[ListedReply, ...]


class Listing(Struct, frozen=True, kw_only=True):
    """The questions of a tile.

    ``more`` has for each view, ``all`` and ``parsed``, how many answers are not listed, and how many
    of them are right; if there are two models, how many of them changed.
    """

    models: tuple[str, ...]
    entries: tuple[Entry, ...]
    more: Mapping[str, tuple[int, int]]


class Listings:
    """Collects the listings of a page; a question that several models answered is stored once."""

    def __init__(self, tiles: int) -> None:
        self._most = max(FEWEST_IN_TILE, min(MOST_IN_TILE, MOST_LISTED // max(1, tiles)))
        self._numbers: dict[AskedQuestion, int] = {}
        self.questions: list[ListedQuestion] = []
        self.listings: list[Listing] = []

    def add_cell(self, results: ModelResults, replies: Sequence[Reply]) -> int:
        """Add a listing of one model's answers and return the listing's number."""
        ordered = sorted(replies, key=lambda reply: (reply.score == 1.0, reply.score))
        rest = ordered[self._most :]
        parsed = [reply for reply in rest if reply.parsed]
        more = {
            view: (len(left), sum(reply.score == 1.0 for reply in left))
            for view, left in (("all", rest), ("parsed", parsed))
        }
        entries = [self._entry(results, (reply,)) for reply in ordered[: self._most]]
        return self._add((results.model,), entries, more)

    def add_pairs(
        self, results: ModelResults, baseline: ModelResults, pairs: Sequence[Pair]
    ) -> int:
        """Add a listing of the paired answers of two models and return the listing's number."""
        ordered = sorted(pairs, key=lambda pair: -abs(pair[0].score - pair[1].score))
        rest = ordered[self._most :]
        readable = [pair for pair in rest if pair[0].parsed and pair[1].parsed]
        more = {
            view: (len(left), sum(reply.score != other.score for reply, other in left))
            for view, left in (("all", rest), ("parsed", readable))
        }
        entries = [self._entry(baseline, pair) for pair in ordered[: self._most]]
        return self._add((results.model, baseline.model), entries, more)

    def _add(
        self,
        models: tuple[str, ...],
        entries: Sequence[Entry],
        more: dict[str, tuple[int, int]],
    ) -> int:
        self.listings.append(Listing(models=models, entries=tuple(entries), more=more))
        return len(self.listings) - 1

    def _entry(self, source: ModelResults, replies: Sequence[Reply]) -> Entry:
        """The last of the replies is that of the source of the question."""
        return Entry(
            question=self._question(source.questions[replies[-1].question]),
            replies=tuple(
                ListedReply(
                    answer=reply.answer, score=reply.score, parsed=reply.parsed, depth=reply.depth
                )
                for reply in replies
            ),
        )

    def _question(self, question: AskedQuestion) -> int:
        """The number of a question on the page; adds the question if it is new."""
        number = self._numbers.get(question)
        if number is None:
            number = self._numbers[question] = len(self.questions)
            letters = {letter for letter, _ in question.choices}
            self.questions.append(
                ListedQuestion(
                    text=question.text,
                    choices=question.choices,
                    correct=question.correct,
                    right=tuple(part for part in question.correct.split(", ") if part in letters),
                    position=question.position,
                )
            )
        return number
