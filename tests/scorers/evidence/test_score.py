"""The score of evidence against a clause, with the aligner alone."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.scorers.evidence.score import (
    THRESHOLD,
    AlignmentScore,
    alignment_scores,
    is_verbatim,
    windows,
)
from assay.text import sentences, simplified
from tests.support.path import JUDGED

DATA = JUDGED / "verifier" / "dev.jsonl"
LINES = DATA.read_text(encoding="utf-8").splitlines()
CLAUSES = tuple(dict.fromkeys(json.loads(line)["clause"] for line in LINES))
ORDINARY = st.sampled_from(CLAUSES)
MARKS = st.sampled_from(["", " ", ", ", "；", " — ", "…", " \u00a0", "“", "」", ". ", "！"])


def best(evidence: str, clause: str) -> AlignmentScore:
    """The best score over all stretches of the clause."""
    stretches = [span.of(clause) for span in windows(clause, len(evidence))]
    return max(alignment_scores(evidence, stretches, clause), key=lambda one: one.score)


@given(ORDINARY, st.data())
def test_a_sentence_of_the_clause_is_always_valid(clause: str, data: st.DataObject):
    """Any stretch of whole sentences scores 1."""
    found = sentences(clause)
    first = data.draw(st.integers(0, len(found) - 1))
    last = data.draw(st.integers(first, len(found) - 1))
    evidence = clause[found[first].start : found[last].end]
    assert best(evidence, clause).score == 1.0


@settings(max_examples=60)
@given(ORDINARY, st.data())
def test_punctuation_and_width_change_nothing(clause: str, data: st.DataObject):
    """Other marks at the pauses and full-width letters and digits leave evidence valid."""
    sentence = data.draw(st.sampled_from(sentences(clause))).of(clause)
    pieces = [
        data.draw(MARKS) if mark in ",;:，；：、。" and not near.isdigit() else mark
        for mark, near in zip(sentence, [*sentence[1:], " "], strict=True)
    ]
    changed = "".join(pieces)
    if data.draw(st.booleans()):
        changed = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in changed)
    assert best(changed, clause).score >= THRESHOLD


@given(st.text(max_size=40), st.text(max_size=80))
def test_any_text_has_a_score_in_bounds(evidence: str, clause: str):
    """Nothing that can be written breaks the aligner or leaves 0..1."""
    stretches = [span.of(clause) for span in windows(clause, len(evidence))]
    for one in alignment_scores(evidence, stretches, clause):
        assert 0.0 <= one.score <= 1.0


def test_a_neighbour_does_not_lend_its_number():
    """A changed number is not excused by another sentence that has it."""
    clause = "The deposit is paid within 30 days. The keys are returned within 20 days."
    found = best("The deposit is paid within 20 days", clause)
    assert found.score < THRESHOLD
    assert found.reasons == ("number changed: 30 days -> 20 days",)


def test_a_row_after_a_denial_is_not_verbatim():
    """The words are all there, but what they say is denied."""
    assert is_verbatim("转租", "承租人可以转租。")
    assert not is_verbatim("转租", "承租人不得转租。")
    assert is_verbatim("转租", "承租人不得转租。经同意可以转租。")


def test_no_candidates_no_scores():
    """Without candidates there is nothing to score."""
    assert alignment_scores("rent", [], "") == []


@pytest.mark.parametrize("length", [1, 10, 1000])
def test_windows_are_whole_sentences_in_order(length: int):
    """Every stretch begins and ends with a sentence, and all sentences are among them."""
    text = "One. Two two. Three three three. Four."
    found = sentences(text)
    spans = windows(text, length)
    assert set(found) <= set(spans)
    assert {span.start for span in spans} == {span.start for span in found}
    assert len(set(spans)) == len(spans)


@pytest.mark.parametrize(
    ("evidence", "valid"),
    [
        ("違約金為每日百分之五", True),
        ("買方應當賠償全部損失", True),
        ("違約金為每日百分之六", False),
        ("買方不應當賠償全部損失", False),
    ],
)
def test_traditional_and_simplified_characters_are_the_same(evidence: str, valid: bool):
    """A clause in either script holds a quotation in the other; what was changed still shows."""
    clause = "违约金为每日百分之五，买方应当赔偿全部损失。甲方可以解除。"
    assert (best(evidence, clause).score >= THRESHOLD) is valid
    written = "違約金為每日百分之五，買方應當賠償全部損失。甲方可以解除。"
    assert (best(simplified(evidence), written).score >= THRESHOLD) is valid


@pytest.mark.parametrize("party", ["卖方", "供方", "需方", "卖家", "买主"])
def test_a_party_of_one_character_is_a_party(party: str):
    """One that the clause does not name is said to be none of it."""
    clause = "逾期付款的，违约买方应当赔偿全部损失。"
    found = best(f"{party}应当赔偿全部损失", clause)
    assert found.score < THRESHOLD
    assert found.reasons == (f"party not in the clause: {party}",)
    assert best("买方应当赔偿全部损失", clause).score >= THRESHOLD
