"""Descriptions of what was edited between two runs of an experiment."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from assay.records import Case, Variant
from assay.text import counted


def changes(
    edited: Sequence[tuple[Case, str]],
    system: str,
    recorded_system: str | None,
    recorded_variants: Sequence[Variant],
) -> Iterator[str]:
    """Describe each edit: to the system, to a variant's settings, to questions.

    ``edited`` pairs every affected case with the fingerprint that was recorded for it. Old
    values are named only if the recorded header is known.
    """
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
        yield f"the system is now {system}{was_system}"
    before = {variant.name: variant.settings for variant in recorded_variants}
    for name, variant in variants.items():
        yield f"variant {name}: {_settings_change(before.get(name), variant.settings)}"
    if questions:
        ids = ", ".join(islice(questions, 5))
        more = f" and {len(questions) - 5} more" if len(questions) > 5 else ""
        yield f"the content of {counted(len(questions), 'question')} changed: {ids}{more}"


def _settings_change(was: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    if was is None or was == now:
        return "its settings changed"

    def value_text(settings: Mapping[str, Any], name: str) -> str:
        return repr(settings[name]) if name in settings else "unset"

    return ", ".join(
        f"{name} {value_text(was, name)} → {value_text(now, name)}"
        for name in sorted({*was, *now})
        if value_text(was, name) != value_text(now, name)
    )
