"""The plan: which cases there are, made one by one when they are needed.

A case's ``fingerprint`` is three short hashes, ``system-settings-question``: what was asked,
of what, set up how. Resuming skips a key only where all three agree; where they do not, the
part that differs says what was edited.
"""

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from itertools import cycle, islice
from typing import Any, Protocol

from msgspec import Struct

from assay.errors import UseError
from assay.records import Case, Question, Variant, digest


class Placement(Struct, frozen=True, kw_only=True):
    """What tells cases of one question and variant apart: ``top_k``, depth, repetition.

    ``label`` stands in the key (``topk=10``), ``values`` reach the case.
    """

    label: str
    top_k: int = 10
    values: Mapping[str, Any] = {}


def top_k_placement(top_k: int) -> Placement:
    """The placement of a retrieval case; its key ends in ``topk=N``."""
    return Placement(label=f"topk={top_k}", top_k=top_k)


class MakeCases(Protocol):
    """Makes a plan's cases in order, leaving out those that are done.

    Of the first ``first`` cases only those in ``open_keys`` are made; of the rest all but
    those in ``done_keys``.
    """

    def __call__(
        self, *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        """The cases."""


class Plan(Struct, frozen=True, kw_only=True):
    """A number of cases and a way to go through them, as often as is wanted.

    ``marks()`` goes through key and fingerprint alone, which is several times cheaper than
    ``cases()``: a million recorded answers are compared before the first call. ``variants``
    and ``system`` are kept for the header and for saying what changed.
    """

    total: int
    cases: MakeCases
    marks: Callable[[], Iterator[tuple[str, str]]]
    system: str
    variants: tuple[Variant, ...]


def product_plan(
    *,
    questions: Collection[Question],
    variants: Sequence[Variant],
    placements: Sequence[Placement],
    system: str,
) -> Plan:
    """Every question with every variant at every placement, question by question.

    Going question by question keeps the variants level when a run stops half-way, and puts
    the calls they share next to each other. The variants take turns at being first, and at
    coming before or after a neighbour, so that none of them always finds the caches cold, or
    warmed for it by the same other, and looks slow or quick for that. ``questions`` may read
    from disk as it goes.
    """
    _check_variants(variants)
    system_digest = digest(system)
    setups = [
        (
            variant,
            placement,
            f"::{variant.name}::{placement.label}",
            f"{system_digest}-{digest(variant.settings)}-",
        )
        for variant in variants
        for placement in placements
    ]

    rotated = [setups[turn:] + setups[:turn] for turn in range(len(setups))]
    turns = [order for turn in rotated for order in (turn, turn[::-1])] or [[]]

    def cases(
        *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        left_out = first // len(setups) if setups and not open_keys else 0
        place = left_out * len(setups)
        for number, question in enumerate(islice(questions, left_out, None), left_out):
            question_digest = ""
            for variant, placement, key_end, fingerprint_start in turns[number % len(turns)]:
                key = question.id + key_end
                place += 1
                if (key not in open_keys) if place <= first else (key in done_keys):
                    continue
                question_digest = question_digest or digest(question)
                yield Case(
                    key=key,
                    question=question,
                    variant=variant,
                    fingerprint=fingerprint_start + question_digest,
                    top_k=placement.top_k,
                    placement=placement.values,
                )

    def marks() -> Iterator[tuple[str, str]]:
        for question, turn in zip(questions, cycle(turns), strict=False):
            question_digest = digest(question)
            for _, _, key_end, fingerprint_start in turn:
                yield question.id + key_end, fingerprint_start + question_digest

    return Plan(
        total=len(questions) * len(setups),
        cases=cases,
        marks=marks,
        system=system,
        variants=tuple(variants),
    )


def _check_variants(variants: Sequence[Variant]) -> None:
    names = [variant.name for variant in variants]
    for name in names:
        if "::" in name or not name.strip():
            raise UseError(f"variant {name!r}: a name may not be empty or contain '::'")
        if names.count(name) > 1:
            raise UseError(f"two variants are named {name!r}; give each a name of its own")
