"""Right and wrong answers to ordinary questions in three languages, class by class."""

import pytest

from assay.scorers.correctness import correctness, token_f1

# question, expected, answers that say it, answers that do not
DENIED = [
    ("Where is the office?", "Rotterdam",
     ["The office is in Rotterdam, not in Amsterdam.", "It is not only in Rotterdam.", "Not in Amsterdam but in Rotterdam"],
     ["The office is not in Rotterdam.", "The office is in Amsterdam, not in Rotterdam.", "It isn't located in Rotterdam.",
      "The office moved from Rotterdam to Amsterdam."]),
    ("Who signed the contract?", "Ivanov", ["Ivanov signed it but did not read it.", "Not Petrov: it was signed by Ivanov."],
     ["The contract was not signed by Ivanov.", "Ivanov never signed the contract."]),
    ("Who did not sign?", "Ivanov", ["Ivanov did not sign."], []),
    ("When did it open?", "1998", ["It did not open until 1998."], []),
    ("Где находится офис?", "Роттердам",
     ["Не в Амстердаме, а в Роттердаме.", "Офис находится в Роттердаме, не в Амстердаме."],
     ["Офис не в Роттердаме, а в Амстердаме.", "Офис не находится в Роттердаме.", "Офис в Роттердаме не находится."]),
    ("Кто подписал договор?", "Иванов", ["Договор подписал Иванов, хотя Петров его не читал."],
     ["Иванов договор не подписывал, его подписал Петров.", "Договор не подписан Ивановым."]),
    ("Когда закрыли завод?", "1998", ["Завод не работает с 1998 года."], []),
    ("办公室在哪里？", "北京", ["办公室在北京，不在上海。"], ["办公室不在北京，在上海。", "办公室并不位于北京。", "办公室已不在北京。"]),
    ("由谁负责？", "张伟", ["由张伟负责，不由李强负责。"], ["不由张伟负责，由李强负责。", "张伟不负责此事，李强负责。"]),
    ("谁是董事长？", "王建国", ["董事长是王建国。"],
     ["王建国不再担任董事长，现任董事长为李强。", "抱歉，我无法确定。可能是王建国。"]),
    ("Who is it?", "Smith", ["It was probably Smith."], ["I cannot tell from the text. It might be Smith."]),
]  # fmt: skip
LIMITS = [
    ("How long is the notice period?", "30 days", ["within 30 days"],
     ["at least 30 days", "up to 30 days", "30 days or more", "20–30 days"]),
    ("How long must the notice be?", "30 days", ["At least 30 days."], ["Up to 30 days."]),
    ("How long can I stay?", "90 days", ["Up to 90 days."], []),
    ("What is the fine?", "$500", ["The fine rose from $300 to $500."], ["The fine is up to $500."]),
    ("Каков срок?", "30 дней", ["в течение 30 дней", "не позднее 30 дней"], ["не менее 30 дней", "до 30 дней"]),
    ("Какова доля?", "30 %", ["Доля увеличилась до 30 %."], ["Доля — до 30 %."]),
    ("Когда сдать отчёт?", "30 июня 2024", ["Отчёт сдают до 30 июня 2024 года."], []),
    ("期限多长？", "30天", ["期限为30天。"], ["不少于30天", "不超过30天", "30天以上"]),
    ("违约金是多少？", "合同金额的5%", ["违约金为合同金额的5%。"], ["不超过合同金额的5%。"]),
    ("Term?", "3 years", ["The term is 3 years and the notice is 6 months.", "3 years, 30 days' notice"], ["3 years and 6 months"]),
    ("Срок?", "3 года", ["3 года"], ["3 года 6 месяцев"]),
    ("期限？", "三年", ["三年"], ["三年零六个月"]),
    ("Вес?", "2 кг", ["2 кг."], ["2 кг 300 г"]),
    ("Срок?", "3 года 6 месяцев", ["42 месяца"], ["3 года"]),
    ("How much did revenue grow?", "8%", ["Revenue grew 8% while costs fell 3%."], ["Revenue fell by 8%."]),
    ("Каков рост выручки?", "8%", ["Рост составил 8 %."], ["Выручка сократилась на 8%."]),
    ("增长多少？", "8.3%", ["增长8.3%"], ["下降8.3%"]),
    ("Какова прибыль?", "40 млн руб.", ["Прибыль — 40 млн рублей."], ["Убыток составил 40 млн руб."]),
]  # fmt: skip
KINDS = [
    ("When was it founded?", "1998", ["In May 1998.", "1998"], ["$1,998", "1998 employees", "1998–2003"]),
    ("When was he born?", "1930", ["John Smith (1930–2001) was a poet."], []),
    ("Сколько дней длится отпуск?", "28", ["28 дней", "28"], ["28%", "пункт 28", "с 28 мая"]),
    ("How many days of leave?", "28", ["28 calendar days a year"], ["Clause 28 says so."]),
    ("How much does it cost?", "500", ["$500", "500 roubles"], []),
    ("Какая доля?", "28", ["28%"], []),
    ("На какой странице?", "28", ["стр. 28"], []),
    ("多少人？", "120", ["120人"], ["120万元"]),
    ("公司成立于哪一年？", "1998", ["1998年"], ["1998元"]),
    ("Какой пункт?", "п. 3.1", ["пункт 3.1", "3.1"], ["п. 3.10", "п. 3.2"]),
    ("Which version?", "3.1", ["version 3.1"], ["3.10"]),
    ("Which model was used?", "GPT-4", ["GPT-4."], ["GPT-4o", "GPT-4 Turbo"]),
]  # fmt: skip
NAMES = [
    ("Кто подписал?", "Петрова", ["Договор подписала Петрова.", "Подписано Петровой."], ["Петров"]),
    ("Кто подписал?", "Иванов", ["Договор подписан от имени Иванова.", "Комиссия назначила Иванова."],
     ["Договор подписала Иванова.", "Анна Иванова", "Иванова"]),
    ("Кто поставщик?", "ООО «Ромашка»", ["Ромашка", "Общество с ограниченной ответственностью «Ромашка»"],
     ["ООО «Ромашка-Сервис»", "АО «Ромашка»"]),
    ("Who supplies it?", "Acme Ltd.", ["Acme Limited", "Acme"], ["Acme GmbH", "Acme Foods Ltd."]),
    ("Кто владелец?", "Газпром", ["ПАО «Газпром»"], ["«Газпром нефть»"]),
    ("Какой город?", "Новгород", ["Великий Новгород"], ["Нижний Новгород"]),
    ("Which city?", "York", ["the city of York"], ["New York"]),
    ("哪家公司？", "华为", ["华为技术有限公司"], []),
    ("哪家银行？", "中国银行", ["中国银行股份有限公司"], []),
    ("公司在哪？", "北京", ["在北京市"], ["北京华远置业有限公司"]),
    ("谁是董事长？", "王建国", ["王建国说的。"], ["王建国民"]),
    ("Кто автор?", "Лев Толстой", ["Львом Николаевичем Толстым"], ["Алексей Николаевич Толстой"]),
    ("Кто директор?", "Пётр Сергеевич Иванов", ["Пётр Иванов", "Иванов П. С."],
     ["П. А. Иванов", "Пётр Алексеевич Иванов", "Пётр Сергеевич Ивановский"]),
]  # fmt: skip
NOTATIONS = [
    ("Во сколько начало?", "9:00", ["в 9 часов утра", "в 9 утра", "в 09.00", "9 a.m.", "上午九点"], ["в 9 вечера", "晚上九点"]),
    ("Во сколько?", "21:00", ["в 9 часов вечера"], ["в 9 часов утра"]),
    ("За какой период?", "2-й квартал 2023", ["второй квартал 2023 года", "II квартал 2023 г."], ["II квартал 2022 г.", "III квартал 2023 г."]),
    ("哪个季度？", "第二季度", ["二季度", "Q2"], ["三季度"]),
    ("Which quarter?", "Q2 2023", ["the second quarter of 2023"], ["Q2 2022"]),
    ("Какая статья?", "статья 12", ["ст. 12"], ["ст. 13", "п. 12"]),
    ("Which article?", "Article 12", ["Art. 12"], ["Section 12"]),
    ("哪一条？", "第十二条", ["第12条"], ["第12款"]),
    ("Какой номер договора?", "№ 17/А", ["17/А"], ["17/Б"]),
    ("员工总数？", "1230人", ["一千二百三十名员工"], ["1230元"]),
    ("Сколько людей?", "1230 человек", ["1230 сотрудников"], ["1230 рублей"]),
    ("加班工资？", "150%", ["按平时工资的1.5倍支付"], ["2倍"]),
    ("Какой срок?", "не позднее 45 календарных дней",
     ["не позже сорока пяти календарных дней", "в течение 45 календарных дней"], ["не менее 45 календарных дней"]),
    ("How long?", "at least 5 years", ["a minimum of 5 years"], ["at most 5 years"]),
    ("何时召开？", "2024年6月18日", ["6月18日，2024年"], ["6月19日，2024年"]),
    ("Какова выручка?", "12 641,0 млн руб.", ["12,641 млрд руб."], ["12 641 млрд руб."]),
    ("年假多少天？", "15天", ["年假为15个自然日。"], []),
]  # fmt: skip
YES_AND_NO = [
    ("Is notice given in writing?", "yes", ["Notice is given in writing."], ["Notice is given orally.", "Notice is given."]),
    ("Is the deposit returned within 14 days?", "yes", ["The deposit is returned within two weeks."], ["The deposit is returned."]),
    ("Can the tenant sublet the flat?", "yes", ["The tenant may sublet."], []),
    ("Is smoking allowed?", "yes", ["Smoking is allowed."], ["Smoking is allowed nowhere."]),
    ("Разрешено ли курение?", "нет", ["Курение нигде не разрешено."], ["Курение разрешено."]),
    ("Включён ли НДС в стоимость?", "да", ["Стоимость — 3 млн руб., включая НДС 20%."],
     ["Стоимость товара — 3 млн руб., без НДС.", "НДС оплачивается сверх стоимости.", "Да нет, не включён."]),
    ("Включён ли НДС в стоимость?", "нет", ["Стоимость товара — 3 млн руб., без учёта НДС."], []),
    ("Is VAT included?", "no", ["The price is 100 plus VAT."], ["The price includes VAT."]),
    ("价格含税吗？", "否", ["税费另计。", "价格不含税。"], ["价格含税。"]),
    ("是否需要押金？", "否", ["免押金。", "不需要。"], ["需要。"]),
    ("是否需要押金？", "是", ["需要支付两个月押金。"], ["免押金。"]),
]  # fmt: skip
TABLE = [*DENIED, *LIMITS, *KINDS, *NAMES, *NOTATIONS, *YES_AND_NO]


