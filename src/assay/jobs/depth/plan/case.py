"""The plan in the form that the runner needs: one case for each slot, created on demand."""

from collections.abc import Collection, Container, Iterator

from assay.jobs.depth.plan.slot import DepthPlan, Slot, depth_label
from assay.records import Case, Variant, digest
from assay.runner import Plan


def case_plan(plan: DepthPlan, variant: Variant, system: str) -> Plan:
    """The runner's plan; the placement of each case contains its slot."""
    prefix = f"{digest(system)}-{digest(variant.settings)}-"
    with_depth = plan.layout.mode != "legacy"

    def key(slot: Slot) -> str:
        return f"{slot.question.id}::{variant.name}::{slot_label(slot, with_depth=with_depth)}"

    def marks() -> Iterator[tuple[str, str]]:
        question_id, fingerprint = "", ""
        for slot in plan.slots:
            if slot.question.id != question_id:
                question_id, fingerprint = slot.question.id, prefix + digest(slot.question)
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
                top_k=1,
                placement={"slot": slot},
            )

    return Plan(total=len(plan.slots), cases=cases, marks=marks, system=system, variants=(variant,))


def slot_label(slot: Slot, *, with_depth: bool) -> str:
    """The label that distinguishes the cases of one question.

    In ``legacy`` mode it is the length only, because the depth is not chosen.
    """
    if not with_depth or slot.depth is None:
        return f"length={slot.length}"
    return f"length={slot.length},depth={depth_label(slot.depth)}"
