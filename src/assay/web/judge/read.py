"""The verdicts on the answers of a run, by item and variant.

A run is read for this only if a judge has judged it. What was read is kept with the opened run
until the verdicts, the labels or the draw change.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from assay.config.workspace import Workspace
from assay.judge.label_store import labels_path
from assay.judge.verdict import JudgeVerdicts, read_verdicts
from assay.judge.workbench import OpenRun, open_run
from assay.results.decoded_row import item_name
from assay.runs.write import draw_path, verdicts_path
from assay.web.api import Missing
from assay.web.judge.api import VerdictClaim, VerdictView
from assay.web.judge.view import Floats, Judged, JudgeViews, judge_views
from assay.web.run_index import RunIndex
from assay.words.message import message

YES_FROM: Final = 0.5
"""A judge says yes from this score on, as ``assay judge check`` does by default."""
CORRECTNESS: Final = "correctness"
"""Labels of people say whether an answer is right: they are held against this rubric only."""
LABEL: Final = "label"
LONGEST_REPLY: Final = 2_000
MOST_CLAIMS: Final = 50
Stamp: TypeAlias = tuple[tuple[int, int], ...]


class RunJudges:
    """The judges of a run; empty if none has judged it."""

    def __init__(self, index: RunIndex) -> None:
        self._index = index
        self._keys: dict[tuple[int, int], str] = {}
        self.judges: tuple[Judged, ...] = ()
        self.views = JudgeViews()
        path = index.findings.results.path
        if not verdicts_path(path).exists():
            return
        run = open_run(Workspace.find(start=index.path.parent), str(path))
        found = read_verdicts(path, run.cases)
        self._number_cases(run)
        self.judges = self._against_each_other([self._judged(each) for each in found.values()])
        self.views = judge_views(run, self.judges)

    def _number_cases(self, run: OpenRun) -> None:
        scores, label = self._index.findings.results.scores, self._index.findings.results.label
        variants = {name: number for number, name in enumerate(scores.variants)}
        for case in run.cases:
            key, variant = case.case.key, case.case.variant.name
            name, _ = item_name(key, case.case.question.id, variant, label)
            item = self._index.listed.item_number(name)
            if item is not None and variant in variants:
                self._keys[item, variants[variant]] = key

    def _judged(self, judge: JudgeVerdicts) -> Judged:
        shape = self._index.findings.results.scores.status.shape
        score, unparsed = np.full(shape, np.nan), np.zeros(shape, np.bool_)
        for (item, variant), key in self._keys.items():
            finding = judge.findings.get(key)
            if finding is not None:
                score[variant, item] = np.nan if finding.score is None else finding.score
                unparsed[variant, item] = bool(finding.unparsed)
        people = self._people(judge)
        known = np.isfinite(score) & np.isfinite(people)
        against = known & ((score >= YES_FROM) != (people > YES_FROM))
        return Judged(judge, score, unparsed, against, np.zeros(shape, np.bool_))

    def _people(self, judge: JudgeVerdicts) -> Floats:
        """The mean label of each answer; NaN if nobody labelled it, or labels mean something else."""
        scores = self._index.findings.results.scores
        column = scores.values.get(LABEL) if judge.rubric == CORRECTNESS else None
        return np.full(scores.status.shape, np.nan) if column is None else np.asarray(column)

    def _against_each_other(self, judged: list[Judged]) -> tuple[Judged, ...]:
        for one, other in combinations(judged, 2):
            if one.judge.rubric == other.judge.rubric:
                differ = _differ(one.score, other.score)
                one.against_judges[differ] = other.against_judges[differ] = True
        return tuple(judged)

    def chosen(self, name: str) -> Iterator[Judged]:
        """The judge of this name, or all if it is empty; raises ``Missing``."""
        if name and name not in {each.judge.name for each in self.judges}:
            raise Missing(message("no judge {name} has judged this run", name=repr(name)))
        return (each for each in self.judges if not name or each.judge.name == name)

    def verdicts(self, item: int, variant: int) -> Iterator[VerdictView]:
        """What each judge said about an answer."""
        key = self._keys.get((item, variant), "")
        for each in self.judges:
            finding = each.judge.findings.get(key)
            if finding is None:
                continue
            label = float(self._people(each.judge)[variant, item])
            yield VerdictView(
                judge=each.judge.name,
                rubric=each.judge.rubric,
                identity=each.judge.identity,
                label=finding.label,
                score=finding.score,
                reason=finding.reason[:LONGEST_REPLY],
                claims=tuple(
                    VerdictClaim(claim=claim.claim, status=claim.status, passage=claim.passage)
                    for claim in finding.claims[:MOST_CLAIMS]
                ),
                unparsed=finding.unparsed,
                reply=finding.reply[:LONGEST_REPLY],
                is_repaired=finding.repaired,
                people=None if np.isnan(label) else label,
                against_people=bool(each.against_people[variant, item]),
                against_judges=tuple(self._opposed(each, variant, item)),
            )

    def _opposed(self, judged: Judged, variant: int, item: int) -> Iterator[str]:
        place = variant, item
        for other in self.judges:
            is_same = other is not judged and other.judge.rubric == judged.judge.rubric
            if is_same and bool(_differ(judged.score[place], other.score[place])):
                yield other.judge.name


def _differ(one: Any, other: Any) -> Any:
    """Where both have a score, and one says yes and the other no."""
    known = np.isfinite(one) & np.isfinite(other)
    return known & ((one >= YES_FROM) != (other >= YES_FROM))


def run_judges(index: RunIndex) -> RunJudges:
    """The judges of a run, read again if there is something new."""
    stamp = _stamps(index.path)
    known: tuple[Stamp, RunJudges] | None = index.kept.get(RunJudges)
    if known is None or known[0] != stamp:
        known = stamp, RunJudges(index)
        index.kept[RunJudges] = known
    return known[1]


def _stamps(journal: Path) -> Stamp:
    paths = verdicts_path(journal), labels_path(journal), draw_path(journal)
    return tuple(_stamp(path) for path in paths)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def flags(judges: RunJudges) -> Mapping[str, list[list[int]]]:
    """For a saved page: what is special about each verdict, by judge, variant and item.

    1: people say the opposite; 2: another judge does; 4: the reply could not be read.
    """
    return {
        each.judge.name: (
            each.against_people + 2 * each.against_judges + 4 * each.unparsed
        ).tolist()
        for each in judges.judges
    }
