"""Plans for tests of what stands on them, every part replaceable."""

from collections.abc import Collection, Iterator

from assay.records import Question, Variant
from assay.runner import Plan, product_plan
from assay.runner.plan import Placement, top_k_placement

ON, OFF = Variant(name="on", settings={"x": 1}), Variant(name="off", settings={"x": 0})


def question(number: int, text: str = "why?") -> Question:
    """A question."""
    return Question(id=f"q{number}", text=text)


def make_plan(
    questions: Collection[Question] = (question(1), question(2)),
    variants: tuple[Variant, ...] = (ON, OFF),
    placements: tuple[Placement, ...] = (top_k_placement(10),),
    system: str = "sys-1",
) -> Plan:
    """A plan with every part replaceable."""
    return product_plan(
        questions=questions, variants=variants, placements=placements, system=system
    )


class Endless(Collection[Question]):
    """A thousand million questions that count how many were drawn."""

    def __init__(self) -> None:
        self.drawn = 0

    def __len__(self) -> int:
        return 10**9

    def __contains__(self, item: object) -> bool:
        raise AssertionError("a plan has no reason to search")

    def __iter__(self) -> Iterator[Question]:
        for number in range(10**9):
            self.drawn += 1
            yield question(number)
