import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.rag.generate.extractive import kind_fit, support

LEASE = (
    "Article 7. Deposit\n\nThe tenant pays a deposit of 480 crowns. "
    "It is returned within thirty days. Keys are handed in at the office."
)
FERRY = "Article 8. Ferry\n\nThe ferry leaves at 07:10. Dogs travel on the open deck."
CASES = {
    "en": ("How soon is the deposit returned?", LEASE, "It is returned within thirty days."),
    "ru": (
        "В течение скольких дней возвращают залог?",
        "Залог составляет 480 рублей. Его возвращают в течение тридцати дней. Ключи сдают в бюро.",
        "Его возвращают в течение тридцати дней.",
    ),
    "zh": (
        "押金多少天内退还？",
        "押金为四百八十元。押金在三十日内退还。钥匙交回办公室。",
        "押金在三十日内退还。",
    ),
}


@pytest.mark.parametrize("lang", CASES)
def test_the_best_window_holds_the_sentence_that_answers(lang: str):
    """In each language the best window contains the sentence that answers the question."""
    question, text, sentence = CASES[lang]
    best = support(question, text)
    assert sentence in [span.of(text) for span in best.spans]
    assert best.fit == 1.0


@pytest.mark.parametrize("lang", CASES)
def test_an_unrelated_text_is_supported_less(lang: str):
    """A text on another subject has less than half the support of the one that answers."""
    question, text, _ = CASES[lang]
    unrelated = {"en": FERRY, "ru": "Паром уходит в семь утра.", "zh": "渡船早上七点开出。"}[lang]
    assert support(question, unrelated).score < 0.5 * support(question, text).score


@given(st.text(max_size=120), st.text(max_size=200))
def test_support_is_a_share_with_spans_inside_the_text(question: str, text: str):
    """For any text the score is from 0 to 1, and the spans are ordered and inside the text."""
    best = support(question, text)
    assert 0.0 <= best.score <= best.coverage <= 1.0
    positions = [position for span in best.spans for position in (span.start, span.end)]
    assert positions == sorted(positions)
    assert all(span.of(text).strip() == span.of(text) != "" for span in best.spans)
    assert support(question, text) == best


@pytest.mark.parametrize(
    ("question", "text"), [("", LEASE), ("?!…", LEASE), ("deposit", ""), ("how is it", LEASE)]
)
def test_nothing_to_compare_is_no_support(question: str, text: str):
    """Without content words or without text the score is 0 and there are no spans."""
    assert support(question, text).score == 0.0
    assert support(question, text).spans == ()


def test_the_expected_kind_lifts_a_sentence_over_its_equal():
    """Of two sentences with the same words, the one with a number supports "how many" better."""
    text = "The members of the council are elected. The members of the council are nine."
    best = support("How many members has the council?", text)
    assert [span.of(text) for span in best.spans] == ["The members of the council are nine."]


def test_a_word_counts_in_part_by_its_ngrams():
    """A word that occurs only as part of another word gives some support."""
    assert support("проверка счетов", "Перепроверка окончена.").score > 0
    assert support("проверка счетов", "Паром ушёл.").score == 0


def test_a_number_inside_another_does_not_count():
    """The number 235 does not count as part of 1235."""
    assert support("235", "The fee is 1235.").score == 0
    assert support("235", "The fee is 235.").score > 0


def test_neighbouring_sentences_join_where_each_adds_words():
    """A window includes a neighbouring sentence that adds missing words, and no further one."""
    text = "The tenant pays a deposit. The lease ends in autumn. Keys are handed in."
    best = support("Is the deposit of the tenant returned when the lease ends in autumn?", text)
    assert [span.of(text) for span in best.spans] == [
        "The tenant pays a deposit.",
        "The lease ends in autumn.",
    ]


def test_fit_is_undefined_where_no_kind_is_expected():
    """``kind_fit`` is None if no kind is expected, and 0.5 if one of two kinds occurs."""
    assert kind_fit((), ["The fee is 12 crowns."]) is None
    assert kind_fit(("amount", "date"), ["the fee is 12 crowns."]) == 0.5
