"""The order in which a run that stops early asks its questions, kept for all later runs of its journal.

The order looks random and is always the same: by a hash of the seed and of the questions' ids. It is
stored beside the journal (``NAME.order.jsonl``) when the run begins: first the rule by which it was
begun, then the id of each question. Another order of the same answers, another level, metric,
baseline or other variants would be another chance to decide, and decisions would be wrong more often than
the level says. So a later run goes on with what was begun, and new questions come after all others.

Questions are shuffled across documents if the run is about questions on these documents. If it is about
documents like these, whole documents come one after the other, in an order that looks random.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from assay.errors import JournalStale, UseError
from assay.mask import mask_identifier
from assay.records import Estimand, Question
from assay.runs.read import read_heads
from assay.text.width import counted

if TYPE_CHECKING:
    from assay.runs.early_stop import EarlyStop
    from assay.runs.plan import Plan

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalCorrupt
from assay.records import SCHEMA_VERSION
from assay.runs.summary import write_atomically
from assay.runs.write import order_path


class AskingOrder(Struct, frozen=True, kw_only=True):
    """The questions of a run in the order of asking, and the ``rule`` by which it was begun.

    ``document_sizes`` are the numbers of questions of its documents in this order, if these count
    as wholes.
    """

    rule: Mapping[str, Any]
    questions: Sequence[str]
    document_sizes: tuple[int, ...] = ()


class _OrderHeader(Struct, frozen=True, kw_only=True):
    rule: Mapping[str, Any]
    schema_version: int = SCHEMA_VERSION
    document_sizes: tuple[int, ...] | UnsetType = UNSET


def write_order(journal: Path, order: AskingOrder) -> None:
    """Store an order beside its journal, atomically."""
    encode = msgspec.json.Encoder().encode_lines
    header = _OrderHeader(rule=order.rule, document_sizes=order.document_sizes or UNSET)
    lines = encode([header, *order.questions])
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
    sizes = header.document_sizes or ()
    return AskingOrder(rule=header.rule, questions=questions, document_sizes=sizes)


def copy_order(journal: Path, target: Path) -> None:
    """Store the order of ``journal`` beside ``target`` as well, which has rows of the same run."""
    path = order_path(journal)
    if path.exists():
        write_atomically(order_path(target), path.read_bytes(), is_masked=True)


Q = TypeVar("Q", bound=Question)


def in_order_of_asking(
    questions: Iterable[Q],
    seed: int,
    recorded: Sequence[str] = (),
    documents: Estimand = "fixed",
) -> list[Q]:
    """The questions in the order in which they are asked: first the ``recorded`` ones, as they were.

    With ``sample``, questions on one document follow each other.

    >>> questions = [Question(id=f"q{number}", text="") for number in range(5)]
    >>> [question.id for question in in_order_of_asking(questions, seed=0)]
    ['q4', 'q0', 'q1', 'q3', 'q2']
    >>> [question.id for question in in_order_of_asking(questions, 0, ["q2", "q1"])]
    ['q2', 'q1', 'q4', 'q0', 'q3']
    """
    places = {name: place for place, name in enumerate(recorded)}

    def place(question: Question) -> tuple[int, bytes, bytes]:
        known = places.get(mask_identifier(question.id), len(places))
        if known < len(places):
            return known, b"", b""
        of_document = b"" if documents == "fixed" else place_of(_document(question), seed)
        return known, of_document, place_of(question.id, seed)

    return sorted(questions, key=place)


def place_of(question_id: str, seed: int) -> bytes:
    """What decides when a question is asked."""
    return blake2b(f"{seed}\0{question_id}".encode("utf-8", "surrogatepass")).digest()


def _document(question: Question) -> str:
    """What names the document of a question; one without a document is one by itself."""
    return f"question\0{question.id}" if question.source is None else f"document\0{question.source}"


def ordered_rule(
    rule: "EarlyStop",
    questions: Sequence[Q],
    recorded: AskingOrder | None,
    chosen: Estimand | None,
) -> "tuple[EarlyStop, list[Q]]":
    """The rule with what it is about, and the questions in the order in which they are asked.

    ``chosen`` is what the user wants the run to be about. Without it, a run goes on with what it was
    begun with, and a new one is about documents like these if there are enough of them.

    Raises:
        UseError: ``sample`` is chosen for a set of questions, or for too few documents.
    """
    if chosen is None and recorded is not None:
        chosen = recorded.rule.get("documents", _FORMERLY["documents"])
    elif rule.about_set and chosen == "sample":
        raise UseError(
            "early_stop: about: this set is about these questions only, so documents: sample "
            "contradicts it; leave out one of them"
        )
    elif chosen != "fixed" and not rule.about_set:
        chosen = estimand_of_questions(questions, chosen)
    rule = replace(rule, documents=chosen if chosen == "sample" else "fixed")
    known = recorded.questions if recorded is not None else ()
    ordered = in_order_of_asking(questions, rule.seed, known, rule.documents)
    if rule.documents == "sample":
        sizes = tuple(len(list(group)) for _, group in groupby(ordered, _document))
        rule = replace(rule, document_sizes=sizes)
    return rule, ordered


def estimand_of_questions(
    questions: Iterable[Question], chosen: Estimand | None
) -> Estimand | None:
    """What a run of these questions is about; ``None`` if no question names its document.

    Raises:
        UseError: ``sample`` is chosen, and there are too few documents.
    """
    # imported here because NumPy takes 0.2 s to import
    from assay.stats.scores import FEWEST_DOCUMENTS, estimand_of_count  # noqa: PLC0415

    documents: set[str] = set()
    is_known = False
    for question in questions:
        is_known = is_known or question.source is not None
        documents.add(_document(question))
        if is_known and len(documents) >= FEWEST_DOCUMENTS:
            break
    if is_known:
        return estimand_of_count(len(documents), chosen)
    if chosen == "sample":
        raise UseError(
            "documents: sample needs questions that name their documents, in the field source; "
            "no question does"
        )
    return None


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
    begun = {**_FORMERLY, **recorded.rule}
    changed = [name for name in now if begun.get(name) != now[name]]
    if changed:
        name = changed[0]
        before, today = _written(begun.get(name)), _written(now[name])
        raise _refusal(f"it was begun with {name} {before}, and now it is {today}")
    questions = [question for question, _ in plan.questions()]
    known, planned = set(recorded.questions), set(questions)
    if plan.early_stop.about_set and planned != known:
        raise _refusal("its decisions are about this set of questions, and the set has changed")
    sizes = plan.early_stop.document_sizes
    if sizes and (planned != known or sizes != recorded.document_sizes):
        raise _refusal("its decisions count whole documents, and their questions have changed")
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
    order = AskingOrder(
        rule=_rule(plan),
        questions=[name for name, _ in plan.questions()],
        document_sizes=plan.early_stop.document_sizes,
    )
    if order != read_order(journal):
        write_order(journal, order)


_FORMERLY: Final[Mapping[str, Any]] = {"documents": "fixed"}
"""What a rule was that an earlier version recorded without this name."""


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
        "documents": rule.documents,
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
