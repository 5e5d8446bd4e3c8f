"""The plan as the runner takes it: a case for each slot, made when it is asked for."""

from collections.abc import Collection, Container, Iterator

from assay.jobs.depth.plan.slot import DepthPlan, Slot, depth_label
from assay.records import Case, Variant, digest
from assay.runner import Plan


def case_plan(plan: DepthPlan, variant: Variant, system: str) -> Plan:
    """The runner's plan; a case's placement holds its slot."""
    start = f"{digest(system)}-{digest(variant.settings)}-"
    fixed_places = plan.layout.mode != "legacy"

    def key(slot: Slot) -> str:
        return f"{slot.question.id}::{variant.name}::{slot_label(slot, with_depth=fixed_places)}"

    def marks() -> Iterator[tuple[str, str]]:
        asked, fingerprint = "", ""
        for slot in plan.slots:
            if slot.question.id != asked:
                asked, fingerprint = slot.question.id, start + digest(slot.question)
            yield key(slot), fingerprint

    def cases(
        *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        for place, (slot, (name, fingerprint)) in enumerate(
            zip(plan.slots, marks(), strict=True), 1
        ):
            if (name not in open_keys) if place <= first else (name in done_keys):
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
    """What tells the cases of one question apart.

    In ``legacy`` the length alone does; the depth is where the evidence happens to lie.
    """
    if not with_depth or slot.depth is None:
        return f"length={slot.length}"
    return f"length={slot.length},depth={depth_label(slot.depth)}"
