"""A value that is named as what was, might be or belongs to something else; and one that is not."""

import pytest

from assay.scorers.legal.field import text_verdict


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        # What was, against what is.
        ("What is the default port?", "8080", "8080 used to be the default; since version 3 it has been 9090."),
        ("Which supplier delivers the paper?", "Hollis", "Hollis delivered it for years, but now it is Crane."),
        ("Кто сейчас владеет мельницей?", "Лада Птицына", "До 2010 года мельницей владела Лада Птицына, сейчас — банк."),
        ("Какой препарат принимает больной?", "сульфин", "Раньше он принимал сульфин, теперь — картал."),
        ("这尊佛像现存何处？", "青州博物馆", "佛像曾存于青州博物馆，现存省博物馆。"),
        ("店里用什么系统？", "蓝鲸", "以前用蓝鲸，现在用海豚。"),
        # Left, lost, refused, only hoped for.
        ("What do the farmers grow?", "flax", "They gave up flax ten years ago."),
        ("Who won the regatta?", "Team Osprey", "Team Osprey came second."),
        ("Кто выиграл регату?", "«Скопа»", "«Скопа» уступила в финале, кубок взял «Баклан»."),
        ("谁当选了会长？", "贺平", "贺平退选，当选的是鲁青。"),
        ("Какую мазь выписал врач?", "ртутную мазь", "Врач выписал бальзам, а ртутную мазь, наоборот, велел убрать."),
        ("Какой танец учат в кружке?", "полька", "В кружке учат вальс: полька отменена."),
        ("Какой предмет ведёт Зуев?", "латынь", "Зуев ведёт греческий: латынь упразднили."),
        ("Чьим имением стала усадьба после раздела?", "князей Туровых", "Усадьба отошла банку, хотя до раздела она была имением князей Туровых."),
        # Another year, day or label.
        ("What was the profit in 2018?", "£3 million", "In 2017 it was £3 million; in 2018 it fell to £2 million."),
        ("What is stored in room B?", "paint", "Room A has the paint; in room B there are tools."),
        ("周日几点开馆？", "8点", "周六8点开馆，周日9点。"),
        # Only a part, or something smaller.
        ("Who issues the permits?", "the harbour office", "The harbour office only keeps the list; permits are issued by the mayor."),
        ("Кто платит за ремонт?", "жилец", "Жилец платит только за свет."),
        ("维修费由谁支付？", "租客", "租客只支付水电费。"),
        # A longer name, another number, a denial after the value.
        ("Which river is it?", "the Wend", "The Little Wend"),
        ("Какая это река?", "Ветла", "Малая Ветла"),
        ("What is the fee?", "£20", "The fee is £35; £20 is the deposit."),
        ("What caused the delay?", "fog", "The pilot said that fog did not play a part, the engine did."),
    ],
)  # fmt: skip
def test_a_value_without_standing_is_wrong(question: str, gold: str, answer: str):
    """The words are right, and the answer says that they do not answer."""
    assert not text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("What is the default port?", "8080", "8080; in version 1 it used to be 7070."),
        ("Which city was the capital before the war?", "Lenz", "Before the war it was Lenz, now it is Orth."),
        ("Кто раньше владел мельницей?", "Лада Птицына", "Раньше ею владела Лада Птицына, сейчас — банк."),
        ("谁是赞助商？", "云河茶业", "赞助商是云河茶业。往年由别的公司赞助。"),
        ("What was the profit in 2018?", "£2 million", "In 2017 it was £3 million; in 2018 it fell to £2 million."),
        ("Who succeeded Ames?", "Rita Sohl", "Ames was succeeded by Rita Sohl."),
        ("Кто сменил Амина?", "Рита Золь", "Когда Амин ушёл, его сменила Рита Золь."),
        ("What must visitors wear in hall C?", "helmets", "In hall C, helmets are compulsory. Boots are only needed in hall D."),
        ("Какой предел веса?", "15 кг", "Не более пятнадцати килограммов."),
    ],
)  # fmt: skip
def test_a_value_with_standing_is_right(question: str, gold: str, answer: str):
    """What was or is elsewhere may be named beside the answer."""
    assert text_verdict(answer, gold, question=question).holds
