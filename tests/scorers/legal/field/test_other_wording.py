"""The same value in other words is kept; another value of the same shape is not."""

import pytest

from assay.scorers.legal.field import text_verdict
from assay.scorers.legal.field.label import has_labels
from assay.scorers.legal.field.relation import is_relation

SAME = [
    ("Which vitamin do the pills contain?", "vitamin K", "They contain vit. K.", True),
    ("Which vitamin do the pills contain?", "vitamin K", "K", True),
    ("Which vitamin do the pills contain?", "vitamin K", "They contain vitamin E.", False),
    ("Who opens the session?", "the chairman", "The chairwoman opens it.", True),
    ("When is the fair?", "late October", "In the last days of October.", True),
    ("When is the fair?", "late October", "At the beginning of October.", False),
    ("What did he see?", "a black cat", "A cat, quite black, on the wall.", True),
    ("What did he see?", "a black cat", "A cat, black shoes and a hat.", False),
    ("When must it be paid?", "within 7 days of receipt", "One week after it is received.", True),
    ("When must it be paid?", "within 7 days of receipt", "Within 7 days of dispatch.", False),
    ("Why was it closed?", "because of a flood", "There was a flood, so it was closed.", True),
    ("Who was the first mayor?", "Ann Reed", "Ann Reed was the second mayor.", False),
    ("Чем кормят кроликов?", "корой осины", "Осиновой корой.", True),
    ("Чем кормят кроликов?", "корой осины", "Дубовой корой.", False),
    ("Какой диагноз поставлен?", "воспаление почек", "Почечное воспаление.", True),
    ("На какой срок выдан заём?", "девять месяцев", "На 9 мес.", True),
    ("Куда переехал архив?", "на улицу Пушкина", "ул. Пушкина", True),
    ("Куда переехал архив?", "на улицу Пушкина", "ул. Попова", False),
    ("Когда сдали мост?", "в начале мая", "В первых числах мая.", True),
    ("Кто возглавил отряд?", "Илья Дронов", "Отряд возглавил геолог И. Дронов.", True),
    ("缺少哪种维生素？", "维生素K", "缺维K。", True),
    ("缺少哪种维生素？", "维生素K", "维生素E", False),
    ("工资哪天发？", "每月八日", "每个月8号发。", True),
    ("工资哪天发？", "每月八日", "每个月18号发。", False),
    ("多久保养一次？", "每半年", "六个月保养一次。", True),
    ("演出为何取消？", "暴雪", "下暴雪了，所以取消。", True),
    ("供货方是哪家公司？", "苏州远航机械有限公司", "供货方是远航机械。", True),
    ("供货方是哪家公司？", "苏州远航机械有限公司", "供货方是远大机械公司。", False),
    ("例会改到哪天？", "下周四", "改成下星期四了。", True),
    ("例会改到哪天？", "下周四", "改成下星期二了。", False),
    ("多久体检一次？", "每六个月一次", "六个月体检一回。", True),
    ("报警灯是什么颜色？", "黄色", "灯变黄就要停机。", True),
    ("他的职业是什么？", "中学教师", "他在县里的中学当老师。", True),
    ("办事处设在哪里？", "成都市武侯区", "办事处设在成都武侯区。", True),
    ("办事处设在哪里？", "成都市武侯区", "办事处设在成都青羊区。", False),
    ("病人转到了哪家医院？", "市第二人民医院", "转到市二院了。", True),
    ("病人转到了哪家医院？", "市第二人民医院", "转到市一院了。", False),
    ("他毕业于哪所大学？", "厦门大学", "他是厦大毕业的。", True),
    ("他毕业于哪所大学？", "厦门大学", "他在厦门大学教书，毕业于同济大学。", False),
    ("谁提出了这一猜想？", "黎曼", "伯恩哈德·黎曼（Bernhard Riemann）提出的。", True),
    ("会客室在几楼？", "六楼", "在6层。", True),
    ("他最爱什么乐器？", "琵琶", "他母亲爱弹琵琶，他自己迷上了小提琴。", False),
    ("谁是人事委员会主席？", "丁一鸣", "丁一鸣是财务委员会主席，人事委员会由高飞主持。", False),
]


@pytest.mark.parametrize(("question", "gold", "answer", "is_right"), SAME)
def test_other_words_for_the_same_value_are_kept(
    question: str, gold: str, answer: str, is_right: bool
) -> None:
    """Short forms, adjectives, parts of a month and periods say the same; other values do not."""
    assert text_verdict(answer, gold, question=question).holds is is_right


YES_NO = [
    ("Does the pledge survive the sale?", "yes", "It stays in force after the sale.", True),
    ("Does the pledge survive the sale?", "yes", "It lapses when the car is sold.", False),
    ("Can he leave without notice?", "yes", "He can, and notice is not needed.", True),
    ("Can he leave without notice?", "no", "He has to give a month's notice.", True),
    ("May the dealer sell other brands?", "no", "It must sell only our brand.", True),
    ("Can the ruling be appealed?", "no", "The ruling is final.", True),
    ("Сохраняется ли залог после продажи?", "нет", "После продажи залог прекращается.", True),
    ("Сохраняется ли залог после продажи?", "да", "Залог остаётся в силе.", True),
    ("Вправе ли жилец отказаться от услуг?", "да", "Жилец вправе отказаться от них.", True),
    ("Можно ли вырубать деревья без разрешения?", "нет", "Исключительно с разрешения.", True),
    ("租约终止后担保是否继续？", "是", "终止后担保仍然有效。", True),
    ("租约终止后担保是否继续？", "是", "终止后担保即告消灭。", False),
    ("可以养猫吗？", "否", "禁止饲养宠物。", True),
]


@pytest.mark.parametrize(("question", "gold", "answer", "is_right"), YES_NO)
def test_yes_and_no_are_read_from_what_goes_on_ends_or_is_needed(
    question: str, gold: str, answer: str, is_right: bool
) -> None:
    """An answer without yes or no decides by going on, ending, being needed or being final."""
    assert text_verdict(answer, gold, question=question).holds is is_right


def test_a_degree_is_no_label() -> None:
    """The C of a temperature may be spelled out; the C of a vitamin may not be another letter."""
    assert has_labels("от 2 до 8 °C", "2–8 градусов Цельсия")
    assert not has_labels("витамин A", "витамин E")


def test_an_adjective_is_made_of_a_noun_by_a_suffix() -> None:
    """A common beginning alone is not enough."""
    assert is_relation("льна", "льняными")
    assert not is_relation("льна", "ледяными")
