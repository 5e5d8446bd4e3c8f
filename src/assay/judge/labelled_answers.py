"""What a judge and people say about the answers of a run, side by side.

The judge is a model (``judge.NAME``), or a value that the rows already have: a check such as
``answer_contained``, a flag such as ``abstained``, or a score of the offline verifier. A row says
which of its scores only lean to their value: those are unsure.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.errors import UseError
from assay.judge.draw import Drawn, DrawnAnswer, drawn_part, is_stated, read_draws
from assay.judge.label import WORTH, Label, current, text_hash
from assay.judge.subject import RecordedCase
from assay.records import without_draw
from assay.registry import nearest
from assay.results.decoded_row import item_name
from assay.runs.read import last_row_fields
from assay.stats.corrected import JudgedScores
from assay.text.language import Language, language

SMALLEST_SHARE: Final = 0.01
"""A draw of one answer of n gives the least likely one about 1 / 3n; below this share of 1 / n a
probability is a slip, and its label would outweigh all others."""
SCORES: Final = "scores"
"""The field of a row with its scores by name."""
AT_LEAST: Final = "at_least"
"""The field of a row with the least value of each of its scores that is unsure."""
MOST_NAMED: Final = 3
"""How many labels that belong to no answer are named."""
_DRAWN, _BY_HAND, _UNDRAWN = 1.0, -1.0, -2.0
"""How an answer was chosen for labelling."""
ScoreByName = Mapping[str, float | None]
"""The score of each case by its key."""

_Named = TypeVar("_Named", Label, Drawn)


class LabelCounts(Struct, kw_only=True):
    """What became of the labels: those that count, and those that do not, by the reason.

    ``by_hand`` labels have no probability and are about answers that were not drawn, ``undrawn``
    ones state a probability that no recorded draw gave the answer, ``unfinished`` ones are about
    drawn answers behind one without a label. ``unclear`` labels have no score, ``outdated`` ones are
    about another version of the answer, ``other_runs`` about another run, and ``unjudged`` ones
    about an answer that the judge has no score for. ``unknown`` ones are about a question or a
    variant that the run does not have; ``first_unknown`` names some of these.
    """

    used: int = 0
    by_hand: int = 0
    undrawn: int = 0
    unfinished: int = 0
    unclear: int = 0
    outdated: int = 0
    other_runs: int = 0
    unjudged: int = 0
    unknown: int = 0
    first_unknown: tuple[str, ...] = ()

    @property
    def not_drawn(self) -> int:
        """The labels that correct nothing because nobody knows why their answers were chosen."""
        return self.by_hand + self.undrawn + self.unfinished


class Sample(Struct, frozen=True, kw_only=True, eq=False):
    """The scores of a judge and the labels, by variant; all variants have the same items.

    ``drawn`` is the number of answers that were drawn for labelling, ``drawn_labelled`` of those
    that have a label.
    """

    items: tuple[str, ...]
    languages: tuple[Language, ...]
    sides: Mapping[str, JudgedScores]
    counts: LabelCounts
    drawn: int = 0
    drawn_labelled: int = 0

    def joined(self) -> JudgedScores:
        """The answers of all variants together."""
        sides = list(self.sides.values())
        return JudgedScores(
            judged=np.concatenate([side.judged for side in sides]),
            labels=np.concatenate([side.labels for side in sides]),
            weights=np.concatenate([side.weights for side in sides]),
            questions=self.question_numbers(),
            unsure=self.unsure(),
        )

    def unsure(self) -> NDArray[np.bool_]:
        """Whether each answer of ``joined`` has an unsure score."""
        none = np.zeros(len(self.items), np.bool_)
        sides = self.sides.values()
        return np.concatenate([none if side.unsure is None else side.unsure for side in sides])

    def variant_numbers(self) -> NDArray[np.intp]:
        """The number of the variant of each answer of ``joined``."""
        return np.repeat(np.arange(len(self.sides)), len(self.items))

    def question_numbers(self) -> NDArray[np.intp]:
        """The number of the question of each answer of ``joined``."""
        known = [side.questions for side in self.sides.values() if side.questions is not None]
        numbers = np.asarray(known[0], np.intp) if known else np.arange(len(self.items))
        return np.tile(numbers, len(self.sides))


class FieldScores(Struct, frozen=True, kw_only=True):
    """A value of the rows by their keys, and the keys of those for which it is unsure."""

    scores: ScoreByName
    unsure: frozenset[str]


def field_scores(journal: Path, field: str) -> FieldScores:
    """A value of the rows as the score of a judge.

    ``field`` is a path with dots, or the name of a score: ``abstained``, ``scores.support`` and
    ``support``. Rows of earlier versions have some scores as a flag of the row only.

    Raises ``UseError`` if no row has it, or if it is not between 0 and 1.
    """
    rows = last_row_fields(journal)
    for path in dict.fromkeys((field, f"{SCORES}.{field}", field.removeprefix(f"{SCORES}."))):
        scores = {key: _number(row, path, journal) for key, row in rows.items()}
        if any(score is not None for score in scores.values()):
            return FieldScores(scores=scores, unsure=_unsure(rows, {field.rpartition(".")[2]}))
    known = sorted({name for row in rows.values() for name in _score_names(row)})
    raise UseError(f"{journal}: no row has a value of {field!r}{nearest(field, known)}")


def unsure_cases(journal: Path, scores: Collection[str]) -> frozenset[str]:
    """The keys of the cases for which one of these scores is unsure."""
    return _unsure(last_row_fields(journal), scores)


def _unsure(rows: Mapping[str, Mapping[str, Any]], scores: Collection[str]) -> frozenset[str]:
    return frozenset(
        key
        for key, row in rows.items()
        if any(score in scores for score in row.get(AT_LEAST) or ())
    )


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
    shared = {without_draw(_placement(case)) for case in cases}
    label = shared.pop() if len(shared) == 1 else ""
    return {
        case.case.key: item_name(
            case.case.key, case.case.question.id, case.case.variant.name, label
        )[0]
        for case in cases
    }


def _placement(case: RecordedCase) -> str:
    return case.case.key[len(case.case.question.id) + len(case.case.variant.name) + 4 :]


def make_sample(
    journal: Path,
    cases: Sequence[RecordedCase],
    scores: ScoreByName,
    labels: Iterable[Label],
    *,
    unsure: Collection[str] = (),
    drawn_at_random: bool = False,
) -> Sample:
    """Join scores and labels. With ``drawn_at_random``, all labels count as equally likely.

    ``unsure`` are the keys of the cases with an unsure score.
    """
    names = item_names(cases)
    items = tuple(sorted(set(names.values())))
    place = {name: number for number, name in enumerate(items)}
    languages: dict[str, Language] = {
        names[case.case.key]: language(case.case.question.text) for case in cases
    }
    said = _Labels(
        journal,
        labels,
        # redaction of 0.2.0: a sheet and a draw had the hash of the answer as it was before masking
        {text_hash(case.answer.text): case.version for case in cases},
        drawn_at_random=drawn_at_random,
        smallest=SMALLEST_SHARE / max(len(items), 1),
    )
    question_of = {names[case.case.key]: case.case.question.id for case in cases}
    numbers: dict[str, int] = {}
    questions = np.array(
        [numbers.setdefault(question_of[name], len(numbers)) for name in items], np.intp
    )
    variants = list(dict.fromkeys(case.case.variant.name for case in cases))
    sides = {name: np.full((3, len(items)), np.nan) for name in variants}
    doubts = {name: np.zeros(len(items), np.bool_) for name in variants}
    answers: dict[str, dict[DrawnAnswer, int]] = {name: {} for name in variants}
    for case in cases:
        variant, name = case.case.variant.name, names[case.case.key]
        column = sides[variant][:, place[name]]
        score = scores.get(case.case.key)
        column[0] = np.nan if score is None else score
        doubts[variant][place[name]] = case.case.key in unsure
        answer = (name, variant, case.version)
        column[1], column[2] = said.of(answer, has_score=score is not None)
        if score is not None:
            answers[variant][answer] = place[name]
    for name, values in sides.items():
        said.keep_drawn(values, answers[name])
    said.count_unknown({(names[case.case.key], case.case.variant.name) for case in cases})
    return Sample(
        items=items,
        languages=tuple(languages[name] for name in items),
        sides={
            name: JudgedScores(
                judged=values[0],
                labels=values[1],
                weights=values[2],
                questions=questions,
                unsure=doubts[name] if unsure else None,
            )
            for name, values in sides.items()
        },
        counts=said.counts,
        drawn=said.drawn,
        drawn_labelled=said.drawn_labelled,
    )


def _of_version(row: _Named, versions: Mapping[str, str]) -> _Named:
    version = versions.get(row.answer_hash, row.answer_hash)
    return row if version == row.answer_hash else replace(row, answer_hash=version)


class _Labels:
    """The labels of a run by answer, and what became of them."""

    def __init__(
        self,
        journal: Path,
        labels: Iterable[Label],
        versions: Mapping[str, str],
        *,
        drawn_at_random: bool,
        smallest: float,
    ) -> None:
        self._smallest = smallest
        self.counts = LabelCounts()
        self.drawn = self.drawn_labelled = 0
        self._lines = [_of_version(line, versions) for line in read_draws(journal)]
        self._stated: dict[DrawnAnswer, list[float]] = {}
        for line in self._lines:
            self._stated.setdefault(line.answer, []).append(line.probability)
        self._drawn_at_random = drawn_at_random
        self._unclear: set[DrawnAnswer] = set()
        self._by_case: dict[tuple[str, str], list[Label]] = {}
        for label in current(labels):
            if _is_of(label.run, journal):
                about = _of_version(label, versions)
                self._by_case.setdefault((label.case_id, label.variant), []).append(about)
            else:
                self.counts.other_runs += 1

    def of(self, answer: DrawnAnswer, *, has_score: bool) -> tuple[float, float]:
        """The mean label of an answer, and how the answer was chosen.

        That is ``_DRAWN``, ``_BY_HAND``, or ``_UNDRAWN`` if a label states another probability than
        all draws.
        """
        said = self._by_case.get(answer[:2], [])
        present = [label for label in said if label.answer_hash == answer[2]]
        self.counts.outdated += len(said) - len(present)
        clear = [label for label in present if WORTH[label.verdict] is not None]
        self.counts.unclear += len(present) - len(clear)
        if not clear:
            if present:
                self._unclear.add(answer)
            return np.nan, np.nan
        if not has_score:
            self.counts.unjudged += len(clear)
            return np.nan, np.nan
        known = [label for label in clear if self._is_known(label, answer)]
        worth = float(np.mean([WORTH[label.verdict] or 0.0 for label in known or clear]))
        self.counts.used += 1
        if not known:
            return worth, _UNDRAWN
        return worth, _DRAWN if self._drawn_at_random or answer in self._stated else _BY_HAND

    def _is_known(self, label: Label, answer: DrawnAnswer) -> bool:
        """Whether a recorded draw has the probability that a label states, if it states one."""
        stated = label.probability
        if stated is None or self._drawn_at_random:
            return True
        if stated < self._smallest:
            raise UseError(
                f"the label of {answer[0]} of {answer[1]} has the probability "
                f"{stated:g}, which no draw from this run gives (at least "
                f"{self._smallest:.2g}); correct or delete this line of the labels"
            )
        return is_stated(stated, self._stated.get(answer, ()))

    def keep_drawn(self, values: NDArray[np.float64], answers: Mapping[DrawnAnswer, int]) -> None:
        """Weigh the labels of drawn answers and take out the others.

        If every judged answer of the variant has a label, all count. ``answers`` are those of one
        variant with a score, each with its place in ``values``.
        """
        judged, labels, weights = values
        lines = [line for line in self._lines if line.answer in answers]
        drawn = {line.answer for line in lines}
        has_label = {each: True for each in drawn if weights[answers[each]] == _DRAWN}
        self.drawn += len(drawn)
        self.drawn_labelled += len(has_label)
        is_whole = bool(np.isfinite(labels[np.isfinite(judged)]).all())
        if is_whole or self._drawn_at_random:
            weights[np.isfinite(weights)] = 1.0
            return
        part = drawn_part(lines, {**dict.fromkeys(self._unclear, False), **has_label})
        counted = {answers[each]: part[each] for each in has_label if each in part}
        counts = self.counts
        counts.by_hand += int(np.count_nonzero(weights == _BY_HAND))
        counts.undrawn += int(np.count_nonzero(weights == _UNDRAWN))
        counts.unfinished += len(has_label) - len(counted)
        counts.used -= int(np.count_nonzero(np.isfinite(weights))) - len(counted)
        left_out = np.ones(len(labels), dtype=bool)
        left_out[list(counted)] = False
        labels[left_out] = weights[left_out] = np.nan
        for place, probability in counted.items():
            weights[place] = 1.0 / probability

    def count_unknown(self, answers: Container[tuple[str, str]]) -> None:
        """Count the labels of this run that are about none of its ``answers``."""
        unknown = [case for case in self._by_case if case not in answers]
        self.counts.unknown = sum(len(self._by_case[case]) for case in unknown)
        self.counts.first_unknown = tuple(" ".join(case) for case in unknown[:MOST_NAMED])


def _is_of(run: str, journal: Path) -> bool:
    """Whether a label is about the run of this journal: its id is a path, or only a name."""
    return run.rpartition("/")[2].removesuffix(".jsonl") in {journal.stem, ""}
