"""The configuration of a system in fingerprints: what is compared, and how a change is told."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from assay.errors import JournalStale
from assay.records import Question, RunHeader, Variant
from assay.runs.plan import (
    Plan,
    header_digest,
    in_scheme_of,
    product_plan,
    same_fingerprint,
    settings_mark,
    top_k_placement,
)
from assay.runs.row import RowHead
from assay.runs.survey import Survey

QUESTIONS = [Question(id=f"q{n}", text="What?") for n in range(3)]


def variant(name: str, configuration: Any = UNSET, **settings: Any) -> Variant:
    """A variant of a system with this configuration, which its settings override."""
    whole = configuration if configuration is UNSET else {**configuration, **settings}
    return Variant(name=name, settings=settings, configuration=whole)


def plan_of(*variants: Variant) -> Plan:
    """Three questions with each of the variants."""
    return product_plan(
        questions=QUESTIONS, variants=variants, placements=[top_k_placement(5)], system="s"
    )


def survey_of(plan: Plan, recorded: Plan) -> Survey:
    """The state of a plan whose rows were recorded by another one."""
    survey = Survey(plan)
    heads = [RowHead(key=k, status="scored", fingerprint=f) for k, f in recorded.marks()]
    survey.add(heads)
    return survey


def test_a_change_is_told_once_for_all_variants():
    """Also if one of the variants sets the setting itself, and so is not affected."""
    before = (variant("on", {"k": 60, "m": "a"}, x=1), variant("own", {"k": 60, "m": "a"}, k=3))
    after = (variant("on", {"k": 5, "m": "b"}, x=1), variant("own", {"k": 5, "m": "a"}, k=3))
    plan = plan_of(*after)
    survey = survey_of(plan, plan_of(*before))
    assert len(survey.result().stale) == 3
    with pytest.raises(JournalStale, match=r"of the system: k 60 → 5, m 'a' → 'b'\. Use"):
        survey.refuse_stale("s", before)
    with pytest.raises(JournalStale, match=r"of the system: its settings changed\. Use"):
        survey.refuse_stale(None, ())


def test_rows_without_a_configuration_are_compared_by_what_they_have():
    """They were recorded by an earlier version, or before the system declared its settings."""
    before, after = plan_of(variant("on", x=1)), plan_of(variant("on", {"k": 60}, x=1))
    survey = survey_of(after, before)
    assert (survey.result().done, survey.result().stale) == (3, frozenset())
    edited = plan_of(variant("on", {"k": 60}, x=2))
    survey = survey_of(edited, before)
    with pytest.raises(
        JournalStale, match=r"earlier version of this experiment: variant on: x 1 → 2\."
    ):
        survey.refuse_stale("s", before.variants)


def test_a_system_that_declares_nothing_any_more_is_another_one():
    """Its rows say with which configuration they were recorded."""
    before, after = plan_of(variant("on", {"k": 60}, x=1)), plan_of(variant("on", x=1))
    assert len(survey_of(after, before).result().stale) == 3


def test_a_secret_is_no_part_of_a_plan():
    """Parts of a run that were made with and without a key fit together."""
    header = RunHeader(job="j", name="n", system="s", variants=(variant("on", {"k": 60}),), total=3)
    known = replace(header.variants[0], secrets={"api_key": "set"})
    assert settings_mark(known) == settings_mark(header.variants[0])
    assert header_digest(replace(header, variants=(known,))) == header_digest(header)
    other = replace(header, variants=(variant("on", {"k": 5}),))
    assert header_digest(other) != header_digest(header)


def test_fingerprints_agree_in_what_the_recorded_one_has():
    """The scheme of a row is seen in the row."""
    assert in_scheme_of("a-b-c", "a-b.d-c") == "a-b-c"
    assert in_scheme_of("a-b.e-c", "a-b.d-c") == "a-b.d-c"
    assert same_fingerprint("a-b-c", "a-b.d-c") is True
    assert same_fingerprint("a-b.d-c", "a-b-c") is False
    assert same_fingerprint("a-b.e-c", "a-b.d-c") is False
    assert same_fingerprint("a-x-c", "a-b.d-c") is False
    assert same_fingerprint("a-b-c", "k0123456789-b.d-c") is None
