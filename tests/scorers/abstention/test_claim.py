"""Parts of an answer that tell something beside a refusal."""

import pytest

from assay import abstains, assess_abstention


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Give the model and the serial number.", "model: KR-7\nserial_number: <missing>"),
        ("Модель и серийный номер?", "модель: KR-7\nсерийный номер: отсутствует"),
        ("型号和序列号是什么？", "型号：KR-7\n序列号：缺失"),
        ("Who is the tenant and what is the rent?", "The tenant is Mr Abara, the rent has been left blank."),
        ("租客是谁，租金多少？", "租客是阿巴拉先生，租金处空着。"),
        ("Какие клубы играли и какой счёт?", "Играли «Заря» и «Волна». Счёта в заметке нет."),
        ("哪座桥封了，为什么？", "石桥封了，原因没讲。"),
    ],
)  # fmt: skip
def test_one_of_two_things_is_told(question: str, answer: str):
    """An answer that tells one thing and says that the other is missing is partial."""
    result = assess_abstention(answer, question)
    assert (result.abstains, result.partial) == (False, True)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # A refusal that is only conceded.
        ("How useful is the cream?", "Although late effects cannot be assessed, the cream halved the itching."),
        ("How useful is the cream?", "While its price isn't stated, the cream halved the itching."),
    ],
)  # fmt: skip
def test_a_conceded_refusal_is_no_refusal(question: str, answer: str):
    """What follows a concession answers if it is about the question."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much is the late fee?", "Although the lease mentions no late fee, rent is due on the 1st."),
        # The subject of the refusal stands before "however".
        ("What training is offered?", "The booklet covers routes. Training, however, isn't part of it."),
        ("Какое обучение предлагают?", "Буклет описывает маршруты. Обучение, однако, в нём не описано."),
        # What is told between two refusals, the second set against it.
        ("When did she get the letter?", "Left blank - the letter is dated 9 May but the day of receipt can't be established."),
        # Something else is there.
        ("When does the permit expire?", "The date of issue is there (3 May), but the form fixes no end anywhere."),
        ("Когда истекает пропуск?", "Дата выдачи есть (3 мая), а срок нигде не указан."),
        ("通行证何时到期？", "签发日有（5月3日），但到期日哪里都没约定。"),
        # Where it may be found, and what is to be done.
        ("适用多大面积？", "节选里没有面积数据。一般可以在铭牌上查到。"),
        ("Какая группа крови?", "В карте не заполнено. Надо брать кровь."),
        ("What is the noise level?", "The sheet doesn't list it. It is usually printed on the label."),
        # A guess where it is described.
        ("Какой штраф?", "Отрывок обрывается на части 2, а штраф, вероятно, описан дальше. Ответить нельзя."),
    ],
)  # fmt: skip
def test_what_is_told_beside_a_refusal_may_be_background(question: str, answer: str):
    """Background, advice and a guess about the place do not answer."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer", "refuses"),
    [
        ("Who founded the bakery?", "It was Martha Quill, not her husband, who founded it.", False),
        ("What is due on the 5th?", "The rent, not the deposit, is due on the 5th.", False),
        ("When was it written?", "The letter gives the place, not the date.", True),
        ("How much is paid?", "It says who pays, not how much.", True),
    ],
)
def test_a_contrast_refuses_only_the_detail_that_is_asked_for(
    question: str, answer: str, refuses: bool
):
    """The words "not her husband" correct a belief; "not the date" says what is missing."""
    assert abstains(answer, question) is refuses
