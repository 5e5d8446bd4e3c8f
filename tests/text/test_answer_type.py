import pytest

from assay.text.answer_type import expected_types, types_present


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How much does it cost?", ("amount",)), ("When is it due?", ("date",)), ("Who signs?", ("person",)),
        ("Where is the office?", ("place",)), ("May I keep a dog?", ("yes_no",)),
        ("How many dogs?", ("number",)), ("Сколько дней длится отпуск?", ("duration",)),
        ("Кто подписал договор?", ("person",)), ("Можно ли держать собаку?", ("yes_no",)),
        ("Когда выплатят?", ("date",)), ("要罚多少钱？", ("amount",)), ("多久检查一次？", ("duration",)),
        ("能养狗吗？", ("yes_no",)), ("在哪里登记？", ("place",)), ("Tell me about dogs", ()),
    ],
)  # fmt: skip
def test_the_question_word_says_what_kind_is_expected(question: str, kinds: tuple[str, ...]):
    """The question words decide which kinds of answer are expected, in each language."""
    assert expected_types(question) == kinds


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("the fee is 12 crowns.", "amount"), ("it ends after thirty days.", "duration"),
        ("it ends on 3 May 2024.", "date"), ("отпуск длится двадцать дней.", "duration"),
        ("押金为四百八十元。", "amount"), ("应当在三十日内退还。", "duration"), ("nobody may smoke here.", "yes_no"),
    ],
)  # fmt: skip
def test_a_sentence_holds_the_kind_it_could_answer(sentence: str, kind: str):
    """Amounts, durations, dates and permissions are recognised in each language."""
    assert kind in types_present(sentence)


def test_the_number_of_an_article_is_no_number():
    """The number of an article does not count as a number."""
    assert "number" not in types_present("see Article 12.")
