"""The questions behind each tile, limited in number so that the page does not become too large.

In each listing, answers that are not fully right come first; in a listing of pairs, answers that
changed come first. Beyond the limit, the rest is only counted.
"""

from collections.abc import Sequence
from typing import Final

from assay.jobs.depth.map.results import AskedQuestion, ModelResults, Reply
from assay.report.heatmap import Entry, ListedQuestion, ListedReply, Listing, View
from assay.report.words import Lang, heat_word, shown_count, shown_percent

MOST_LISTED: Final = 6_000
"""The maximum number of questions listed on a page, in all its tiles together."""

MOST_IN_TILE: Final = 120
FEWEST_IN_TILE: Final = 8


class Listings:
    """Collects the listings of a page; a question that several models answered is stored once."""

    def __init__(self, lang: Lang, tiles: int) -> None:
        self._lang: Lang = lang
        self._most = max(FEWEST_IN_TILE, min(MOST_IN_TILE, MOST_LISTED // max(1, tiles)))
        self._numbers: dict[AskedQuestion, int] = {}
        self.questions: list[ListedQuestion] = []
        self.listings: list[Listing] = []

    def add_cell(self, title: str, results: ModelResults, replies: Sequence[Reply]) -> int:
        """Add a listing of one model's answers and return the listing's number."""
        ordered = sorted(replies, key=lambda reply: (reply.score == 1.0, reply.score))
        entries = [self._entry(results, [(results, reply)]) for reply in ordered[: self._most]]
        rest = ordered[self._most :]
        parsed = [reply for reply in rest if reply.parsed]
        more: dict[View, str] = {}
        for view, left in (("all", rest), ("parsed", parsed)):
            if left:
                right = sum(reply.score == 1.0 for reply in left)
                more[view] = self._word(  # type: ignore[index]  # one of the two above
                    "more", n=len(left), right=right, wrong=len(left) - right
                )
        return self._add(title, (results.model,), entries, more)

    def add_pairs(
        self,
        title: str,
        results: ModelResults,
        baseline: ModelResults,
        pairs: Sequence[tuple[Reply, Reply]],
    ) -> int:
        """Add a listing of the paired answers of two models and return the listing's number."""
        ordered = sorted(pairs, key=lambda pair: -abs(pair[0].score - pair[1].score))
        entries = [
            self._entry(baseline, [(results, reply), (baseline, baseline_reply)])
            for reply, baseline_reply in ordered[: self._most]
        ]
        rest = ordered[self._most :]
        readable = [pair for pair in rest if pair[0].parsed and pair[1].parsed]
        more: dict[View, str] = {}
        for view, left in (("all", rest), ("parsed", readable)):
            if left:
                changed = sum(reply.score != other.score for reply, other in left)
                more[view] = self._word(  # type: ignore[index]  # one of the two above
                    "more pairs", n=len(left), changed=changed
                )
        return self._add(title, (results.model, baseline.model), entries, more)

    def _add(
        self,
        title: str,
        models: tuple[str, ...],
        entries: Sequence[Entry],
        more: dict[View, str],
    ) -> int:
        self.listings.append(Listing(title=title, models=models, entries=tuple(entries), more=more))
        return len(self.listings) - 1

    def _entry(self, source: ModelResults, replies: Sequence[tuple[ModelResults, Reply]]) -> Entry:
        return Entry(
            question=self._question(source.questions[replies[-1][1].question]),
            replies=tuple(
                ListedReply(
                    answer=reply.answer,
                    score=reply.score,
                    parsed=reply.parsed,
                    facts=self._facts(reply),
                )
                for _, reply in replies
            ),
        )

    def _question(self, question: AskedQuestion) -> int:
        """The number of a question on the page; adds the question if it is new."""
        number = self._numbers.get(question)
        if number is None:
            number = self._numbers[question] = len(self.questions)
            letters = {letter for letter, _ in question.choices}
            right = tuple(part for part in question.correct.split(", ") if part in letters)
            self.questions.append(
                ListedQuestion(
                    text=question.text,
                    choices=question.choices,
                    correct=question.correct,
                    right=right,
                    facts=self._position(question),
                )
            )
        return number

    def _position(self, question: AskedQuestion) -> str:
        if question.position is None:
            return ""
        start, end = (shown_count(token, self._lang) for token in question.position)
        return heat_word("at tokens", self._lang, start=start, end=end)

    def _facts(self, reply: Reply) -> str:
        if reply.depth is None:
            return ""
        return heat_word(
            "at depth", self._lang, depth=shown_percent(reply.depth, self._lang, digits=1)
        )

    def _word(self, key: str, **counts: int) -> str:
        fields = {name: shown_count(count, self._lang) for name, count in counts.items()}
        return heat_word(key, self._lang, **fields)
