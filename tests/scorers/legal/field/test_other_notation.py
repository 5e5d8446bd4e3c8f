"""Right answers in another notation, order or point of view, and wrong ones that look like them."""

import pytest

from assay.scorers.legal.boolean_answer import boolean_verdict
from assay.scorers.legal.field import text_verdict
from assay.scorers.legal.field.verdict import amount_verdict


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        # British and American spelling
        ("Who runs it?", "the Centre for Labour Studies", "It is run by the Center for Labor Studies."),
        ("What did the board do?", "authorised the payment", "The board authorized the payment."),
        # Latin and Cyrillic letters that look alike
        ("На какой бумаге печатать?", "A4", "Печатать следует на листах формата А4."),
        ("Какой витамин нужен?", "витамин B12", "Нужен витамин В12."),
        # materials
        ("Из чего построен дом?", "кирпич", "Дом кирпичный."),
        ("What is the cabin made of?", "wood", "It is a wooden cabin."),
        ("亭子是用什么造的？", "木头", "这座亭子是木制的。"),
        # months and their last days
        ("When does the tariff apply?", "from May to July", "It applies from the beginning of May until the end of July."),
        ("Когда действует тариф?", "с мая по июль", "Тариф действует с начала мая до конца июля."),
        ("票价何时有效？", "5月到7月", "票价从5月初至7月底有效。"),
        ("Until when is it shown?", "the end of April", "It is shown until 30 April."),
        ("До какого числа идёт приём?", "до конца апреля", "Приём идёт до 30 апреля."),
        ("报名到什么时候？", "四月底", "报名从3月2日开始，一直到4月30日。"),
        # numbers inside a longer value
        ("How much leave is there?", "15 days a year", "They get fifteen days of paid leave per year."),
        ("Сколько отпуска?", "15 дней в год", "Положено пятнадцать дней отпуска в год."),
        ("何时付款？", "验收后二十日内", "验收之日起20天内，买方应当付款。"),
        ("За сколько дней предупреждают?", "за 7 дней", "Предупредить надо не позднее чем за неделю до отъезда."),
        # a place without its region
        ("Where is the mill?", "Ashford, Kent", "The mill is in Ashford."),
        ("Где родился мастер?", "Елец, Липецкая область", "Мастер родился в Ельце."),
        ("工厂设在哪里？", "浙江省杭州市", "工厂位于杭州。"),
        # told from the other side
        ("Who lent Oskar the boat?", "his uncle", "Oskar borrowed it from his uncle."),
        ("Кто продал дом Ивановым?", "вдова учителя", "Ивановы купили его у вдовы учителя."),
        ("谁把房子卖给了老李？", "陈太太", "老李是从陈太太手里买的房子。"),
        # a purpose first
        ("Как открыть журнал?", "F5", "Чтобы открыть журнал, нажмите F5."),
        ("要打开菜单应按哪个键？", "F2", "要打开菜单，请按F2。"),
        # one word for two
        ("他因何缺席？", "肩膀受伤", "因为肩伤，他没有上场。"),
        ("他们靠什么为生？", "蔬菜种植", "他们靠种菜为生。"),
        # a pronoun that goes on with what was said
        ("Who was the second principal?", "Mary Holt", "The board chose Mary Holt; she thus became the second principal."),
    ],
)  # fmt: skip
def test_another_notation_is_kept(question: str, gold: str, answer: str):
    """What is said in another notation or order is right."""
    assert text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("Какой витамин нужен?", "витамин B12", "Нужен витамин В6."),
        ("Из чего построен дом?", "кирпич", "Дом деревянный."),
        ("Until when is it shown?", "the end of April", "It is shown until 15 April."),
        ("Where is the mill?", "Ashford, Kent", "The mill is in Ashford, Surrey."),
        ("Who sold the house to Ann?", "Orme", "Ann bought it from Pell, and Orme looked on."),
        ("Who chairs the audit committee?", "Robert Pell", "Robert Pell chairs the pay committee, whereas the audit committee is headed by Lucy Fenn."),
        ("Where is the firm's archive?", "Leeds", "The firm moved its archive out of Leeds to Hull."),
        ("Which bridge did they cross?", "the Old Bridge", "They avoided the Old Bridge and took the ferry."),
        ("画家晚年住在哪里？", "黄山", "画家年轻时在黄山写生，晚年则定居上海。"),
    ],
)  # fmt: skip
def test_another_value_is_refused(question: str, gold: str, answer: str):
    """Another value, or the value for something else, is wrong."""
    assert not text_verdict(answer, gold, question=question).holds


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("May it be sublet without approval?", "Any sublease is conditional on the owner's approval.", False),
        ("Does the non-disclosure duty survive the agreement?", "It survives the agreement by two years.", True),
        ("Is the contract governed by English law?", "The governing law of the contract is that of Scotland.", False),
        ("Is the contract governed by French law?", "The contract is subject to the laws of France.", True),
        ("Регулируется ли договор российским правом?", "Договор регулируется английским правом.", False),
        ("本合同是否适用中国法律？", "合同适用新加坡法律。", False),
        ("本合同是否适用中国法律？", "合同适用中华人民共和国法律（不含冲突规范）。", True),
    ],
)  # fmt: skip
def test_yes_and_no_of_contracts(question: str, answer: str, expected: bool):
    """A condition, a clause named with non-, brackets, and the law of another country."""
    assert boolean_verdict(answer, expected, question).holds
    assert not boolean_verdict(answer, not expected, question).holds


def test_a_part_is_no_rival():
    """The number of a part of what was counted takes nothing from the whole."""
    assert amount_verdict(
        "监事会由五人组成，其中职工监事两人。", 5, question="公司监事会由几名监事组成？"
    ).holds
    assert not amount_verdict("She sought $82,000, but was awarded $28,000.", 82000, question="What was she awarded?").holds  # fmt: skip
