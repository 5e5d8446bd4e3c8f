"""Reading the replies of judges: strictly, and what cannot be read is never a score."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judge.rubric import (
    RUBRICS,
    DamagedVerdict,
    Rubric,
    Unreadable,
    read_finding,
    read_verdict,
)

CORRECTNESS = RUBRICS["correctness"]
FAITHFULNESS = RUBRICS["faithfulness"]
FIVE = Rubric(name="tone", prompt="own", scale={str(n): (n - 1) / 4 for n in range(1, 6)})


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "same", "verdict": "right"}',
        '```json\n{"verdict": "right"}\n```',
        '```\n{"verdict": " Right "}\n```',
        '<think>is it wrong? {"verdict": "wrong"}</think>\n{"verdict": "right"}',
        '\n {"verdict":"right","confidence":0.4} ',
    ],
)
def test_one_json_object_is_read(text: str):
    """A JSON object alone is read; a fence around it and thoughts before it are taken off."""
    assert read_verdict(text, CORRECTNESS, 0).score == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "right",
        "The answer is INCORRECT.",
        'I would say {"verdict": "right"}',
        '{"verdict": "right"} because it is the same',
        '{"verdict": "right"}{"verdict": "wrong"}',
        '{"reason": "the same", "verd',
        '{"verdict": "correct"}',
        '{"verdict": 1}',
        '{"verdict": true}',
        '{"verdict": ["right"]}',
        '{"verdict": "right or wrong"}',
        '["right"]',
        '{"verdict": null}',
        "I'm sorry, but I can't help with that.",
        "[" * 100_000,
    ],
)
def test_anything_else_is_unreadable(text: str):
    """Prose, half an object, two objects and words outside of the scale are no verdict."""
    with pytest.raises(Unreadable):
        read_verdict(text, CORRECTNESS, 0)


@pytest.mark.parametrize(("written", "score"), [(5, 1.0), ("3", 0.5), (1.0, 0.0)])
def test_levels_of_an_own_scale_may_be_numbers(written: object, score: float):
    """A number of the scale is read as a number or as a text."""
    assert read_verdict(json.dumps({"verdict": written}), FIVE, 0).score == score


@pytest.mark.parametrize("written", [0, 6, 2.5, -1, "10", "5/5", float("nan")])
def test_a_level_outside_of_the_scale_is_unreadable(written: object):
    """A number that the scale does not have is not rounded and not cut."""
    with pytest.raises(Unreadable):
        read_verdict(json.dumps({"verdict": written}), FIVE, 0)


def test_claims_give_the_share_that_is_supported():
    """Each claim has a status and its passage; the score is the share of supported ones."""
    claims = [
        {"claim": "a", "status": "supported", "passage": 2},
        {"claim": "b", "status": "contradicted", "passage": 1},
        {"claim": "c", "status": "absent", "passage": None},
        {"claim": "d", "status": "supported", "passage": 1},
    ]
    found = read_verdict(json.dumps({"claims": claims}), FAITHFULNESS, 2)
    assert (found.score, found.label) == (0.5, "unfaithful")
    assert [claim.passage for claim in found.claims] == [2, 1, None, 1]
    assert read_verdict(json.dumps({"claims": claims[:1]}), FAITHFULNESS, 2).label == "faithful"


def test_an_answer_without_claims_has_no_score():
    """Nothing was claimed: that is undefined, neither faithful nor a zero."""
    found = read_verdict('{"claims": []}', FAITHFULNESS, 2)
    assert (found.score, found.label) == (None, "no claims")


@pytest.mark.parametrize(
    "claim",
    [
        {"claim": "a", "status": "supported", "passage": None},
        {"claim": "a", "status": "supported", "passage": 3},
        {"claim": "a", "status": "supported", "passage": 0},
        {"claim": "a", "status": "supported", "passage": True},
        {"claim": "a", "status": "true", "passage": 1},
        {"status": "absent"},
        "a",
    ],
)
def test_a_claim_without_its_passage_is_unreadable(claim: object):
    """A supported claim must name a passage that the answer had."""
    with pytest.raises(Unreadable):
        read_verdict(json.dumps({"claims": [claim]}), FAITHFULNESS, 2)


@given(st.text())
def test_no_text_is_read_as_a_verdict_by_chance(text: str):
    """Arbitrary text either is such an object or is unreadable; nothing else is raised."""
    for rubric in (CORRECTNESS, FAITHFULNESS, FIVE):
        with pytest.raises(Unreadable):
            read_verdict(text, rubric, 2)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"verdict": "wrong", "verdict": "right"}', 'has "verdict" twice'),
        ('{"reason": {"a": 1, "a": 2}, "verdict": "right"}', 'has "a" twice'),
        ('{"verdict": NaN}', "NaN is not a value of JSON"),
        ('{"verdict": 1e400}', "out of range"),
        ('{"verdict": "right"} because', "trailing characters"),
        ('{"verdict": "ri', "the JSON object is not complete"),
        ('{"reason": "\\ud83d", "verdict": "right"}', "half of a character"),
    ],
)
def test_the_reason_says_what_is_wrong(text: str, problem: str):
    """Of two verdicts none counts; a whole object with a wrong value is not called incomplete."""
    with pytest.raises(Unreadable, match=problem):
        read_verdict(text, CORRECTNESS, 0)


def test_rates_of_citations_are_shares_of_what_is_supported():
    """Their verdicts have words of their own, and a stored one must agree with its score."""
    claims = [
        {"claim": "a", "status": "supported", "passage": 2},
        {"claim": "a", "status": "absent", "passage": None},
    ]
    for name in ("citation_precision", "citation_recall"):
        found = read_verdict(json.dumps({"claims": claims}), RUBRICS[name], 2)
        assert (found.score, found.label) == (0.5, "unsupported")
        found = read_verdict(json.dumps({"claims": claims[:1]}), RUBRICS[name], 2)
        assert (found.score, found.label) == (1.0, "supported")
        assert read_verdict('{"claims": []}', RUBRICS[name], 2).score is None
        stored = {"judge": "big", "rubric": name, "label": "supported", "score": 0.5}
        with pytest.raises(DamagedVerdict):
            read_finding(stored)
        assert read_finding({**stored, "label": "unsupported"}).score == 0.5
