"""Parts of a plan that run independently: ``--shard 2/4`` is the second of four parts.

A question belongs to one part, with all its variants and placements: the calls that its variants
share are then made in one place. The questions are dealt out in turn, so that the parts are of
about the same size and each has questions from everywhere in the set.
"""

import re
from collections.abc import Collection, Container, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from assay.errors import UseError
from assay.records import Case
from assay.runner.plan import FurtherMark, Plan, question_of_key

T = TypeVar("T")
_WRITTEN: Final = re.compile(r"(\d{1,9})/(\d{1,9})")


class Shard(Struct, frozen=True):
    """Part ``number`` of ``of`` parts; the first is 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_shard(text: str) -> Shard:
    """The part that ``--shard`` names.

    >>> parse_shard("2/4")
    Shard(number=2, of=4)
    """
    found = _WRITTEN.fullmatch(text.strip())
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not 1 <= shard.number <= shard.of:
        raise UseError(
            f"--shard {text}: write it as PART/PARTS, for example 1/4 for the first of 4"
        )
    return shard


def plan_part(plan: Plan, shard: Shard) -> Plan:
    """The cases of a plan that belong to one part."""
    if plan.early_stop is not None:
        raise UseError(
            "--shard cannot be combined with --stop-early: what is decided early depends on the "
            "answers of all parts"
        )
    if plan.every is not None:
        return plan.every(shard.number - 1, shard.of)
    return _filtered(plan, shard)


def _filtered(plan: Plan, shard: Shard) -> Plan:
    """The part of a plan that is no product; it is found by going through the whole plan."""

    def own(keys: Iterator[str]) -> Iterator[bool]:
        numbers: dict[str, int] = {}
        for key in keys:
            number = numbers.setdefault(question_of_key(key), len(numbers))
            yield number % shard.of == shard.number - 1

    def marks() -> Iterator[tuple[str, str]]:
        belongs = own(key for key, _ in plan.marks())
        return (mark for mark, is_own in zip(plan.marks(), belongs, strict=True) if is_own)

    def further_marks() -> Iterator[FurtherMark]:
        assert plan.further_marks is not None
        belongs = own(key for key, _ in plan.marks())
        return (mark for mark, is_own in zip(plan.further_marks(), belongs, strict=True) if is_own)

    def cases(
        *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        position = 0
        belongs = own(key for key, _ in plan.marks())
        for case, is_own in zip(plan.cases(), belongs, strict=True):
            position += is_own
            if not is_own or (
                (case.key not in open_keys) if position <= first else (case.key in done_keys)
            ):
                continue
            yield case

    return replace(
        plan,
        total=sum(1 for _ in marks()),
        cases=cases,
        marks=marks,
        questions=None,
        further_marks=None if plan.further_marks is None else further_marks,
    )


def in_turn(parts: Sequence[Iterator[T]]) -> Iterator[T]:
    """What was dealt out to the parts, in its former order.

    >>> "".join(in_turn([iter("ad"), iter("be"), iter("c")]))
    'abcde'
    """
    while dealt := [each for part in parts for each in islice(part, 1)]:
        yield from dealt
