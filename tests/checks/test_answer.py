"""Whether an answer gives the expected value: a few named sentences, and properties."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.checks.answer import check_answer, expects_abstention, said_span

RIGHT = [
    ("Paris", "It is Paris."),
    ("Wilhelm Conrad Röntgen", "It went to Wilhelm Röntgen in 1901."),
    ("the red gate", "a gate, red as ever"),
    ("42000", "Ущерб: 42 000 руб."),
    ("42 000 руб.", "四万二千元; in Moscow 42000 roubles"),
    ("2020-08-30", "Подписан 30 августа 2020 г."),
    ("2020年8月30日", "on August 30, 2020"),
    ("4", "There are four seasons."),
    ("Москва", "Он жил в Москве."),
    ("рынок", "доля рынка"),
    ("違約金", "应付违约金"),
    ("第3条", "见第３条"),
    ("Rich Mullins", "It was written byRich Mullinsand first recorded in 1988."),
    ("是", "是的，可以。"),
    ("no", "No, twice."),
    ("нет", "Нет, не может."),
    ("30 天", "期限为30日"),
    ("Wi-Fi", "over WiFi"),
    ("US", "It is the US."),
    ("May", "In May."),
    ("A+", "It is A+."),
    ("Hepatitis A", "It is hepatitis A."),
]
WRONG = [
    ("Paris", "It is Rome."),
    ("235", "1235"),
    ("5%", "75%"),
    ("2020-08-30", "on August 29, 2020"),
    ("Prafulla Chandra Ghosh", "It was Bidhan Roy."),
    ("no", "Yes."),
    ("否", "是的。"),
    ("Париж", "Это Рим."),
    ("北京", "是上海。"),
    ("thirty days", "The document does not mention this."),
    ("25,000", "125,000"),
    ("1 May 2020", "It was on 31 May 2020."),
    ("Niger", "It is Nigeria."),
    ("Paris", " "),
    ("$5", "It costs €5."),
]
UNSURE = [
    ("Paris", "It is not Paris.", False),
    ("Paris", "It is not known whether he saw Paris.", True),
    ("允许", "公司不允许。", False),
    ("beneath the liver", "under the liver", True),
    ("runoff", "It goes on down to the water table.", False),
    ("1926", "The last one was killed in the 1920s.", True),
    ("1898", "in the late 19th century", True),
    ("Adam West Smith", "a certain Smith", True),
    ("yes", "The tenant may not sublet.", False),
    ("no", "The tenant may not sublet.", True),
    ("legal", "It is illegal.", False),
    ("Hepatitis A", "It is hepatitis B.", False),
    ("C", "It is written in C#.", False),
    ("A", "A dog did it.", True),
    ("是", "是否可以转租取决于出租人是否同意。", False),
    ("no", "No problem! Yes, it is.", True),
    ("нет", "Нет никаких ограничений: субаренда разрешена.", True),
    ("yes", "Yes. No.", False),
]
DOUBTFUL = [
    ("5", "It is -5."),
    ("5%", "It is 5."),
    ("30 days", "within 30 months"),
    ("2", "2 million"),
    ("3", "3/4 of them"),
    ("2-1", "They lost 1-2."),
    ("п. 3.1", "см. п. 3.10"),
    ("150%", "1.5倍"),
    ("1945", "1945-1950"),
    ("5 May 2031", "in May 2031"),
    ("5 May 2031", "on 5 May"),
    ("3 years", "3 years and 6 months"),
    ("30 days", "at least 30 days"),
    ("30 days", "It used to be 30 days; it is now 14 days."),
    ("Paris", "Paris, London or Rome"),
    ("Rome", "Paris, London or Rome"),
    ("from Paris to Rome", "from Rome to Paris"),
    ("France", "All countries except France."),
    ("法国", "除法国外的所有国家。"),
    ("Париж", "Париж — неверно."),
    ("Иван Иванович Петров", "Иван Петрович Петров"),
    ("Wilhelm Conrad Röntgen", "It was not Wilhelm Röntgen."),
    ("USA", "the United States"),
]


@pytest.mark.parametrize(("expected", "answer"), RIGHT)
def test_what_is_said_in_any_notation_is_right(expected: str, answer: str):
    """Case, accents, inflection, scripts, spaces and notation make no difference."""
    assert check_answer(expected, answer).outcome == "right"


@pytest.mark.parametrize(("expected", "answer"), WRONG)
def test_another_value_of_the_same_kind_is_wrong(expected: str, answer: str):
    """Another name, number or date, the opposite, or a refusal decides against the answer."""
    found = check_answer(expected, answer)
    assert (found.outcome, found.leans_right) == ("wrong", False)


@pytest.mark.parametrize(("expected", "answer", "leans"), UNSURE)
def test_what_is_not_clear_is_unsure_and_leans(expected: str, answer: str, leans: bool):
    """Other words, a negation before the value, a period, a part of a name: the rules do not guess."""
    found = check_answer(expected, answer)
    assert (found.outcome, found.leans_right) == ("unsure", leans)
    assert found.why


@pytest.mark.parametrize(("expected", "answer"), DOUBTFUL)
def test_a_value_with_something_against_it_is_unsure(expected: str, answer: str):
    """A sign, a limit, a range, another order, an exception beside the value: it may not be meant."""
    assert check_answer(expected, answer).outcome == "unsure"


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("at least 30 days", "at least 30 days"),
        ("Paris or Rome", "It is Paris or Rome."),
        (["Paris", "Rome"], "It is Paris or Rome."),
        ("1945-1950", "from 1945 to 1950"),
        ("all but France", "It is all but France."),
        ("1945", "on 8 May 1945"),
        ("John Fitzgerald Kennedy", "It was John F. Kennedy."),
    ],
)
def test_what_the_expected_answer_says_itself_raises_no_doubt(
    expected: str | list[str], answer: str
):
    """A limit or a choice that is expected, and two values that are both accepted, are right."""
    assert check_answer(expected, answer).outcome == "right"


def test_one_of_several_accepted_answers_is_enough():
    """The clearest finding among the accepted answers counts."""
    assert check_answer(["Rome", "Paris"], "It is Paris.").outcome == "right"
    assert check_answer([], "It is Paris.").outcome == "unsure"


def test_a_value_said_late_in_a_long_answer_is_unsure():
    """A long answer may name the value for something else."""
    late = "Many cities lie on rivers and have bridges, harbours and towers. " * 8 + "One is Paris."
    assert (check_answer("Paris", late).outcome, check_answer("Paris", late).leans_right) == (
        "unsure",
        True,
    )


def test_an_answer_that_says_the_value_and_refuses_is_right():
    """Caveats and apologies beside the value do not make it wrong."""
    answer = "It was Paris. The document does not mention the year."
    assert check_answer("Paris", answer).outcome == "right"


def test_an_expected_refusal_is_given_by_any_refusal():
    """Where the expected answer says that there is none, abstaining is right and a value is wrong."""
    expected = "Not stated in the document"
    assert expects_abstention(expected)
    assert check_answer(expected, "The document does not mention this.").outcome == "right"
    assert check_answer(expected, "It is 5,000.").outcome == "wrong"


@pytest.mark.parametrize(
    ("expected", "answer", "outcome"),
    [
        (["Paris", "unknown"], "Paris", "right"),
        (["Paris", "unknown"], "It is unknown.", "right"),
        (["not stated", "n/a"], "5,000", "wrong"),
        ("an unknown recipient", "a friend without a name", "unsure"),
        ("no", "No information about pets is given.", "wrong"),
    ],
)
def test_a_refusal_is_expected_only_where_nothing_else_is(
    expected: str | list[str], answer: str, outcome: str
):
    """A refusal among the accepted answers is one of them, and "unknown" may describe a thing."""
    assert check_answer(expected, answer).outcome == outcome


def test_the_place_of_the_value_is_given():
    """The span is the value in the answer, so that a page can mark it."""
    answer = "It went to Wilhelm Conrad Röntgen."
    span = check_answer("Wilhelm Conrad Röntgen", answer).span
    assert span is not None
    assert span.of(answer) == "Wilhelm Conrad Röntgen"
    assert said_span("Paris", "It is not Paris.") is not None  # presence does not ask for denial


texts = st.text(max_size=80)


@settings(max_examples=200)
@given(texts, texts, texts)
def test_any_text_is_checked_and_the_span_lies_in_it(expected: str, answer: str, question: str):
    """Nothing raises, and a span has its place in the answer."""
    found = check_answer(expected, answer, question)
    assert found.outcome in {"right", "wrong", "unsure"}
    assert (found.outcome == "unsure") or found.leans_right == (found.outcome == "right")
    if found.span is not None:
        assert 0 <= found.span.start <= found.span.end <= len(answer)


@settings(max_examples=100)
@given(texts.filter(str.strip), texts)
def test_an_answer_that_is_the_expected_one_is_right(expected: str, question: str):
    """The expected answer itself is right, whatever it is and whatever is in the question."""
    assert check_answer(expected, expected, question).outcome == "right"
