"""Classes of notation in three languages: small coins, ordinals, Roman numerals, compounds, accounts."""

import pytest

from assay.text import numbers

VALUES = [
    # Small coins have the value of their part of the currency.
    ("A stamp costs 60 cents here.", ["0.6 USD"]),
    ("between 50 and 75 cents", ["0.5 USD", "0.75 USD"]),
    ("one cent", ["0.01 USD"]),
    ("Milk is 85p a pint.", ["0.85 GBP"]),
    ("NZD 3.5m was set aside", ["3500000"]),
    ("CHF 12m", ["12000000"]),
    ("a pole of 3.5m", ["3.5"]),
    ("forty pence", ["0.4 GBP"]),
    ("$4 and 30 cents", ["4.3 USD"]),
    ("€2 and 5 cents", ["2.05 EUR"]),
    ("It was six pounds twenty for a ticket.", ["6.2 GBP"]),
    ("проезд подорожал на 40 копеек", ["0.4 RUB"]),
    ("60 коп. за минуту", ["0.6 RUB"]),
    ("тридцать центов", ["0.3 USD"]),
    ("20 евроцентов", ["0.2 EUR"]),
    ("每条短信30美分", ["0.3 USD"]),
    ("6角8分", ["0.68 CNY"]),
    ("找了我50分钱", ["0.5 CNY"]),
    ("a 1080p screen", ["1080"]),
    ("$12.50 and 5 cents", ["12.5 USD", "0.05 USD"]),
    ("two pounds 50", ["2.5 GBP"]),
    ("8毛一斤", ["0.8 CNY"]),
    ("трасса длиной 15,343 км", ["15.343"]),
    ("75 per cent", ["75 percent"]),
    # Accounts.
    ("Operating profit: (2,150)", ["-2150"]),
    ("Net loss 3,400 (1,275)", ["3400", "-1275"]),
    ("Чистая прибыль: (560)", ["-560"]),
    ("Net profit for the quarter: (1,450)", ["-1450"]),
    ("Net result of the year, €: (1,450.20)", ["-1450.2"]),
    ("К оплате 4 150-00 руб.", ["4150 RUB"]),
    ("Итого: 18 305-40", ["18305.4 RUB"]),
    ("от 10-20 руб. за штуку", ["10 RUB", "20 RUB"]),
    ("рейс 412-50", ["412", "50"]),
    ("Чистая прибыль за год: (560)", ["-560"]),
    ("净利润：(1,200)", ["-1200"]),
    ("the second group (2,150) was larger", ["2150"]),
    ("See the result (5) below", ["5"]),
    # Old groups.
    ("fourscore years and five", ["85"]),
    ("Some two score knights rode out.", ["40"]),
    # Ordinals.
    ("her thirty-fifth book", ["35"]),
    ("the eighteenth century", ["18"]),
    ("on the third floor", ["3"]),
    ("в тридцать девятом номере", ["39"]),
    ("Она финишировала сорок второй.", ["42"]),
    ("на пятом этаже", ["5"]),
    ("第五名", ["5"]),
    # Roman numerals.
    ("See Part IV, chapters II–III.", ["4", "2", "3"]),
    ("Part I: Introduction", ["1"]),
    ("Том VII", ["7"]),
    ("в конце XVIII века", ["18"]),
    ("ХХ век", ["20"]),
    ("XVI–XVII вв.", ["16", "17"]),
    ("the XVth century", ["15"]),
    ("第IV章", ["4"]),
    # Adjectives that begin with a number.
    ("пятнадцатипроцентный налог", ["15 percent"]),
    ("стодвадцатилитровый бак", ["120"]),
    ("трёхкратный чемпион", ["3"]),
    ("шестнадцатиэтажный дом", ["16"]),
    ("потеряли полумиллиона рублей", ["500000 RUB"]),
    # Slang.
    ("Ремонт обошёлся в сорок штук.", ["40000"]),
    ("Он мне должен косарь.", ["1000"]),
    ("Привезли сорок штук кирпичей.", ["40"]),
    ("廿载春秋", ["20"]),
    ("Balance brought forward: nil", ["0"]),
    # A letter after the digits of an amount is a scale, after those of a label it is not.
    ("revenue of 12B", ["12000000000"]),
    ("Sales 350M", ["350000000"]),
    ("a 7B model", ["7000000000"]),
    # 亿 may come again after 万亿.
    ("三万亿五千亿", ["3500000000000"]),
    ("两万亿零五百亿", ["2050000000000"]),
    ("一万亿五千亿元", ["1500000000000 CNY"]),
    ("1万亿5000亿", ["1500000000000"]),
    # Parts.
    ("половина миллиона рублей", ["500000 RUB"]),
    ("百分之负三", ["-3 percent"]),
    ("a hundredth of a second", ["0.01"]),
    ("an eighth of a mile beyond", ["0.125"]),
    ("a third of a million", ["333333.333333333333333333333333"]),
    ("десятую часть урожая", ["0.1"]),
    ("четвёртая часть урожая", ["0.25"]),
    ("сотая доля секунды", ["0.01"]),
    ("третью часть дохода", ["0.333333333333333333333333333333"]),
    # Thousands of spoken English, and Indian words for large numbers.
    ("The lawyer wanted twenty grand up front.", ["20000"]),
    ("Twenty grand is a lot.", ["20000"]),
    ("12.5 lac", ["1250000"]),
    ("Rs 40 lacs", ["4000000"]),
    ("₹12 cr", ["120000000"]),
    ("Balance 450.00 CR", ["450"]),
    # A scale word behind a bracket belongs to the number in it.
    ("убыток (1 234) тыс. руб.", ["-1234000 RUB"]),
    ("净亏损(1,234)万元", ["-12340000 CNY"]),
    ("Net loss: $(1,234) thousand", ["-1234000 USD"]),
    ("30 (thirty) days", ["30"]),
    ("1億2,345萬元", ["123450000 CNY"]),
    ("3亿1,200万", ["312000000"]),
    # A power whose exponent is not raised.
    ("4.5 × 10−6 m", []),
    ("1,2·10−5", []),
    ("约4.5×10-6米", []),
    # Round numbers of one word.
    ("该市常住人口已超过百万，", ["1000000"]),
    ("逾百人到场", ["100"]),
    ("捐款人数上万。", ["10000"]),
    ("百分百", ["100 percent"]),
    ("12 млн. 345 тыс. 678 руб.", ["12345678 RUB"]),
    ("3 million 200 thousand 15 votes", ["3200015"]),
    ("三千\n五百万元", ["35000000 CNY"]),
    ("二十\n五人", ["25"]),
    ("1.000,- EUR", ["1000"]),
    ("квартира 3/4 доли", []),
    ("2/3 голосов", ["0.666666666666666666666666666667"]),
    ("five per mille", ["0.5 percent"]),
    ("5 промилле", ["0.5 percent"]),
    ("10**6", ["1000000"]),
]
NOTHING = [
    "It costs 150p.", "25c", "a thirty-second pause", "one twenty-fifth of it", "third party",
    "the twenty-first of it", "the part I played", "in chapter I we read", "Section CC", "Part D", "Vitamin C",
    "Chapter IIX", "VI век до н. э.", "двадцать пятая тысяча", "одна двадцать пятая часть", "сорок первый год",
    "двадцати-тридцатилетний", "двухтысячный", "Заплатил сорок штук.",
    "По лугу шёл косарь.", "Section IV.2", "a one-in-twenty-fifth chance", "10 в степени 6", "They raised 3M.", "三旬",
    "Room 12B", "Flat 4B", "Gate 5B is open", "Figure 3B", "Section 4B", "a 2B pencil", "Unit 7M", "Apartment 12K",
    "Appendix 2K", "12B Baker Street", "комната 12К", "12B室", "десять в шестой", "10 to the 6th", "2**10", "√16",
    "the group (5) million", "two grand pianos", "two Grand Slam titles", "третья часть трилогии", "десятая часть романа", "Десятая часть", "вторая часть", "成千上万。",
    "5G", "a 5G network", "3D-печать", "in 3D", "4К-видео", "4K video", "4S店", "双十一大促", "2D",
    "дом 5/7", "Flat 3/4", "九秒八三", "三两天", "七零八落", "半斤八两", "12,345,67", "дело № А40-12345/2020", "СП 2.1.3678-20",
    "(495) 123-45-67", "+7(916)1234567", "020 7946 0958", "010-62345678", "+44 20 7946 0958", "тридцать шесть и шесть",
    "1,000,00", "+7 495 123-45-67", "8 (495) 123-45-67", "三亿五亿",
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), VALUES)
def test_a_class_of_notation_has_its_value(text: str, values: list[str]):
    """Each notation gives its value and unit, also beside words that look like it."""
    read = [
        " ".join(filter(None, (number.canonical, number.currency or number.unit)))
        for number in numbers(text)
    ]
    assert read == values


