"""A scorer that is declared in one place: how it is computed, named, shown and explained.

Assay finds a scorer by itself: each file of ``assay/checks/catalogue`` declares one, and other
packages declare theirs by entry points of the group ``assay.scorers``
(``assay.checks.registered``). Everything else follows from the declaration: the value in each
row, its column in the tables, its labels in three languages, and its line in the docs.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.records import Metric, Passage

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")

DESCRIBED: Final = "described"
"""The field of a row whose answer is scored by what can be seen in it without knowing what is right."""
RATING: Final = "rating"
"""The field of a row with what users of a service gave: true or false for good or bad, or points."""
LOGGED_COST: Final = "logged_cost"
"""The field of a row with what a log says that the answer cost; nobody pays it again."""
_MOST_LISTED: Final = 3
_LONGEST_LISTED: Final = 80

Value: TypeAlias = bool | int | float | None
"""What a scorer returns. ``None`` means that the score is undefined for the answer."""


class Graded(Struct, frozen=True, kw_only=True):
    """A score with what is known about it: why, and how far it is certain.

    ``at_least`` and ``at_most`` are given for a score that only leans to ``value``: what it would be if
    everything unsure about it were decided against or for the answer.
    """

    value: bool | float
    why: str = ""
    at_least: float | None = None
    at_most: float | None = None

    @classmethod
    def of_check(cls, outcome: str, value: bool, why: str) -> "Graded":
        """The score of a check whose outcome may be "unsure"; a clear yes needs no reason.

        >>> Graded.of_check("unsure", True, "a negation stands before it").at_least
        0.0
        """
        unsure = outcome == "unsure"
        return cls(
            value=value,
            why="" if value and not unsure else why,
            at_least=0.0 if unsure else None,
            at_most=1.0 if unsure else None,
        )


def quoted_list(texts: Sequence[str]) -> str:
    """A few texts in quotation marks, as the reason for a score.

    >>> quoted_list(["£900", "3 May"]), quoted_list([])
    ('“£900”, “3 May”', '')
    """
    shown = (" ".join(text.split()) for text in texts[:_MOST_LISTED])
    cut = (text if len(text) <= _LONGEST_LISTED else f"{text[:_LONGEST_LISTED]}…" for text in shown)
    more = " …" if len(texts) > _MOST_LISTED else ""
    return ", ".join(f"“{text}”" for text in cut) + more


class Subject(Struct, frozen=True, kw_only=True):
    """What a scorer looks at: one answer, and what its row records about it.

    It is made from the row of a case, both while a run records it and when ``assay score`` scores
    it again, so that both give the same score.

    - ``job``: the name of the job.
    - ``question``, ``answer``: the texts; the answer is without the thoughts of the model, which
      the row has.
    - ``variant``, ``settings``: the name of the variant and its settings.
    - ``source``: the document that the question is about.
    - ``passages``: what the system retrieved. The text of a passage that is not cited is empty if
      the corpus of the workspace has it.
    - ``gold``: the ids of the gold chunks, if the job has them.
    - ``row``: all fields of the row, as they are read from its JSON. What an answer is held
      against is in the fields of its job: ``expected``, ``correct_answer``,
      ``ground_truth`` and so on.
    """

    job: str
    question_id: str
    question: str
    answer: str
    variant: str = ""
    settings: Mapping[str, Any] = {}
    source: str | None = None
    passages: tuple[Passage, ...] = ()
    gold: tuple[str, ...] = ()
    row: Mapping[str, Any] = {}


class Scorer(Metric, frozen=True, kw_only=True):
    """A metric with the function that computes it; ``jobs`` names its jobs, empty for all.

    ``needs`` are the fields of a row without which the score is undefined; a row without them does
    not have the score.
    ``unit`` is required unless the score is a share from 0 to 1.
    The row of a case has the score at ``scores.NAME``. All fields that explain the metric are
    required: the three titles, the formula, and when it is undefined ("never" if it never is).

    Raises:
        ValueError: A field is missing or wrong; the message names the scorer.
    """

    function: Callable[[Subject], Value | Graded]
    field: str = ""
    jobs: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the declaration and fill in ``field``."""
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"scorer {self.name!r}: a name has small letters, digits and underscores"
            )
        required = ("title", "title_zh", "title_ru", "formula", "undefined")
        missing = [name for name in required if not getattr(self, name).strip()]
        if missing:
            raise ValueError(f"scorer {self.name!r}: {', '.join(missing)} must be given")
        if self.field not in {"", f"scores.{self.name}"}:
            raise ValueError(f"scorer {self.name!r}: its field is always scores.{self.name}")
        msgspec.structs.force_setattr(self, "field", f"scores.{self.name}")

    def grade(self, subject: Subject) -> Graded | None:
        """The score of an answer with what is known about it; ``None`` if it is undefined.

        Raises:
            ValueError: The function returned something that is not a score.
        """
        result = self.function(subject)
        graded = result if isinstance(result, Graded) else None
        value = self._checked(result if graded is None else graded.value)
        if value is None:
            return None
        return Graded(value=value) if graded is None else replace(graded, value=value)

    def value(self, subject: Subject) -> Value:
        """The score of an answer.

        Raises:
            ValueError: The function returned something that is not a score.
        """
        graded = self.grade(subject)
        return None if graded is None else graded.value

    def _checked(self, value: Any) -> Value:
        if getattr(value, "shape", None) == () and hasattr(value, "item"):
            value = value.item()  # of NumPy or PyTorch, whose numbers need not be those of Python
        if value is None or isinstance(value, bool):
            return value
        if not isinstance(value, int | float):
            raise ValueError(  # noqa: TRY004 - the same kind of mistake as a number out of range
                f"{self.name} returned {_shown(value)}; a score is a number, a boolean or None"
            )
        if not math.isfinite(value):
            raise ValueError(f"{self.name} returned {value}; a score is a finite number")
        if self.kind == "rate" and value not in {0, 1}:
            raise ValueError(f"{self.name} returned {value}; a rate is made of 0 and 1")
        if not self.unit and not 0 <= value <= 1:
            raise ValueError(
                f"{self.name} returned {value}; a score without a unit is a share from 0 to 1, "
                "so the scorer needs a unit"
            )
        # a subclass, such as a number of NumPy, cannot be written as JSON
        return int(value) if isinstance(value, int) else float(value)


def _shown(value: object) -> str:
    text = repr(value)
    text = text if len(text) <= 60 else f"{text[:59]}…"
    return f"{text} ({type(value).__name__})"
