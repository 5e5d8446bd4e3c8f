"""The same value in another form counts as the expected text, another value does not."""

import pytest

from assay.scorers.legal.field import text_verdict

SAME = (
    ("When does the ferry leave?", "4 pm", "It sails at 16:00."),
    ("When does the ferry leave?", "7:30 pm", "half past seven in the evening"),
    ("Во сколько закрывается музей?", "в 18:30", "В половине седьмого вечера."),
    ("Во сколько закрывается музей?", "в 9 утра", "9:00"),
    ("展览几点关门？", "17:30", "下午五点半"),
    ("How often is the lift inspected?", "every three months", "Four times a year."),
    ("How often is the lift inspected?", "once a week", "weekly"),
    ("Как часто моют окна?", "раз в два месяца", "шесть раз в год"),
    ("多久浇一次水？", "每两天", "隔天浇"),
    ("How long is the hose?", "250 cm", "two and a half metres"),
    ("How heavy is the bell?", "2 tonnes", "It weighs 2,000 kg."),
    ("Сколько весит колокол?", "1500 кг", "полторы тонны"),
    ("这袋米多重？", "5公斤", "十斤"),
    ("What currency is used?", "euros", "Prices are in EUR."),
    ("Which floor is the archive on?", "the fourth floor", "4th"),
    ("В каком веке построен мост?", "в XVII веке", "в семнадцатом"),
    ("When did the mill burn down?", "1967", "It burned down in '67."),
    ("哪一年通车？", "1988年", "八八年"),
    ("What does entry cost?", "free", "There is no charge."),
    ("Кто построил мельницу?", "Ефим Дроздов", "Её строил Дроздов."),
    ("Где он родился?", "Вологда", "Он родился в Вологде."),
    ("报纸的名字？", "《东湖晚报》", "东湖晚报"),
    ("门是什么颜色？", "暗红色", "门漆成暗红的"),
    ("Which two towns are named?", "Ashby and Corle", "Corle and Ashby"),
)
OTHER = (
    ("When does the ferry leave?", "4 pm", "It sails at 4 am."),
    ("展览几点关门？", "晚上8点", "上午八点"),
    ("How often is the lift inspected?", "every three months", "three times a year"),
    ("How heavy is the bell?", "2 tonnes", "It weighs 200 kg."),
    ("How heavy is the bell?", "200 kg", "200 lb"),
    ("Сколько длится отпуск?", "14 календарных дней", "14 рабочих дней"),
    ("How long is the notice?", "14 days", "14 working days"),
    ("Who trained Olga?", "her aunt", "Olga trained her aunt."),
    ("Кто обучил Ольгу?", "тётя", "Ольга сама обучила тётю."),
    ("谁培训了小林？", "姑姑", "小林培训了姑姑。"),
    ("How many sons did she have?", "four", "She was one of four sons and daughters."),
    ("How many sons did she have?", "four", "She had four daughters and one son."),
    ("What is the minimum age?", "12", "You must be under 12."),
    ("What is the frame made of?", "brass", "brass-plated iron"),
    ("What colour was the boat?", "light green", "The boat was light grey with a green line."),
    (
        "What does Tom play?",
        "the flute",
        "Tom's brother plays the flute; Tom himself plays the drums.",
    ),
    ("大门是什么颜色？", "浅蓝色", "大门是灰色，窗框是浅蓝色。"),
    ("火灾是什么引起的？", "线路老化", "线路没有老化。"),
)


@pytest.mark.parametrize(("question", "gold", "answer"), SAME)
def test_another_form_of_the_value_is_right(question: str, gold: str, answer: str):
    """A time, a measure, a frequency, a name or a common synonym counts in any form."""
    assert text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(("question", "gold", "answer"), OTHER)
def test_another_value_or_role_is_wrong(question: str, gold: str, answer: str):
    """Another value, a swapped role or the same words about something else do not count."""
    assert not text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "gold", "answer", "expected"),
    [
        ("Can I come by bus?", "no", "You only get there on foot.", True),
        ("Можно ли курить на крыше?", "нет", "Это незаконно, курить на крыше нельзя.", True),
        ("Can dogs come in?", "yes", "There is a ban on dogs.", False),
        ("能带狗吗？", "不能", "只让带猫。", True),
    ],
)
def test_an_expected_yes_or_no_is_compared_by_its_meaning(
    question: str, gold: str, answer: str, expected: bool
):
    """An expected text that is nothing but yes or no is judged as a question of yes or no."""
    assert text_verdict(answer, gold, question=question).holds is expected
