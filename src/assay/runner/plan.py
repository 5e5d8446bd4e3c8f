"""The plan: the cases of a run, created one by one when they are needed.

The ``fingerprint`` of a case is three short hashes, ``system-settings-question``. When a run is
resumed, a recorded key is skipped only if all three hashes are unchanged. Otherwise the hash
that differs shows what was edited.
"""

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from itertools import cycle, islice
from typing import Any, Protocol

from msgspec import Struct

from assay.errors import UseError
from assay.records import Case, Question, Variant, digest


class Placement(Struct, frozen=True, kw_only=True):
    """What distinguishes cases of the same question and variant: ``top_k``, depth, repetition.

    ``label`` is the last part of the key (``topk=10``); ``values`` are passed to the case.
    """

    label: str
    top_k: int = 10
    values: Mapping[str, Any] = {}


def top_k_placement(top_k: int) -> Placement:
    """The placement of a retrieval case; its key ends in ``topk=N``."""
    return Placement(label=f"topk={top_k}", top_k=top_k)


class MakeCases(Protocol):
    """Creates the cases of a plan in order, without those that are done.

    Of the first ``first`` cases it yields only those in ``open_keys``. After these it yields
    all cases except those in ``done_keys``.
    """

    def __call__(
        self, *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        """Yield the cases."""


class Plan(Struct, frozen=True, kw_only=True):
    """The number of cases and functions to iterate over them, any number of times.

    ``marks()`` yields only the key and the fingerprint of each case. This is several times
    cheaper than ``cases()``, which matters when a million recorded answers are compared before
    the first call. ``variants`` and ``system`` are for the header and for messages about edits.
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

    With this order, a run that stops early has asked about the same number of cases of each
    variant, and calls that variants share follow each other closely. The order of the variants
    changes from question to question, so that no variant always meets cold caches, or caches
    warmed by the same other variant, and looks slow or fast only because of its position.
    ``questions`` may read from disk during iteration.
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

    rotations = [setups[start:] + setups[:start] for start in range(len(setups))]
    orders = [order for rotation in rotations for order in (rotation, rotation[::-1])] or [[]]

    def cases(
        *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        skipped_questions = first // len(setups) if setups and not open_keys else 0
        position = skipped_questions * len(setups)
        for number, question in enumerate(
            islice(questions, skipped_questions, None), skipped_questions
        ):
            question_digest = ""
            for variant, placement, key_end, fingerprint_start in orders[number % len(orders)]:
                key = question.id + key_end
                position += 1
                if (key not in open_keys) if position <= first else (key in done_keys):
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
        for question, order in zip(questions, cycle(orders), strict=False):
            question_digest = digest(question)
            for _, _, key_end, fingerprint_start in order:
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
            raise UseError(f"two variants are named {name!r}; give each variant a different name")
