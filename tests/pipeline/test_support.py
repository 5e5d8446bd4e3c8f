import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.pipeline.support import asked, content_words, question_parts, quotable, support

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


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How much does it cost?", ("amount",)),
        ("When is it due?", ("date",)),
        ("Who signs?", ("person",)),
        ("Where is the office?", ("place",)),
        ("May I keep a dog?", ("yes_no",)),
        ("How many dogs?", ("number",)),
        ("Сколько дней длится отпуск?", ("duration",)),
        ("Кто подписал договор?", ("person",)),
        ("Можно ли держать собаку?", ("yes_no",)),
        ("Когда выплатят?", ("date",)),
        ("要罚多少钱？", ("amount",)),
        ("多久检查一次？", ("duration",)),
        ("能养狗吗？", ("yes_no",)),
        ("在哪里登记？", ("place",)),
        ("Tell me about dogs", ()),
    ],
)
def test_the_question_word_says_what_kind_is_expected(question: str, kinds: tuple[str, ...]):
    """Amount, date, person, place, number, time and yes or no are told apart."""
    assert asked(question).kinds == kinds


def test_a_word_counts_in_part_by_its_ngrams():
    """Another form of a word that the stemmer keeps apart still supports."""
    assert support("проверка счетов", "Перепроверка окончена.").score > 0
    assert support("проверка счетов", "Паром ушёл.").score == 0


def test_a_number_inside_another_does_not_count():
    """235 is not found in 1235."""
    assert support("235", "The fee is 1235.").score == 0
    assert support("235", "The fee is 235.").score > 0


def test_headings_and_table_rules_are_not_quoted():
    """A heading is left out, and each row of a table stands alone."""
    text = "5.1 Выручка\n\nСводка ниже.\n\n| Год | Сумма |\n|---|---|\n| 2023 | 12 |\n| 2022 | 11 |"
    quoted = [span.of(text) for span in quotable(text)]
    assert quoted == ["Сводка ниже.", "| Год | Сумма |", "| 2023 | 12 |", "| 2022 | 11 |"]


def test_a_text_that_is_only_a_heading_can_be_quoted():
    """Where there is nothing else, the heading is all there is."""
    assert len(quotable("Article 5. Leave")) == 1


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who signs the form, and when is it due?", ["Who signs the form", "when is it due"]),
        (
            "Кто ушёл из совета и когда избрали нового директора?",
            ["Кто ушёл из совета", "когда избрали нового директора"],
        ),
        ("最多养几只？登记要交多少？", ["最多养几只", "登记要交多少"]),
        ("Сколько платят тем, кто работает ночью?", []),
        ("Who signs the form?", []),
    ],
)
def test_a_question_of_several_parts_is_cut_into_them(question: str, parts: list[str]):
    """Each clause that asks is a part; a relative clause is none."""
    assert question_parts(question) == parts


def test_question_words_are_no_content():
    """What is left of a question are the words a document could contain."""
    assert content_words("How much does the ferry cost?") == ["ferri", "cost"]
    assert content_words("Сколько стоит договор?") == ["сто", "договор"]
    assert content_words("渡船多少钱？") == ["渡船", "钱"]
