"""The score of evidence against a clause, with alignment and agreement only, without embeddings."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.scorers.evidence.passage import windows
from assay.scorers.evidence.score import (
    THRESHOLD,
    AlignmentScore,
    alignment_scores,
)
from assay.scorers.evidence.verbatim import is_verbatim
from assay.text import sentences, simplified
from tests.support.path import JUDGED

DATA = JUDGED / "verifier" / "dev.jsonl"
LINES = DATA.read_text(encoding="utf-8").splitlines()
CLAUSES = tuple(dict.fromkeys(json.loads(line)["clause"] for line in LINES))
ANY_CLAUSE = st.sampled_from(CLAUSES)
MARKS = st.sampled_from(["", " ", ", ", "；", " — ", "…", " \u00a0", "“", "」", ". ", "！"])


def best_score(evidence: str, clause: str) -> AlignmentScore:
    """The best score over all passages of the clause."""
    passages = [span.of(clause) for span in windows(clause, len(evidence))]
    return max(alignment_scores(evidence, passages, clause), key=lambda result: result.score)


@given(ANY_CLAUSE, st.data())
def test_a_sentence_of_the_clause_is_always_valid(clause: str, data: st.DataObject):
    """Any passage of complete sentences scores 1."""
    spans = sentences(clause)
    first = data.draw(st.integers(0, len(spans) - 1))
    last = data.draw(st.integers(first, len(spans) - 1))
    evidence = clause[spans[first].start : spans[last].end]
    assert best_score(evidence, clause).score == 1.0


@settings(max_examples=60)
@given(ANY_CLAUSE, st.data())
def test_punctuation_and_width_change_nothing(clause: str, data: st.DataObject):
    """Evidence stays valid with other punctuation and with full-width letters and digits."""
    sentence = data.draw(st.sampled_from(sentences(clause))).of(clause)
    pieces = [
        data.draw(MARKS) if character in ",;:，；：、。" and not following.isdigit() else character
        for character, following in zip(sentence, [*sentence[1:], " "], strict=True)
    ]
    changed = "".join(pieces)
    if data.draw(st.booleans()):
        changed = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in changed)
    assert best_score(changed, clause).score >= THRESHOLD


@given(st.text(max_size=40), st.text(max_size=80))
def test_any_text_has_a_score_in_bounds(evidence: str, clause: str):
    """For any text the scorer raises nothing and returns scores in 0..1."""
    passages = [span.of(clause) for span in windows(clause, len(evidence))]
    for result in alignment_scores(evidence, passages, clause):
        assert 0.0 <= result.score <= 1.0


def test_a_number_of_a_neighbouring_sentence_does_not_count():
    """A changed number is not accepted because another sentence contains it."""
    clause = "The deposit is paid within 30 days. The keys are returned within 20 days."
    result = best_score("The deposit is paid within 20 days", clause)
    assert result.score < THRESHOLD
    assert result.reasons == ("number changed: 30 days -> 20 days",)


def test_words_after_a_denial_are_not_verbatim():
    """Words right after a denial are not a verbatim quotation, because the text denies them."""
    assert is_verbatim("转租", "承租人可以转租。")
    assert not is_verbatim("转租", "承租人不得转租。")
    assert is_verbatim("转租", "承租人不得转租。经同意可以转租。")


@pytest.mark.parametrize(
    ("evidence", "clause", "verbatim"),
    [
        ("The ba rge left Rotter dam at dawn", "The barge left Rotterdam at dawn.", True),
        ("Баржа вышла из Ярос лавля на рассвете", "Баржа вышла из Ярославля на рассвете.", True),
        ("1 9 2 0 年 ， 商 船 驶 离 了 烟 台 港 口", "1920年，商船驶离了烟台港口。", True),
        ("The fee is 3 50 euros per night", "The fee is 350 euros per night.", False),
        ("They were not able to see the guests", "They were notable to see the guests.", False),
        ("par ty may sublet the premises", "No party may sublet the premises.", False),
    ],
)
def test_spaces_inside_of_words_change_nothing(evidence: str, clause: str, verbatim: bool):
    """A printed page is read with other spaces; they must not make another number or a denial."""
    assert is_verbatim(evidence, clause) is verbatim


def test_no_candidates_no_scores():
    """Without candidates the list of scores is empty."""
    assert alignment_scores("rent", [], "") == []


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
    """A quotation may use another script than the clause; a changed value is still detected."""
    clause = "违约金为每日百分之五，买方应当赔偿全部损失。甲方可以解除。"
    assert (best_score(evidence, clause).score >= THRESHOLD) is valid
    traditional = "違約金為每日百分之五，買方應當賠償全部損失。甲方可以解除。"
    assert (best_score(simplified(evidence), traditional).score >= THRESHOLD) is valid


@pytest.mark.parametrize("party", ["卖方", "供方", "需方", "卖家", "买主"])
def test_a_party_of_one_character_is_a_party(party: str):
    """A party with a name of one character and 方, 家 or 主 is reported if the clause lacks it."""
    clause = "逾期付款的，违约买方应当赔偿全部损失。"
    result = best_score(f"{party}应当赔偿全部损失", clause)
    assert result.score < THRESHOLD
    assert result.reasons == (f"party not in the clause: {party}",)
    assert best_score("买方应当赔偿全部损失", clause).score >= THRESHOLD


@pytest.mark.parametrize(
    ("evidence", "clause"),
    [
        ("Payment is due within 30 days", "Payment is due within thirty (30) days."),
        ("Payment is due within thirty (30) days", "Payment is due within 30 days."),
        ("Оплата в течение 30 дней", "Оплата в течение 30 (тридцати) дней."),
        ("付款期限为30天", "付款期限为三十（30）天。"),
    ],
)
def test_a_number_written_twice_is_quoted_by_one_of_the_two(evidence: str, clause: str):
    """Digits, words or both are the same number."""
    found = best_score(evidence, clause)
    assert found.score >= THRESHOLD
    assert not found.reasons


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("The fee is refundable.", "The fee is non-refundable."),
        ("The fee is non-refundable.", "The fee is refundable."),
        (
            "The licence is exclusive and worldwide.",
            "The licence is non\u2011exclusive and worldwide.",
        ),
        ("refundable fee", "A non-refundable fee is due."),
        ("The loan is secured.", "The loan is un-secured."),
        ("EU residents pay ten euros.", "All non-EU residents pay ten euros."),
        ("the Defaulting Party pays all costs", "Then the Non-Defaulting Party pays all costs."),
        ("резиденты платят налог", "Все не-резиденты платят налог."),
        ("独占许可有效期三年", "甲方授予乙方的非独占许可有效期三年。"),
    ],
)
def test_a_denying_beginning_with_a_hyphen_is_no_part_to_leave_out(quotation: str, source: str):
    """A quotation that drops or adds "non-" says the opposite and is refused."""
    [found] = alignment_scores(quotation, [source], source)
    assert found.score < THRESHOLD
    assert any("denial" in reason for reason in found.reasons)


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("The deposit is nonrefundable.", "The deposit is non-refundable."),
        ("The deposit is non refundable.", "The deposit is non-refundable."),
        ("The in house counsel signs the deed.", "The in-house counsel signs the deed."),
    ],
)
def test_a_denying_beginning_may_be_spelt_otherwise(quotation: str, source: str):
    """A hyphen after "non", or none, is one spelling of the same word."""
    [found] = alignment_scores(quotation, [source], source)
    assert found.score == 1.0


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("The rest is due 30 days after invoice.", "The rest is due 30 days after delivery. He sends an invoice."),
        ("买方应在付款后三十日内验收。", "买方应在交付后三十日内验收。付款方式为转账。"),
        ("The tenant pays the rent from the fifth day.", "The tenant pays the rent by the fifth day."),
        ("Revenue rose from $4.5 billion in 2020.", "Revenue rose to $4.5 billion in 2020."),
        ("Неустойка взимается в размере до 50 000 рублей.", "Неустойка взимается в размере 50 000 рублей."),
        ("乙方应事后通知甲方。", "乙方应事先通知甲方。"),
        ("货款由买方后付。", "货款由买方预付。"),
        ("乙方可在三日内通知甲方。", "乙方应在三日内通知甲方。"),
        ("CFO Anna Lind signed.", "CEO Anna Lind signed."),
    ],
)  # fmt: skip
def test_one_changed_word_of_a_literal_quotation_is_named(quotation: str, source: str):
    """Another event, preposition of time or limit, opposite or title is refused."""
    candidates = [span.of(source) for span in windows(source, len(quotation))]
    found = alignment_scores(quotation, candidates, source)
    assert max(each.score for each in found) < THRESHOLD


RENT = "The tenant pays the rent by the fifth working day. Pets are allowed."


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("2.1 The tenant pays the rent by the fifth working day.", RENT),
        ("1. The tenant pays the rent by the fifth working day.", RENT),
        ("The tenant pays the rent by the fifth working day (p. 4)", RENT),
        ("The tenant pays the rent by the fifth working day.¹", RENT),
        ("The tenant pays the rent by the 5th working day.", RENT),
        ("«1. Арендатор платит до 5-го числа месяца (с. 4)»", "Арендатор платит до пятого числа месяца."),
        ("① 乙方应在第5个工作日前付款。", "乙方应在第五个工作日前付款。"),
        ("By the fifth day the rent is due.", "By the 5th day the rent is due."),
    ],
)  # fmt: skip
def test_the_mark_of_a_place_and_the_spelling_of_an_ordinal_change_nothing(
    quotation: str, source: str
):
    """A clause number, a page, a footnote and an ordinal in digits are no added numbers."""
    candidates = [span.of(source) for span in windows(source, len(quotation))]
    assert max(each.score for each in alignment_scores(quotation, candidates, source)) == 1.0


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        ("The tenant pays the rent by the 6th working day.", RENT),
        ("2.1 The rent is due on Monday.", "3.1 The rent is due on Monday."),
        ("2.1 万元由乙方在签约时支付。", "乙方在签约时支付。"),
    ],
)
def test_another_ordinal_clause_number_or_amount_is_no_mark(quotation: str, source: str):
    """Another ordinal, another clause number or an amount is still refused."""
    [first, *_] = alignment_scores(quotation, [source], source)
    assert first.score < THRESHOLD
