"""Classes of rewording, each with right answers and with the wrong ones that are nearest to them."""

import pytest

from assay.scorers.legal.field import amount_verdict, text_verdict

KEPT = [
    # A country and its adjective, a part of a country, where somebody comes from.
    ("Which court decides?", "Labour Court of Sweden", "The Swedish Labour Court decides."),
    ("Where is the dam?", "Western Kenya", "It was built in the west of Kenya."),
    ("What nationality was the pilot?", "Polish", "The pilot came from Poland."),
    ("Какой банк выдал кредит?", "Центральный банк Польши", "Кредит выдал польский Центральный банк."),
    ("Где построили завод?", "на юге Эстонии", "Завод построили в южной Эстонии."),
    ("导演是哪国人？", "瑞典人", "导演来自瑞典。"),
    # The words of a name in another order, with light words between them.
    ("What did she win?", "National Poetry Prize", "She won the national prize for poetry."),
    # A noun, and a verb of its root with a method or a lack.
    ("How was the bone dated?", "radiocarbon dating", "The lab dated the bone by the radiocarbon method."),
    ("Почему закрыли цех?", "нехватка песка", "Цех закрыли, так как песка постоянно не хватало."),
    ("Как узнали возраст ели?", "по годичным кольцам", "Возраст ели узнали, подсчитав годичные кольца."),
    ("Why did he resign?", "row with the mayor", "He resigned after he and the mayor had a row about the budget."),
    ("Why did he leave?", "disagreement with his partner", "He left after he and his partner had a disagreement."),
    # A season and its year.
    ("When did it open?", "autumn 2011", "It opened in the fall of 2011."),
    ("When did it open?", "spring 2011", "It opened in 2011, in the spring, after a long delay."),
    ("Когда сгорел театр?", "зимой 1904 года", "Театр сгорел в 1904-м, зимой."),
    ("剧院何时开业？", "2011年春天", "剧院于2011年的春季开业。"),
    # Times of day in words.
    ("When does it leave?", "17:50", "It leaves at ten to six in the afternoon."),
    ("Во сколько отбой?", "22:15", "Отбой в четверть одиннадцатого вечера."),
    ("Во сколько отбой?", "21:40", "Отбой без двадцати десять вечера."),
    # Words of degree and limit; a cause or a condition in the first clause.
    ("航班为什么取消？", "风力过大", "因为风力太大，航班当天全部取消。"),
    ("什么情况下可以退款？", "七日内申请", "如果在7日之内申请，款项就可以退还。"),
    # A denial that is corrected, a pronoun that goes on, those who were left without something.
    ("谁最后得到了农场？", "侄子王强", "农场没有留给女儿，最后归了侄子王强。"),
    ("What did Anna play in the band?", "flute", "Anna was the band's flautist; she played the flute for years."),
    ("How many homes had no water?", "2,400", "The burst main left 2 400 homes without water."),
]  # fmt: skip
REFUSED = [
    ("Which court decides?", "Labour Court of Sweden", "The Danish Labour Court decides."),
    ("Which court decides?", "Labour Court of Sweden", "The Swedish Supreme Court decides."),
    ("Where is the dam?", "Western Kenya", "It was built in the east of Kenya."),
    ("Where is the dam?", "western Kenya", "It was built to the west of Kenya, in Uganda."),
    ("What nationality was the pilot?", "Polish", "The pilot came from Czechia."),
    ("What language did he write in?", "Polish", "He came from Poland and wrote in German."),
    ("Какой банк выдал кредит?", "Центральный банк Польши", "Кредит выдал чешский Центральный банк."),
    ("Откуда привезли мел?", "из Белгорода", "Белгородский мел забраковали, привезли местный."),
    ("导演是哪国人？", "瑞典人", "导演来自挪威，编剧来自瑞典。"),
    ("矿山在哪里？", "吉尔吉斯斯坦西部", "矿山在吉尔吉斯斯坦东部。"),
    ("What did she win?", "National Poetry Prize", "She won the national prize for drama."),
    ("How was the bone dated?", "radiocarbon dating", "The lab dated the bone by its layer."),
    ("Почему закрыли цех?", "нехватка песка", "Песка хватало, цех закрыли из-за пожара."),
    ("Why did he resign?", "row with the mayor", "He fell ill; he and the mayor never had a row."),
    ("When did it open?", "autumn 2011", "It opened in the fall of 2012."),
    ("When did it open?", "spring 2011", "It was planned in 2011 and opened in the spring of 2013."),
    ("Когда сгорел театр?", "зимой 1904 года", "Театр сгорел в 1904-м, летом."),
    ("剧院何时开业？", "2011年春天", "剧院于2011年的冬季开业。"),
    ("When does it leave?", "17:50", "It leaves at ten past six in the afternoon."),
    ("Во сколько отбой?", "22:15", "Отбой в четверть десятого вечера."),
    ("航班为什么取消？", "风力过大", "因为雨量太大，航班当天全部取消。"),
    ("什么情况下可以退款？", "七日内申请", "如果在7日之后申请，款项就可以退还。"),
    ("谁最后得到了农场？", "侄子王强", "农场没有留给侄子王强，最后归了女儿。"),
    ("What did Anna play in the band?", "flute", "Anna plays the oboe; she played the flute as a child."),
    # An advantage of what was not taken, a thing that was too heavy or too dear, the first price.
    ("Why was the older pump chosen?", "lower weight", "For its price. Lower weight was the strength of the newer pump."),
    ("Почему взяли старую лодку?", "малый вес", "Из-за цены. Малый вес был преимуществом новой лодки, которую отвергли."),
    ("为什么选旧款水泵？", "重量轻", "选旧款是因为便宜；重量轻是落选的新款的优点。"),
    ("Which stone did the mason choose?", "basalt", "The mason chose chalk: basalt seemed too hard to him."),
    ("Какой камень выбрал мастер?", "базальт", "Мастер выбрал мел: базальт показался ему слишком твёрдым."),
    ("工匠选了什么石料？", "玄武岩", "工匠选了石灰岩：玄武岩对他来说太硬了。"),
    ("What was the clock sold for?", "$900", "Bidding started at $900, and the hammer fell at $1,500."),
    ("За сколько продали часы?", "за 900 евро", "Торги начались с 900 евро, а ушли часы за 1500."),
    # A claim that did not prove true.
    ("What caused the fire?", "lightning", "The theory that lightning caused it was refuted; it was arson."),
    ("Отчего сгорел склад?", "молния", "Версия о том, что виновата молния, не подтвердилась: это был поджог."),
    ("火灾的原因是什么？", "雷击", "雷击的说法不成立，仓库是被人纵火烧毁的。"),
]  # fmt: skip
"""A question, the expected text and an answer."""