@pytest.mark.parametrize("text", NOTHING)
def test_a_notation_that_may_mean_something_else_gives_no_number(text: str):
    """What may be another number, a letter or a name is not read, and neither is a part of it."""
    assert numbers(text) == []


MARKED = [
    ("Over 300 guests came.", True), ("more than 40 boats", True), ("no more than 40 boats", False),
    ("not over 50", False), ("300+ guests", True), ("1+1", False), ("more or less 30 tonnes", True),
    ("It took ninety minutes, give or take.", True), ("свыше 300 гостей", True), ("не более 30 дней", False),
    ("более чем 30 дней", True), ("сорок лет с лишним", True), ("население перевалило за 20 тысяч", True),
    ("прошёл вёрст десять", True), ("大概要等三十分钟", True), ("还有 60 箱左右", True), ("上百本书", True),
    ("年近七旬", True), ("more than ₹120 crore", True), ("about Rs 500", True), ("over AUD 5m", True), ("no more than ₹120", False),
    ("零上3℃", False), ("晚上8点", False), ("上8000人", True),
    ("Мы прождали автобус минут двадцать.", True), ("Заплатил я за самовар рублей восемьсот.", True),
    ("пять минут двадцать секунд", False), ("Через несколько минут двадцать человек ушли.", False),
    ("После долгих часов двадцать рабочих ушли.", False), ("сорок с лишком", True), ("Ему было под семьдесят.", True),
    ("под сотню человек", True), ("几乎有四万名", True), ("maybe 75 guests", True), ("a good 15 miles", True),
    ("something like 340 tickets", True), ("not quite twenty thousand copies", True), ("где-то в 300 рублей", True),
    ("каких-нибудь двести шагов", True), ("give or take 1,800 calories", True), ("三十来首诗", True), ("под 5 процентов годовых", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_approximate"), MARKED)
def test_words_for_more_mark_a_number_unless_they_are_a_limit(text: str, is_approximate: bool):
    """The words "more than" make a number approximate, "no more than" do not."""
    assert numbers(text)[0].approximate is is_approximate


def test_coins_and_their_currency_are_the_same_number():
    """An amount in coins equals the same amount in the currency."""
    for text in ("75 cents and 0.75 dollars", "50 копеек и 0,5 рубля", "5毛和0.5元"):
        first, second = numbers(text)
        assert (first.value, first.currency) == (second.value, second.currency)
