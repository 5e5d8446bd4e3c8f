"""The plan in the form that the runner needs: one case for each slot, created on demand.

The fingerprint of a case covers the question without its correct answers, so that a correction of
these asks nothing again.
"""

from collections.abc import Collection, Container, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from assay.data.novel import NovelQuestion
from assay.jobs.depth.plan.slot import DepthPlan, Slot, depth_label
from assay.mask import mask_identifier
from assay.records import Case, Variant, digest
from assay.runner import FurtherMark, Plan


def case_plan(plan: DepthPlan, variant: Variant, system: str) -> Plan:
    """The runner's plan; the placement of each case contains its slot."""
    prefix = f"{digest(system)}-{digest(variant.settings)}-"
    with_depth = plan.layout.mode != "legacy"

    def key(slot: Slot) -> str:
        label = slot_label(slot, with_depth=with_depth)
        return mask_identifier(f"{slot.question.id}::{variant.name}::{label}")

    def marks() -> Iterator[tuple[str, str]]:
        question_id, fingerprint = "", ""
        for slot in plan.slots:
            if slot.question.id != question_id:
                question_id, fingerprint = slot.question.id, prefix + digest(asked(slot.question))
            yield key(slot), fingerprint

    def cases(
        *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        for number, (slot, (name, fingerprint)) in enumerate(
            zip(plan.slots, marks(), strict=True), 1
        ):
            if (name not in open_keys) if number <= first else (name in done_keys):
                continue
            yield Case(
                key=name,
                question=slot.question,
                variant=variant,
                fingerprint=fingerprint,
                against=digest(held_against(slot.question)),
                top_k=1,
                placement={"slot": slot},
            )

    return Plan(
        total=len(plan.slots),
        cases=cases,
        marks=marks,
        system=system,
        variants=(variant,),
        further_marks=lambda: _further_marks(plan),
        with_recorded_gold=with_recorded_answers,
    )


def _further_marks(plan: DepthPlan) -> Iterator[FurtherMark]:
    question_id, mark = "", FurtherMark()
    for slot in plan.slots:
        if slot.question.id != question_id:
            question_id = slot.question.id
            against = digest(held_against(slot.question))
            mark = FurtherMark(against, partial(digest, slot.question))
        yield mark


def asked(question: NovelQuestion) -> NovelQuestion:
    """The question without what its answer is held against."""
    return replace(question, answers=())


def held_against(question: NovelQuestion) -> tuple[str, ...]:
    """What an answer to the question is held against."""
    return question.answers


def with_recorded_answers(question: NovelQuestion, row: Mapping[str, Any]) -> NovelQuestion:
    """The question with the correct answers of a recorded row."""
    return replace(question, answers=tuple(map(str, row.get("correct_answer") or ())))


def slot_label(slot: Slot, *, with_depth: bool) -> str:
    """The label that distinguishes the cases of one question.

    In ``legacy`` mode it is the length only, because the depth is not chosen.
    """
    if not with_depth or slot.depth is None:
        return f"length={slot.length}"
    return f"length={slot.length},depth={depth_label(slot.depth)}"
