"""The verdict on a field of an answer, from the values that the answer names."""

from collections.abc import Sequence

from msgspec import Struct

from assay.scorers.legal.stance import is_alternative, is_denied, reports_conflict
from assay.text import Span


class FieldVerdict(Struct, frozen=True, kw_only=True):
    """Whether one expected field is correct; ``found`` are the values that the answer names."""

    holds: bool
    found: tuple[str, ...] = ()
    why: str


def asserted_candidates(
    text: str, candidates: Sequence[Span], is_right: Sequence[bool], shown: str
) -> FieldVerdict:
    """The verdict on a field, from the values that the answer names.

    At least one right value must be neither denied nor an alternative to a wrong one, and the
    answer must not report a conflict between right and wrong values.

    Args:
        text: the answer.
        candidates: the spans of the values in ``text``.
        is_right: whether each candidate is the expected value.
        shown: the expected value, for the explanation.
    """
    found = tuple(span.of(text) for span in candidates)
    right = [span for span, flag in zip(candidates, is_right, strict=True) if flag]
    wrong = [span for span, flag in zip(candidates, is_right, strict=True) if not flag]
    if not right:
        return FieldVerdict(holds=False, found=found, why=f"{shown} is not in the answer")
    not_denied = [span for span in right if not is_denied(text, span.start, span.end)]
    if not not_denied:
        return FieldVerdict(holds=False, found=found, why=f"{shown} is named only to be denied")
    asserted = [span for span in not_denied if not is_alternative(text, span, wrong)]
    if not asserted or (wrong and reports_conflict(text)):
        return FieldVerdict(holds=False, found=found, why="several values, none decided on")
    return FieldVerdict(holds=True, found=found, why=f"“{asserted[0].of(text)}” is {shown}")