@pytest.mark.parametrize(("question", "expected", "answer"), KEPT)
def test_the_same_in_other_words_is_kept(question: str, expected: str, answer: str):
    """An answer that says the expected text in one of these ways is right."""
    assert text_verdict(answer, expected, question=question).holds


@pytest.mark.parametrize(("question", "expected", "answer"), REFUSED)
def test_a_neighbour_of_a_right_answer_is_refused(question: str, expected: str, answer: str):
    """An answer that looks like a right one and says something else is wrong."""
    assert not text_verdict(answer, expected, question=question).holds


@pytest.mark.parametrize(
    ("question", "answer", "holds"),
    [
        ("What is the monthly rent?", "The rent is 900 per month.", True),
        ("What is the monthly rent?", "The rent is 900, due on the first of each month.", True),
        ("What is the monthly rent?", "The rent is 900 per year.", False),
        ("What is the monthly rent?", "The annual rent is £900.", False),
        ("Какова ежемесячная плата?", "Плата — 900 рублей в месяц.", True),
        ("Какова ежемесячная плата?", "Плата — 900 рублей в год.", False),
        ("每月租金多少？", "租金每个月900元。", True),
        ("每月租金多少？", "租金每个季度支付900元。", False),
    ],
)
def test_an_amount_for_another_period_is_refused(question: str, answer: str, holds: bool):
    """An amount counts only for the period that is asked about."""
    assert amount_verdict(answer, 900, question=question).holds is holds


@pytest.mark.parametrize(
    ("question", "answer", "holds"),
    [
        ("What majority, in percent, is needed?", "A 75% majority.", True),
        ("What majority, in percent, is needed?", "A 57% majority.", False),
        ("Сколько процентов голосов нужно?", "Нужно 75 % голосов.", True),
        ("需要百分之多少的票？", "须经75%的票同意。", True),
        ("What does the lawyer charge?", "He charges 75% of the sum.", False),
    ],
)
def test_a_percentage_counts_where_it_is_asked_for(question: str, answer: str, holds: bool):
    """A number in percent is the expected number if the question asks for percent."""
    assert amount_verdict(answer, 75, question=question).holds is holds
