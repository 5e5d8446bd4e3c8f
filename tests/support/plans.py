"""Plans for tests of code that needs a plan; every part can be replaced."""

from collections.abc import Collection, Iterator

from assay.records import Question, Variant
from assay.runs.plan import Placement, Plan, product_plan, top_k_placement

ON, OFF = Variant(name="on", settings={"x": 1}), Variant(name="off", settings={"x": 0})


def question(number: int, text: str = "why?") -> Question:
    """A question with the id ``q<number>``."""
    return Question(id=f"q{number}", text=text)


def make_plan(
    questions: Collection[Question] = (question(1), question(2)),
    variants: tuple[Variant, ...] = (ON, OFF),
    placements: tuple[Placement, ...] = (top_k_placement(10),),
    system: str = "sys-1",
) -> Plan:
    """A plan of two questions, two variants and one placement, unless the arguments differ."""
    return product_plan(
        questions=questions, variants=variants, placements=placements, system=system
    )


class Endless(Collection[Question]):
    """A collection of 10⁹ questions; ``drawn`` counts how many were taken from it."""

    def __init__(self) -> None:
        self.drawn = 0

    def __len__(self) -> int:
        return 10**9

    def __contains__(self, item: object) -> bool:
        raise AssertionError("a plan must not search its questions")

    def __iter__(self) -> Iterator[Question]:
        for number in range(10**9):
            self.drawn += 1
            yield question(number)