@pytest.mark.parametrize(("question", "expected", "right", "wrong"), TABLE)
def test_an_answer_is_contained_if_it_says_the_expected_one(
    question: str, expected: str, right: list[str], wrong: list[str]
):
    """Every right answer counts, and no wrong one does, neither as contained nor as exact."""
    assert [text for text in right if not correctness([expected], text, question).contained] == []
    scores = {text: correctness([expected], text, question) for text in wrong}
    assert [text for text, score in scores.items() if score.contained or score.exact] == []


def test_the_number_of_a_clause_is_compared_as_it_is_written():
    """Clause 3.10 shares the word with clause 3.1, and the number not; amounts share it."""
    assert token_f1("п. 3.1", "п. 3.10") == 0.5
    assert token_f1("3.1 кг", "3.10 кг") == 1.0


def test_without_a_question_a_plain_number_has_any_unit():
    """If nothing says what is asked for, the number with a unit is the same."""
    assert correctness(["42000"], "4.2万元").exact
    assert correctness(["28"], "28%").contained


# question, answer, the value that it gives, the value that it only names
TWO_VALUES = [
    ("What is the notice period?", "The notice period used to be 30 days; it is now 14 days.", "14 days", "30 days"),
    ("Какова ставка?", "Ранее ставка была 5%, теперь — 7%.", "7%", "5%"),
    ("利率是多少？", "以前是5%，现在是7%。", "7%", "5%"),
    ("When does the lease end?", "The lease was to end on 31 December 2025 but was extended to 30 June 2026.",
     "30 June 2026", "31 December 2025"),
    ("What is the interest rate?", "The penalty is 5%; the interest rate is 7%.", "7%", "5%"),
    ("How many parties are there?", "There are 4 parties, 3 of which are companies.", "4", "3"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "answer", "given", "named"), TWO_VALUES)
def test_a_value_that_was_or_belongs_to_something_else_does_not_count(
    question: str, answer: str, given: str, named: str
):
    """Of two values of one kind the one that holds for what is asked counts, and only that one."""
    assert correctness([given], answer, question).contained
    assert not correctness([named], answer, question).contained


def test_what_was_counts_where_it_is_asked_for():
    """The earlier value is right if the question asks for it, and both count without a question."""
    answer = "The notice period used to be 30 days; it is now 14 days."
    assert correctness(["30 days"], answer, "What was the previous notice period?").contained
    assert correctness(["30 days"], answer).contained
    assert correctness(
        ["2.4亿元"], "去年净利润为2.4亿元；同期收入为18亿元。", "去年净利润是多少？"
    ).contained


@pytest.mark.parametrize(
    ("expected", "answer", "contained"),
    [
        ("500元", "五百块", True),
        ("500元", "押金是500块。", True),
        ("3", "共有三方", True),
        ("3", "由第三方负责", False),
        ("500元", "五百块砖", False),
    ],
)
def test_chinese_money_and_parties_are_read(expected: str, answer: str, contained: bool):
    """块 is money after a round number if no thing follows, and 三方 are three."""
    assert correctness([expected], answer).contained is contained
