"""What a judge of pairs said about each question."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from assay.jobs.judge.subject import RecordedCase
from assay.judges.rubric import Finding

_PLACES: Final = {"first": 0, "second": 1}


class PairVerdict(Struct, frozen=True, kw_only=True):
    """The verdict on the two answers to one question.

    ``preferred`` is the better variant, ``"equal"``, or ``"tie"`` if the order decided; ``orders``
    says the same for the two orders in which the judge was asked. It is ``None``, and ``unparsed``
    says why, if a reply could not be read.
    """

    question_id: str
    key: str
    first: str
    second: str
    preferred: str | None
    orders: tuple[str, ...] = ()
    score: float | None = None
    reason: str = ""
    repaired: bool = False
    unparsed: str = ""


def pair_verdicts(
    cases: Sequence[RecordedCase], findings: Mapping[str, Finding], variants: tuple[str, str]
) -> list[PairVerdict]:
    """The verdicts on the pairs that were judged, in the order of their questions."""

    def named(label: str) -> str:
        return variants[_PLACES[label]] if label in _PLACES else label

    return [
        PairVerdict(
            question_id=case.case.question.id,
            key=case.case.key,
            first=variants[0],
            second=variants[1],
            preferred=None if finding.unparsed else named(finding.label),
            orders=tuple(map(named, finding.orders)),
            score=finding.score,
            reason=finding.reason,
            repaired=finding.repaired,
            unparsed=finding.unparsed,
        )
        for case in cases
        if (finding := findings.get(case.case.key)) is not None
    ]
