"""The order in which a run that stops early asks its questions, kept for all later runs of its journal.

The order looks random and is always the same: by a hash of the seed and of the questions' ids. It is
stored beside the journal when the run begins. Another order of the same answers, another level, metric,
baseline or other variants would be another chance to decide, and decisions would be wrong more often than
the level says. So a later run goes on with what was begun, and new questions come after all others.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import JournalStale
from assay.mask import mask_identifier
from assay.records import Question
from assay.runs.order import AskingOrder, read_order, write_order
from assay.runs.read import read_heads
from assay.text.width import counted

if TYPE_CHECKING:
    from assay.runs.plan import Plan

Q = TypeVar("Q", bound=Question)


def in_order_of_asking(questions: Iterable[Q], seed: int, recorded: Sequence[str] = ()) -> list[Q]:
    """The questions in the order in which they are asked: first the ``recorded`` ones, as they were.

    >>> questions = [Question(id=f"q{number}", text="") for number in range(5)]
    >>> [question.id for question in in_order_of_asking(questions, seed=0)]
    ['q4', 'q0', 'q1', 'q3', 'q2']
    >>> [question.id for question in in_order_of_asking(questions, 0, ["q2", "q1"])]
    ['q2', 'q1', 'q4', 'q0', 'q3']
    """
    places = {name: place for place, name in enumerate(recorded)}

    def place(question: Question) -> tuple[int, bytes]:
        known = places.get(mask_identifier(question.id), len(places))
        return known, b"" if known < len(places) else place_of(question.id, seed)

    return sorted(questions, key=place)


def place_of(question_id: str, seed: int) -> bytes:
    """What decides when a question is asked."""
    return blake2b(f"{seed}\0{question_id}".encode("utf-8", "surrogatepass")).digest()


def recorded_order(journal: Path) -> Sequence[str]:
    """The questions of a journal in the order of asking; empty if none was recorded."""
    order = read_order(journal)
    return order.questions if order is not None else ()


def refuse_other_order(plan: "Plan", journal: Path) -> None:
    """Raise ``JournalStale`` if the plan would look at recorded answers in another way."""
    recorded = read_order(journal)
    if plan.early_stop is None or plan.questions is None or recorded is None:
        return
    now = _rule(plan)
    changed = [name for name in now if recorded.rule.get(name) != now[name]]
    if changed:
        name = changed[0]
        before, today = _written(recorded.rule.get(name)), _written(now[name])
        raise _refusal(f"it was begun with {name} {before}, and now it is {today}")
    questions = [question for question, _ in plan.questions()]
    known, planned = set(recorded.questions), set(questions)
    if plan.early_stop.about_set and planned != known:
        raise _refusal("its decisions are about this set of questions, and the set has changed")
    gone = known - planned
    asked = _asked(journal, gone) if gone else set()
    if asked:
        number = counted(len(asked), "question that it asked is", "questions that it asked are")
        raise _refusal(f"{number} not among the questions of this run")
    kept = [name for name in recorded.questions if name in planned]
    if kept != questions[: len(kept)]:
        raise _refusal("its questions are in another order")


def store_order(plan: "Plan", journal: Path) -> None:
    """Store the order of a plan that stops early, unless the same is stored already.

    A question that was never asked and is not planned any more loses its place.
    """
    if plan.early_stop is None or plan.questions is None:
        return
    order = AskingOrder(rule=_rule(plan), questions=[name for name, _ in plan.questions()])
    if order != read_order(journal):
        write_order(journal, order)


def _rule(plan: "Plan") -> dict[str, Any]:
    """What must stay as it was. A margin may change: the sequence holds for all of them at once."""
    rule = plan.early_stop
    assert rule is not None
    return {
        "seed": rule.seed,
        "level": rule.level,
        "metric": rule.metric.name,
        "baseline": rule.baseline,
        "about": "this set" if rule.about_set else "questions like these",
        "variants": sorted(mask_identifier(variant.name) for variant in plan.variants),
    }


def _written(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _asked(journal: Path, questions: set[str]) -> set[str]:
    """Which of the questions have an answer."""
    names = {
        head.key.rsplit("::", 2)[0]
        for heads in read_heads(journal)
        for head in heads
        if head.status in {"", "scored", "answered"}
    }
    return names & questions


def _refusal(reason: str) -> JournalStale:
    return JournalStale(
        f"this run stops early: {reason}. That would be another chance to decide by the same answers, "
        "and decisions would be wrong more often than promised. Go on as it was begun, use "
        "--resume fresh to start again (the old file is kept next to the new one), or run without early stopping "
        "to ask all questions"
    )
