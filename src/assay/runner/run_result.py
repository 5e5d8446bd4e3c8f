"""How a run ended."""

from msgspec import Struct

from assay.errors import RunStopped
from assay.journal import Summary
from assay.records import Tally


class RunResult(Struct, frozen=True, kw_only=True):
    """How a run ended. ``tally`` counts the whole plan, ``asked`` only the cases of this run.

    ``judged`` counts the recorded answers that this run judged without asking: those that were
    not judged yet, and those that were judged again because what they are held against changed.
    ``unjudged`` says why some of the latter could not be judged again. ``outside`` is the number
    of recorded cases that are not part of the plan; nothing else counts them. ``earlier_ruler`` names
    the rules that had scored the recorded answers, if they are not those of today.
    """

    tally: Tally
    asked: int
    total: int
    paid: float | None
    judge_paid: float | None = None
    elapsed_s: float
    summary: Summary
    judged: int = 0
    unjudged: str = ""
    outside: int = 0
    earlier_ruler: str | None = None
    stopped: RunStopped | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every case has been scored, skipped or spared."""
        finished = self.tally.scored + self.tally.skipped + (self.tally.spared or 0)
        return finished == self.total
