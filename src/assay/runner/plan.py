"""The plan: which cases there are, made one by one when they are needed.

A case's ``fingerprint`` is three short hashes, ``system-settings-question``: what was asked,
of what, set up how. Resuming skips a key only where all three agree; where they do not, the
part that differs says what was edited.
"""

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from assay.errors import JournalStale, UseError
from assay.records import Case, Question, Variant, digest
from assay.runner.journal import JournalIndex


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


class Plan(Struct, frozen=True, kw_only=True):
    """A number of cases and a way to go through them, as often as is wanted.

    ``cases(skip)`` makes the cases whose key is not in ``skip``, in order. ``marks()`` goes
    through key and fingerprint alone, which is several times cheaper: a million recorded
    answers are compared before the first call. ``variants`` and ``system`` are kept for the
    header and for saying what changed.
    """

    total: int
    cases: Callable[[Container[str]], Iterator[Case]]
    marks: Callable[[], Iterator[tuple[str, str]]]
    system: str
    variants: tuple[Variant, ...]

    def pending(self, index: JournalIndex) -> Iterator[Case]:
        """The cases that have no outcome yet, in order."""
        return self.cases(index.done)

    def check(self, index: JournalIndex) -> "Standing":
        """Compare the plan with what a journal holds, before anything is asked."""
        if not len(index):
            return Standing()
        done = 0
        stale: set[str] = set()
        recorded = index.done
        for key, fingerprint in self.marks():
            found = recorded.get(key)
            if found is not None:
                done += 1
                if found != fingerprint:
                    stale.add(key)
        skipped = sum(key in index.skipped for key, _ in self.marks()) if index.skipped else 0
        return Standing(done=done, skipped=skipped, stale=frozenset(stale))


class Standing(Struct, frozen=True, kw_only=True):
    """How far a plan has got: cases done, and those done under another fingerprint."""

    done: int = 0
    skipped: int = 0
    stale: frozenset[str] = frozenset()

    def refuse_stale(
        self,
        plan: Plan,
        index: JournalIndex,
        recorded_system: str | None,
        recorded_variants: Sequence[Variant],
    ) -> None:
        """Raise ``JournalStale`` saying what was edited, if anything was."""
        if self.stale:
            edited = [
                (case, index.done[case.key]) for case in plan.cases(()) if case.key in self.stale
            ]
            changes = "; ".join(_changes(edited, plan, recorded_system, recorded_variants))
            raise JournalStale(
                f"{len(self.stale)} recorded answers belong to an earlier version of this "
                f"experiment: {changes}. Use --fresh to start anew (the old file is kept "
                "beside the new one) or --keep-stale to keep them as they are"
            )


def product_plan(
    *,
    questions: Collection[Question],
    variants: Sequence[Variant],
    placements: Sequence[Placement],
    system: str,
) -> Plan:
    """Every question with every variant at every placement, question by question.

    Going question by question keeps the variants level when a run stops half-way, and puts
    the calls they share next to each other. ``questions`` may read from disk as it goes.
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

    def cases(skip: Container[str]) -> Iterator[Case]:
        for question in questions:
            question_digest = ""
            for variant, placement, key_end, fingerprint_start in setups:
                key = question.id + key_end
                if key in skip:
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
        for question in questions:
            question_digest = digest(question)
            for _, _, key_end, fingerprint_start in setups:
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


def _changes(
    edited: Sequence[tuple[Case, str]],
    plan: Plan,
    recorded_system: str | None,
    recorded_variants: Sequence[Variant],
) -> Iterator[str]:
    """What was edited, in words, as far as the recorded header lets one say."""
    questions: dict[str, None] = {}
    variants: dict[str, Variant] = {}
    system_changed = False
    for case, recorded in edited:
        was, now = recorded.split("-"), case.fingerprint.split("-")
        if len(was) != len(now):
            yield "the rows were written by another version of assay"
            return
        system_changed |= was[0] != now[0]
        if was[1] != now[1]:
            variants[case.variant.name] = case.variant
        if was[2] != now[2]:
            questions[case.question.id] = None
    if system_changed:
        was_system = f" (was {recorded_system})" if recorded_system else ""
        yield f"the system is now {plan.system}{was_system}"
    before = {variant.name: variant.settings for variant in recorded_variants}
    for name, variant in variants.items():
        yield f"variant {name}: {_settings_change(before.get(name), variant.settings)}"
    if questions:
        shown = ", ".join(islice(questions, 5))
        more = f" and {len(questions) - 5} more" if len(questions) > 5 else ""
        yield f"the content of {len(questions)} question(s) changed: {shown}{more}"


def _settings_change(was: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    if was is None or was == now:
        return "its settings changed"
    absent = "unset"
    return ", ".join(
        f"{name} {was.get(name, absent)!r} → {now.get(name, absent)!r}"
        for name in sorted({*was, *now})
        if was.get(name, absent) != now.get(name, absent)
    )
