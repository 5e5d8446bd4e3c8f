"""What a judge and people say about the answers of a run, side by side.

The judge is a model (``judge.NAME``), or a value that the rows already have: a flag such as
``abstained`` or a score of the offline verifier.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.config import nearest
from assay.errors import UseError
from assay.jobs.judge.draw import read_draw
from assay.jobs.judge.subject import RecordedCase
from assay.journal import last_row_fields
from assay.labels import WORTH, Label, current, text_hash
from assay.stats import JudgedScores
from assay.text import Language, language

SMALLEST_SHARE: Final = 0.01
"""A draw of one answer of n gives the least likely one about 1 / 3n; below this share of 1 / n a
probability is a slip, and its label would outweigh all others."""
SCORES: Final = "scores"
"""The field of a row with its scores by name."""
MOST_NAMED: Final = 3
"""How many labels that belong to no answer are named."""
Scores = Mapping[str, float | None]
"""The score of each case by its key."""


class LabelCounts(Struct, kw_only=True):
    """What became of the labels: those that count, and those that do not, by the reason.

    ``by_hand`` labels have no known probability, ``unclear`` ones no score, ``outdated`` ones are
    about another version of the answer, ``other_runs`` about another run, and ``unjudged`` ones
    about an answer that the judge has no score for. ``unknown`` ones are about a question or a
    variant that the run does not have; ``first_unknown`` names some of these.
    """

    used: int = 0
    by_hand: int = 0
    unclear: int = 0
    outdated: int = 0
    other_runs: int = 0
    unjudged: int = 0
    unknown: int = 0
    first_unknown: tuple[str, ...] = ()


class Sample(Struct, frozen=True, kw_only=True, eq=False):
    """The scores of a judge and the labels, by variant; all variants have the same items."""

    items: tuple[str, ...]
    languages: tuple[Language, ...]
    sides: Mapping[str, JudgedScores]
    counts: LabelCounts
    drawn: int = 0

    def joined(self) -> JudgedScores:
        """The answers of all variants together."""
        sides = list(self.sides.values())
        return JudgedScores(
            judged=np.concatenate([side.judged for side in sides]),
            labels=np.concatenate([side.labels for side in sides]),
            weights=np.concatenate([side.weights for side in sides]),
        )

    def variant_numbers(self) -> NDArray[np.intp]:
        """The number of the variant of each answer of ``joined``."""
        return np.repeat(np.arange(len(self.sides)), len(self.items))

    def question_numbers(self) -> NDArray[np.intp]:
        """The number of the item of each answer of ``joined``."""
        return np.tile(np.arange(len(self.items)), len(self.sides))


def field_scores(journal: Path, field: str) -> dict[str, float | None]:
    """A value of the rows as the score of a judge.

    ``field`` is a path with dots, or the name of a score: ``abstained``, ``scores.support`` and
    ``support``.

    Raises ``UseError`` if no row has it, or if it is not between 0 and 1.
    """
    rows = last_row_fields(journal)
    for path in (field, f"{SCORES}.{field}"):
        scores = {key: _number(row, path, journal) for key, row in rows.items()}
        if any(score is not None for score in scores.values()):
            return scores
    known = sorted({name for row in rows.values() for name in _score_names(row)})
    raise UseError(f"{journal}: no row has a value of {field!r}{nearest(field, known)}")


def _score_names(row: Mapping[str, Any]) -> Iterator[str]:
    scores = row.get(SCORES)
    if isinstance(scores, Mapping):
        yield from (name for name, value in scores.items() if value is not None)


def _number(row: Mapping[str, Any], field: str, journal: Path) -> float | None:
    value: Any = row
    for step in field.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    if value is None:
        return None
    if not isinstance(value, bool | int | float) or not 0 <= value <= 1:
        raise UseError(f"{journal}: {field} of {row['key']!r} is not a score from 0 to 1")
    return float(value)


def item_names(cases: Sequence[RecordedCase]) -> dict[str, str]:
    """The name of the item of each case by its key: the question, with the placement if it varies."""
    placements = {case.case.key: _placement(case) for case in cases}
    is_plain = len(set(placements.values())) <= 1
    return {
        case.case.key: case.case.question.id
        if is_plain
        else f"{case.case.question.id}::{placements[case.case.key]}"
        for case in cases
    }


def _placement(case: RecordedCase) -> str:
    return case.case.key[len(case.case.question.id) + len(case.case.variant.name) + 4 :]


def make_sample(
    journal: Path,
    cases: Sequence[RecordedCase],
    scores: Scores,
    labels: Iterable[Label],
    *,
    drawn_at_random: bool = False,
) -> Sample:
    """Join scores and labels. With ``drawn_at_random``, all labels count as equally likely."""
    names = item_names(cases)
    items = tuple(sorted(set(names.values())))
    place = {name: number for number, name in enumerate(items)}
    languages: dict[str, Language] = {
        names[case.case.key]: language(case.case.question.text) for case in cases
    }
    said = _Labels(
        journal,
        labels,
        drawn_at_random=drawn_at_random,
        smallest=SMALLEST_SHARE / max(len(items), 1),
    )
    variants = list(dict.fromkeys(case.case.variant.name for case in cases))
    sides = {name: np.full((3, len(items)), np.nan) for name in variants}
    for case in cases:
        column = sides[case.case.variant.name][:, place[names[case.case.key]]]
        score = scores.get(case.case.key)
        column[0] = np.nan if score is None else score
        column[1], column[2] = said.of(case, names[case.case.key], has_score=score is not None)
    for values in sides.values():
        said.take_hand_chosen(values)
    said.count_unknown({(names[case.case.key], case.case.variant.name) for case in cases})
    return Sample(
        items=items,
        languages=tuple(languages[name] for name in items),
        sides={
            name: JudgedScores(judged=values[0], labels=values[1], weights=values[2])
            for name, values in sides.items()
        },
        counts=said.counts,
        drawn=len(said.draw),
    )


class _Labels:
    """The labels of a run by answer, and what became of them."""

    def __init__(
        self,
        journal: Path,
        labels: Iterable[Label],
        *,
        drawn_at_random: bool,
        smallest: float,
    ) -> None:
        self._smallest = smallest
        self.counts = LabelCounts()
        self.draw = read_draw(journal)
        self._drawn_at_random = drawn_at_random
        self._by_case: dict[tuple[str, str], list[Label]] = {}
        for label in current(labels):
            if _is_of(label.run, journal):
                self._by_case.setdefault((label.case_id, label.variant), []).append(label)
            else:
                self.counts.other_runs += 1

    def of(self, case: RecordedCase, name: str, *, has_score: bool) -> tuple[float, float]:
        """The mean label of an answer, and one divided by the probability that it was drawn.

        The probability is negative if it is not known: a person chose the answer.
        """
        said = self._by_case.get((name, case.case.variant.name), [])
        version = text_hash(case.answer.text)
        present = [label for label in said if label.answer_hash == version]
        self.counts.outdated += len(said) - len(present)
        clear = [label for label in present if WORTH[label.verdict] is not None]
        self.counts.unclear += len(present) - len(clear)
        if not clear:
            return np.nan, np.nan
        if not has_score:
            self.counts.unjudged += len(clear)
            return np.nan, np.nan
        worth = float(np.mean([WORTH[label.verdict] or 0.0 for label in clear]))
        self.counts.used += 1
        return worth, self._weight(case, name, clear)

    def _weight(self, case: RecordedCase, name: str, labels: Sequence[Label]) -> float:
        if self._drawn_at_random:
            return 1.0
        stated = [label.probability for label in labels if label.probability is not None]
        if not stated:
            return -1.0
        answer = (name, case.case.variant.name, text_hash(case.answer.text))
        # a later draw makes an answer likelier, never less likely
        probability = max(*stated, self.draw.get(answer, 0.0))
        if probability < self._smallest:
            raise UseError(
                f"the label of {name} of {case.case.variant.name} has the probability "
                f"{probability:g}, which no draw from this run gives (at least "
                f"{self._smallest:.2g}); correct or delete this line of the labels"
            )
        return 1.0 / probability

    def count_unknown(self, answers: Container[tuple[str, str]]) -> None:
        """Count the labels of this run that are about none of its ``answers``."""
        unknown = [case for case in self._by_case if case not in answers]
        self.counts.unknown = sum(len(self._by_case[case]) for case in unknown)
        self.counts.first_unknown = tuple(" ".join(case) for case in unknown[:MOST_NAMED])

    def take_hand_chosen(self, values: NDArray[np.float64]) -> None:
        """Take out the labels without a probability, unless every judged answer has a label."""
        judged, labels, weights = values
        by_hand = weights < 0
        is_whole = bool(np.isfinite(labels[np.isfinite(judged)]).all())
        if is_whole:
            weights[np.isfinite(weights)] = 1.0
            return
        count = int(np.count_nonzero(by_hand))
        self.counts.by_hand += count
        self.counts.used -= count
        labels[by_hand] = weights[by_hand] = np.nan


def _is_of(run: str, journal: Path) -> bool:
    """Whether a label is about the run of this journal: its id is a path, or only a name."""
    return run.rpartition("/")[2].removesuffix(".jsonl") in {journal.stem, ""}
