"""The order in which a run that stops early asks its questions, kept for all later runs of its journal.

The order looks random and is always the same: by a hash of the seed and of the questions' ids. It is
stored beside the journal (``NAME.order.jsonl``) when the run begins: first the rule by which it was
begun, then the id of each question. Another order of the same answers, another level, metric,
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
from assay.runs.read import read_heads
from assay.text.width import counted

if TYPE_CHECKING:
    from assay.runs.plan import Plan

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalCorrupt
from assay.records import SCHEMA_VERSION
from assay.runs.summary import write_atomically
from assay.runs.write import order_path


class AskingOrder(Struct, frozen=True, kw_only=True):
    """The questions of a run in the order of asking, and the ``rule`` by which it was begun."""

    rule: Mapping[str, Any]
    questions: Sequence[str]


class _OrderHeader(Struct, frozen=True, kw_only=True):
    rule: Mapping[str, Any]
    schema_version: int = SCHEMA_VERSION


def write_order(journal: Path, order: AskingOrder) -> None:
    """Store an order beside its journal, atomically."""
    encode = msgspec.json.Encoder().encode_lines
    lines = encode([_OrderHeader(rule=order.rule), *order.questions])
    # names are masked already, in the same way as those of rows
    write_atomically(order_path(journal), lines, is_masked=True)


def read_order(journal: Path) -> AskingOrder | None:
    """Read the order of a journal; ``None`` if there is none, or no answer is recorded yet."""
    path = order_path(journal)
    try:
        if not journal.stat().st_size:
            return None
        first, *others = path.read_bytes().splitlines()
        header = msgspec.json.decode(first, type=_OrderHeader)
        questions = msgspec.json.Decoder(str).decode_lines(b"\n".join(others))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalCorrupt(f"{path}: cannot be read: {error.strerror}") from None
    except (*UNREADABLE, ValueError) as error:
        raise JournalCorrupt(
            f"{path}: not the order of a run that stops early ({error}). Start again with --resume fresh"
        ) from None
    return AskingOrder(rule=header.rule, questions=questions)


def copy_order(journal: Path, target: Path) -> None:
    """Store the order of ``journal`` beside ``target`` as well, which has rows of the same run."""
    path = order_path(journal)
    if path.exists():
        write_atomically(order_path(target), path.read_bytes(), is_masked=True)


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
