"""What a judge said about an answer, as it is stored, and whether it can be true."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from assay.judges.rubric.reply import Claim
from assay.judges.rubric.rubric import PREFERENCE, RUBRICS

TIE: Final = "tie"
"""The verdict on a pair that depends on the order in which the answers are shown."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a judge said, as it is stored in ``NAME.verdicts.jsonl``.

    ``score`` is ``None`` if the reply could not be read (``unparsed`` says why, and ``reply`` is
    the last reply), or if the answer makes no claim. ``repaired`` if only the second reply could
    be read. ``orders`` are the verdicts on a pair in both orders.
    """

    judge: str
    rubric: str
    label: str = ""
    score: Annotated[float, Meta(ge=0, le=1)] | None = None
    reason: str = ""
    claims: tuple[Claim, ...] = ()
    unparsed: str = ""
    reply: str = ""
    repaired: bool = False
    orders: tuple[str, ...] = ()


class DamagedFinding(ValueError):
    """A stored verdict that no judge can have given; the message says why."""


def read_finding(value: Any) -> Finding:
    """The finding of a stored verdict; raises ``DamagedFinding``.

    >>> read_finding({"judge": "correct", "rubric": "correctness", "label": "right", "score": 0})
    Traceback (most recent call last):
    assay.judges.rubric.finding.DamagedFinding: the verdict 'right' contradicts the score 0
    """
    try:
        finding = msgspec.convert(value, Finding)
    except msgspec.ValidationError as error:
        raise DamagedFinding(str(error)) from None
    if not _agrees(finding):
        score = "none" if finding.score is None else f"{finding.score:g}"
        raise DamagedFinding(f"the verdict {finding.label!r} contradicts the score {score}")
    return finding


def _agrees(finding: Finding) -> bool:
    """Whether the word of the verdict goes with its score, as far as the scale is known."""
    if finding.unparsed:
        return finding.score is None
    match finding.rubric, finding.label:
        case "faithfulness", "faithful":
            return finding.score == 1
        case "faithfulness", "unfaithful":
            return finding.score is not None and finding.score < 1
        case "faithfulness", "no claims":
            return finding.score is None
        case rubric, label:
            known = _SCALES.get(rubric, {})
            return label not in known or finding.score == known[label]


_SCALES: Final[Mapping[str, Mapping[str, float]]] = {
    **{name: rubric.scale for name, rubric in RUBRICS.items()},
    PREFERENCE.name: {**PREFERENCE.scale, TIE: 0.5},
}
