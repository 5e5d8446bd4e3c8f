import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.rag.generate.extractive.support import kind_fit, support

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


@pytest.mark.parametrize("spoken", CASES)
def test_the_best_window_holds_the_sentence_that_answers(spoken: str):
    """In each language the sentence with the question's words and kind of answer is found."""
    question, text, sentence = CASES[spoken]
    found = support(question, text)
    assert sentence in [span.of(text) for span in found.spans]
    assert found.fit == 1.0


@pytest.mark.parametrize("spoken", CASES)
def test_an_unrelated_text_is_supported_less(spoken: str):
    """A text about something else scores lower than the one that answers."""
    question, text, _ = CASES[spoken]
    other = {"en": FERRY, "ru": "Паром уходит в семь утра.", "zh": "渡船早上七点开出。"}[spoken]
    assert support(question, other).score < 0.5 * support(question, text).score


@given(st.text(max_size=120), st.text(max_size=200))
def test_support_is_a_share_with_spans_inside_the_text(question: str, text: str):
    """Whatever the texts, the score is in 0..1, the spans are in order and inside the text."""
    found = support(question, text)
    assert 0.0 <= found.score <= found.coverage <= 1.0
    ends = [place for span in found.spans for place in (span.start, span.end)]
    assert ends == sorted(ends)
    assert all(span.of(text).strip() == span.of(text) != "" for span in found.spans)
    assert support(question, text) == found


@pytest.mark.parametrize(
    ("question", "text"), [("", LEASE), ("?!…", LEASE), ("deposit", ""), ("how is it", LEASE)]
)
def test_nothing_to_compare_is_no_support(question: str, text: str):
    """Without content words or without text there is no support, and no error."""
    assert support(question, text).score == 0.0
    assert support(question, text).spans == ()


def test_the_expected_kind_lifts_a_sentence_over_its_equal():
    """Of two sentences with the same words, the one that holds a number answers 'how many'."""
    text = "The members of the council are elected. The members of the council are nine."
    found = support("How many members has the council?", text)
    assert [span.of(text) for span in found.spans] == ["The members of the council are nine."]


def test_a_word_counts_in_part_by_its_ngrams():
    """Another form of a word that the stemmer keeps apart still supports."""
    assert support("проверка счетов", "Перепроверка окончена.").score > 0
    assert support("проверка счетов", "Паром ушёл.").score == 0


def test_a_number_inside_another_does_not_count():
    """235 is not found in 1235."""
    assert support("235", "The fee is 1235.").score == 0
    assert support("235", "The fee is 235.").score > 0


def test_neighbouring_sentences_join_where_each_adds_words():
    """A window grows over the sentence that brings the words still missing, and no further."""
    text = "The tenant pays a deposit. The lease ends in autumn. Keys are handed in."
    found = support("Is the deposit of the tenant returned when the lease ends in autumn?", text)
    assert [span.of(text) for span in found.spans] == [
        "The tenant pays a deposit.",
        "The lease ends in autumn.",
    ]


def test_fit_is_undefined_where_no_kind_is_expected():
    """No expectation is no share, and half of two kinds is a half."""
    assert kind_fit((), ["The fee is 12 crowns."]) is None
    assert kind_fit(("amount", "date"), ["the fee is 12 crowns."]) == 0.5
