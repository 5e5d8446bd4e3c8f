"""The plan: the cases of a run, created one by one when they are needed.

The ``fingerprint`` of a case is three short hashes, ``system-settings-question``. When a run is
resumed, a recorded key is skipped only if all three hashes are unchanged. Otherwise the hash
that differs shows what was edited.
"""

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from assay.errors import UseError
from assay.journal import PlanHeader, read_plan_header, write_plan
from assay.records import DIGEST_BYTES, Case, Question, RunHeader, Variant, digest


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
    ``placements`` and ``questions()``, which yields the id and the digest of each question, are
    stored beside the journal. A plan that is not every question with every variant at every
    placement has no ``questions``; the marks of its cases are stored instead.
    """

    total: int
    cases: MakeCases
    marks: Callable[[], Iterator[tuple[str, str]]]
    system: str
    variants: tuple[Variant, ...]
    placements: tuple[str, ...] = ()
    questions: Callable[[], Iterator[tuple[str, str]]] | None = None


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
    ``questions`` may read from disk during iteration; every iteration must yield the same. Only
    four bytes of each question are kept, its digest.
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

    question_digest = _QuestionDigests().get

    def cases(
        *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        skipped_questions = first // len(setups) if setups and not open_keys else 0
        position = skipped_questions * len(setups)
        for number, question in enumerate(
            islice(questions, skipped_questions, None), skipped_questions
        ):
            current = ""
            for variant, placement, key_end, fingerprint_start in orders[number % len(orders)]:
                key = question.id + key_end
                position += 1
                if (key not in open_keys) if position <= first else (key in done_keys):
                    continue
                current = current or question_digest(number, question)
                yield Case(
                    key=key,
                    question=question,
                    variant=variant,
                    fingerprint=fingerprint_start + current,
                    top_k=placement.top_k,
                    placement=placement.values,
                )

    def marks() -> Iterator[tuple[str, str]]:
        for number, (question, order) in enumerate(zip(questions, cycle(orders), strict=False)):
            current = question_digest(number, question)
            for _, _, key_end, fingerprint_start in order:
                yield question.id + key_end, fingerprint_start + current

    def question_marks() -> Iterator[tuple[str, str]]:
        for number, question in enumerate(questions):
            yield question.id, question_digest(number, question)

    return Plan(
        total=len(questions) * len(setups),
        cases=cases,
        marks=marks,
        system=system,
        variants=tuple(variants),
        placements=tuple(placement.label for placement in placements),
        questions=question_marks,
    )


class _QuestionDigests:
    """The digests of the questions from the first one on, as far as they were needed."""

    def __init__(self) -> None:
        self._known = bytearray()

    def get(self, number: int, question: Question) -> str:
        """The digest of a question, which is the one with this number."""
        at = number * DIGEST_BYTES
        if at < len(self._known):
            return self._known[at : at + DIGEST_BYTES].hex()
        made = digest(question)
        if at == len(self._known):
            self._known.extend(bytes.fromhex(made))
        return made


def store_plan(journal: Path, plan: Plan, header: RunHeader) -> None:
    """Store the plan beside the journal, unless the same plan is stored there already."""
    made_of = _made_of(plan, header)
    stored = read_plan_header(journal)
    if stored is not None and stored.made_of == made_of:
        return
    plan_header = PlanHeader(
        made_of=made_of,
        total=plan.total,
        system=digest(plan.system),
        variants={variant.name: digest(variant.settings) for variant in plan.variants},
        placements=plan.placements,
        lines="questions" if plan.questions is not None else "cases",
    )
    write_plan(journal, plan_header, (plan.questions or plan.marks)())


def _made_of(plan: Plan, header: RunHeader) -> str:
    """A digest of what the plan is made of: the header and, unless it has their hash, questions."""
    moment = {"started_at": "", "completed_at": None, "assay_version": "", "python_version": ""}
    made_of = digest(replace(header, **moment))
    if header.questions_sha256 is not None:
        return made_of
    content = blake2b(digest_size=4)
    for mark in (plan.questions or plan.marks)():
        content.update("\0".join((*mark, "")).encode())
    return f"{made_of}-{content.hexdigest()}"


def _check_variants(variants: Sequence[Variant]) -> None:
    names = [variant.name for variant in variants]
    for name in names:
        if "::" in name or name.startswith(":") or name.endswith(":") or not name.strip():
            raise UseError(
                f"variant {name!r}: a name may not be empty, contain '::', or start or end with ':'"
            )
        if names.count(name) > 1:
            raise UseError(f"two variants are named {name!r}; give each variant a different name")
