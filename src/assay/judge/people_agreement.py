"""How far the people who labelled a run agree, and on which answers they do not."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct

from assay.judge.label import VERDICTS, Label, LabelVerdict, current
from assay.stats.agreement import alpha_interval, cohen_kappa, kappa_interval, krippendorff_alpha
from assay.stats.interval import Interval

_NUMBER = {verdict: number for number, verdict in enumerate(VERDICTS)}


class PairAgreement(Struct, frozen=True, kw_only=True):
    """Two people: on how many answers both have a label, how many are the same, and kappa.

    ``kappa`` is ``None`` if both gave only one and the same verdict, or share no answer.
    """

    first: str
    second: str
    n: int
    same: int
    kappa: float | None
    interval: Interval | None


class LabelAgreement(Struct, frozen=True, kw_only=True):
    """All people of a run together.

    ``n`` is the number of answers with labels of two people or more; ``alpha`` is about these.
    ``verdicts`` counts each person's verdicts in the order of ``VERDICTS``.
    """

    people: tuple[str, ...]
    verdicts: tuple[tuple[int, ...], ...]
    answers: int
    n: int
    alpha: float | None
    interval: Interval | None
    pairs: tuple[PairAgreement, ...]


def agreement(labels: Iterable[Label]) -> LabelAgreement:
    """The agreement of those labels that count; "cannot tell" is a verdict as any other."""
    things = _by_answer(current(labels))
    people = sorted({person for each in things for person in each.verdicts})
    counts = np.array([_counts(each) for each in things]).reshape(-1, len(VERDICTS))
    questions = _numbers([each.question for each in things])
    said = Counter(
        (person, verdict) for each in things for person, verdict in each.verdicts.items()
    )
    return LabelAgreement(
        people=tuple(people),
        verdicts=tuple(tuple(said[person, verdict] for verdict in VERDICTS) for person in people),
        answers=len(things),
        n=int(np.count_nonzero(counts.sum(axis=1) > 1)),
        alpha=krippendorff_alpha(counts),
        interval=alpha_interval(counts, questions),
        pairs=tuple(_pair(things, *pair) for pair in combinations(people, 2)),
    )


def disagreements(labels: Iterable[Label]) -> list[tuple[Label, ...]]:
    """The answers on which people disagree: the labels of each, in the order of the file.

    If several variants gave the answer, each of them has labels of its own.
    """
    by_answer: dict[tuple[str, ...], list[Label]] = {}
    for label in current(labels):
        by_answer.setdefault(label.answer, []).append(label)
    return [
        tuple(each) for each in by_answer.values() if len({label.verdict for label in each}) > 1
    ]


class _Thing(Struct, frozen=True):
    """An answer: its question, and what each person said."""

    question: tuple[str, str]
    verdicts: dict[str, LabelVerdict]


def _by_answer(labels: Sequence[Label]) -> list[_Thing]:
    things: dict[tuple[str, ...], _Thing] = {}
    for label in labels:
        thing = things.setdefault(label.answer, _Thing((label.run, label.case_id), {}))
        thing.verdicts[label.labeller] = label.verdict
    return list(things.values())


def _counts(thing: _Thing) -> list[int]:
    said = Counter(thing.verdicts.values())
    return [said[verdict] for verdict in VERDICTS]


def _numbers(names: Sequence[tuple[str, str]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    known = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([known[name] for name in names], np.int64)


def _pair(things: Sequence[_Thing], first: str, second: str) -> PairAgreement:
    shared = [each for each in things if first in each.verdicts and second in each.verdicts]
    tables = np.zeros((len(shared), len(VERDICTS), len(VERDICTS)))
    for place, each in enumerate(shared):
        tables[place, _NUMBER[each.verdicts[first]], _NUMBER[each.verdicts[second]]] = 1
    whole = tables.sum(axis=0)
    return PairAgreement(
        first=first,
        second=second,
        n=len(shared),
        same=int(np.trace(whole)),
        kappa=cohen_kappa(whole),
        interval=kappa_interval(tables, _numbers([each.question for each in shared])),
    )
