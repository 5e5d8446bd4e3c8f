"""Signs at numbers: a currency, a minus, a comparison, per cent, and the half of the day."""

import pytest

from assay.judges.verifier import verify_quotation

REST = " The contract ends in May. Nobody objected."
CHANGED = [
    (
        "The patient received 5 mg of morphine daily",
        "The patient received 5 mcg of morphine daily.",
    ),
    ("Dose: 5 mg", "Dose: 5 µg."),
    ("It takes 5 ms to load", "It takes 5 µs to load."),
    ("Пациент получил 5 мг морфина", "Пациент получил 5 мкг морфина."),
    ("患者服用5毫克", "患者服用5微克。"),
    ("The fee is €500 per month.", "The fee is $500 per month."),
    ("The fee is 500 € per month.", "The fee is 500 $ per month."),
    ("The fee is £500.", "The fee is $500."),
    ("The fee is 500 euros per month.", "The fee is 500 dollars per month."),
    ("The fee is EUR 500 per month.", "The fee is USD 500 per month."),
    ("The fee is EUR 500 per month.", "The fee is $500 per month."),
    ("a fee of €1.5 million", "He paid a fee of $1.5 million to the bank."),
    ("Штраф составляет 500 долларов.", "Штраф составляет 500 рублей."),
    ("Штраф составляет 500 $.", "Штраф составляет 500 ₽."),
    ("Штраф составляет 500 евро в день.", "Штраф составляет 500 руб. в день."),
    ("违约金为500美元。", "违约金为500元。"),
    ("违约金为500美元。", "违约金为500欧元。"),
    ("违约金为$500。", "违约金为￥500。"),
    ("违约金为五百美元。", "违约金为五百元。"),
    ("租金每月500港元。", "租金每月500元。"),
    ("The temperature was 5 °C at night.", "The temperature was -5 °C at night."),
    ("The temperature was -5 °C at night.", "The temperature was 5 °C at night."),
    ("The temperature was −5 °C at night.", "The temperature was 5 °C at night."),
    ("The temperature was 5 °C at night.", "The temperature was minus 5 °C at night."),
    ("growth was 2.5 % in May", "In short, growth was −2.5 % in May."),
    ("Ночью было 5 °C.", "Ночью было -5 °C."),
    ("Ночью было −5 °C.", "Ночью было 5 °C."),
    ("Ночью было 5 градусов.", "Ночью было минус 5 градусов."),
    ("夜间气温为5℃。", "夜间气温为-5℃。"),
    ("夜间气温为-5℃。", "夜间气温为5℃。"),
    ("夜间气温为5℃。", "夜间气温为零下5℃。"),
    ("the result was $3 million", "Last year the result was -$3 million."),
    ("The level is > 5 in all samples.", "The level is < 5 in all samples."),
    ("The level is ≥ 5 in all samples.", "The level is ≤ 5 in all samples."),
    ("The level is >= 5 in all samples.", "The level is <= 5 in all samples."),
    ("The level is ≤ 5 in all samples.", "The level is < 5 in all samples."),
    ("The level is 5 in all samples.", "The level is < 5 in all samples."),
    ("The level is < 5 in all samples.", "The level is 5 in all samples."),
    ("p > 0.05 in all groups", "We found p < 0.05 in all groups."),
    ("Уровень > 5 во всех пробах.", "Уровень < 5 во всех пробах."),
    ("Уровень ≥ 5 во всех пробах.", "Уровень ≤ 5 во всех пробах."),
    ("所有样品中含量>5毫克。", "所有样品中含量<5毫克。"),
    ("所有样品中含量≥5毫克。", "所有样品中含量≤5毫克。"),
    ("所有样品中含量＞5毫克。", "所有样品中含量＜5毫克。"),
    ("The rate rose by 5 last year.", "The rate rose by 5 % last year."),
    ("The rate rose by 5% last year.", "The rate rose by 5 last year."),
    ("The rate rose by 5 ‰ last year.", "The rate rose by 5 % last year."),
    ("The rate rose by 5%.", "The rate rose by 5‰."),
    ("The rate rose by 5 percentage points last year.", "The rate rose by 5 % last year."),
    ("The rate rose by 5 % last year.", "The rate rose by 5 percentage points last year."),
    ("The rate rose by 5 percent last year.", "The rate rose by 5 percentage points last year."),
    ("The rate rose by 5", "The rate rose by 5 % last year."),
    ("The rate rose by 5 last year.", "The rate rose by 5 percent last year."),
    ("The rate rose by 5 kg last year.", "The rate rose by 5 % last year."),
    ("The rate rose by 5 percent last year.", "The rate rose by 5 last year."),
    ("Ставка выросла на 5 за год.", "Ставка выросла на 5 % за год."),
    ("Ставка выросла на 5% за год.", "Ставка выросла на 5 за год."),
    ("Ставка выросла на 5 ‰ за год.", "Ставка выросла на 5 % за год."),
    ("Ставка выросла на 5 процентных пунктов за год.", "Ставка выросла на 5 % за год."),
    ("Ставка выросла на 5 % за год.", "Ставка выросла на 5 п.п. за год."),
    ("Ставка выросла на 5 процентов за год.", "Ставка выросла на 5 процентных пунктов за год."),
    ("利率上升了5。", "利率上升了5%。"),
    ("利率上升了5%。", "利率上升了5。"),
    ("利率上升了5‰。", "利率上升了5%。"),
    ("利率上升了5个百分点。", "利率上升了5%。"),
    ("利率上升了5%。", "利率上升了5个百分点。"),
    ("利率上升了百分之五。", "利率上升了5个百分点。"),
    ("The office opens at 6 pm on weekdays.", "The office opens at 6 am on weekdays."),
    ("The office opens at 6 p.m. on weekdays.", "The office opens at 6 a.m. on weekdays."),
    ("The office opens at 6:30 PM on weekdays.", "The office opens at 6:30 AM on weekdays."),
    ("The office opens at 6pm on weekdays.", "The office opens at 6am on weekdays."),
    ("Контора открывается в 6 часов вечера.", "Контора открывается в 6 часов утра."),
    ("Контора открывается в 3 часа дня.", "Контора открывается в 3 часа ночи."),
    ("办公室下午6点开门。", "办公室上午6点开门。"),
    ("会议于下午九点开始。", "会议于上午九点开始。"),
    ("会议于晚上九点开始。", "会议于早上九点开始。"),
    (
        "a fee of £1,000 is due on delivery of the goods",
        "A fee of €1,000 is due on delivery of the goods.",
    ),
    ("revenue grew 12.5% to €3.2bn in 2023", "Revenue grew 12.5 % to $3.2bn in 2023."),
    ("revenue grew to -$3.2bn in 2023", "Revenue grew to $3.2bn in 2023."),
    ("The staff of 50 left", "The staff of 50% left."),
    ("growth of 5% was seen", "Growth of -5% was seen."),
    ("5 % of users", "Only 5 ‰ of users agreed."),
    ("a yield of ±5 is fine", "A yield of 5 is fine."),
    ("温度高于-10℃时", "温度高于10℃时停止。"),
    ("增长5.2%", "增长5.2‰。"),
    ("涨幅为5个百分点", "涨幅为5%，低于预期。"),
    ("售价为₹500一件", "售价为$500一件。"),
    ("price of 500₹ each", "price of 500$ each"),
    ("Цена 500 € за штуку", "Цена 500 ₽ за штуку."),
    ("в размере 5 от цены договора", "в размере 5% от цены договора."),
    ("в размере 0,1 от суммы за каждый день", "в размере 0,1 % от суммы за каждый день просрочки."),
    ("при температуре 20 °C", "Хранить при температуре −20 °C."),
    ("Store at 20 °C or below", "Store at -20 °C or below."),
    ("BMI ≥ 30 was excluded", "Patients with BMI ≤ 30 were excluded."),
    ("n>30", "All groups had n<30."),
    ("opens at 9 am", "opens at 9 pm daily"),
    ("открывается в 9 утра", "Контора открывается в 9 вечера."),
    ("上午9点开会", "公司下午9点开会。"),
    ("the train leaves at 8:15 p.m. sharp", "The train leaves at 8:15 a.m. sharp."),
    ("Выручка выросла на 5 процентных пунктов", "Выручка выросла на 5 процентов."),
    ("1–2 %", "Between 1–2 ‰ of all"),
    ("< $500 is paid", "> $500 is paid by him"),
    ("costs $500", "It costs 500 euros."),
]
KEPT = [
    ("The fee is 5 percent of the price.", "The fee is 5 % of the price."),
    ("The fee is 5 per cent of the price.", "The fee is 5% of the price."),
    ("The fee is five percent of the price.", "The fee is 5% of the price."),
    ("The fee is 5% of the price.", "The fee is 5 per cent of the price."),
    ("The fee is 500 dollars per month.", "The fee is $500 per month."),
    ("The fee is USD 500 per month.", "The fee is $500 per month."),
    ("The fee is US$500 per month.", "The fee is $500 per month."),
    ("The fee is $500 per month.", "The fee is 500 dollars per month."),
    ("The fee is 500 USD per month.", "The fee is $500 per month."),
    ("The fee is €500 per month.", "The fee is 500 euros per month."),
    ("Ставка 5 процентов годовых.", "Ставка 5 % годовых."),
    ("Ставка 5% годовых.", "Ставка пять процентов годовых."),
    ("Штраф составляет 500 ₽ в день.", "Штраф составляет 500 рублей в день."),
    ("Штраф составляет 500 руб. в день.", "Штраф составляет 500 рублей в день."),
    ("利率为百分之五。", "利率为5%。"),
    ("利率为5％。", "利率为5%。"),
    ("违约金为￥500。", "违约金为500元。"),
    ("违约金为人民币500元。", "违约金为500元。"),
    ("违约金为500元。", "违约金为人民币500元。"),
    ("违约金为500元人民币。", "违约金为500元。"),
    ("The temperature was −5 °C at night.", "The temperature was -5 °C at night."),
    ("The temperature was minus 5 °C at night.", "The temperature was -5 °C at night."),
    ("The temperature was –5 °C at night.", "The temperature was -5 °C at night."),
    ("Ночью было минус 5 °C.", "Ночью было -5 °C."),
    ("夜间气温为零下5℃。", "夜间气温为-5℃。"),
    ("The level is ≤ 5 in all samples.", "The level is <= 5 in all samples."),
    ("The level is <5 in all samples.", "The level is < 5 in all samples."),
    ("所有样品中含量＜5毫克。", "所有样品中含量<5毫克。"),
    ("所有样品中含量≤5毫克。", "所有样品中含量⩽5毫克。"),
    ("The level is less than 5 in all samples.", "The level is < 5 in all samples."),
    ("The level is at least 5 in all samples.", "The level is ≥ 5 in all samples."),
    ("The office opens at 6 p.m. on weekdays.", "The office opens at 6 pm on weekdays."),
    ("The office opens at 6pm on weekdays.", "The office opens at 6 PM on weekdays."),
    ("The office opens at 6 in the evening.", "The office opens at 6 pm."),
    ("pages 10-20 are missing", "In this copy pages 10–20 are missing."),
    ("The rate is 5-7 % per year", "The rate is 5–7% per year."),
    ("The rate is 5-7 % per year", "The rate is 5 % - 7 % per year."),
    ("The fee is $500-600.", "The fee is $500-$600."),
    ("- 5 apples were bought", "5 apples were bought and eaten."),
    ("5 apples were bought", "- 5 apples were bought and eaten."),
    ("The rent - 500 dollars - is due", "The rent – 500 dollars – is due on Monday."),
    ("Температура -5 градусов", "Температура −5 градусов ночью."),
    ("rose by 5 percentage points last year", "It rose by 5 percentage points last year."),
    ("Ставка выросла на 5 п. п. за год", "Ставка выросла на 5 процентных пунктов за год."),
    ("The fee is 500.", "The fee is $500."),
    ("> The rent is 500 dollars.", "The rent is 500 dollars."),
    ("The rent is 500 dollars <br>", "The rent is 500 dollars."),
    ("a 5-percent fee is due on delivery", "A 5% fee is due on delivery."),
    ("a 5% fee is due on delivery", "A 5-percent fee is due on delivery."),
    ("the fee is 5 (five) percent of the price", "The fee is 5% of the price."),
    ("the fee is five per cent (5 %) of the price", "The fee is five per cent (5 %) of the price."),
    ("rates of 5, 6 and 7 percent apply", "Rates of 5, 6 and 7% apply."),
    ("rates of 5 or 7 % apply here", "Rates of 5 or 7 percent apply here."),
    ("between 5 and 7 percent of the staff left", "Between 5% and 7% of the staff left."),
    ("10–20% of the staff left", "Some 10%–20% of the staff left early."),
    ("a quarter of the staff left the firm", "25% of the staff left the firm."),
    ("The rent is $5.00 per day", "The rent is $5 per day."),
    ("The rent is 5 dollars", "The rent is 5 dollars per day."),
    ("стоимость 500 руб", "Полная стоимость 500 руб. в месяц."),
    ("The rent is ¥500 per day", "The rent is ￥500 per day."),
    ("revenue grew 12.5% to $3.2bn in 2023", "Revenue grew 12.5 % to $3.2 bn in 2023."),
    ("temperatures from -10 to -5 °C", "Temperatures from −10 to −5 °C are usual."),
    ("temperatures from −10 °C to +5 °C are usual", "Temperatures from -10 °C to +5 °C are usual."),
    ("Пункт 3 — 500 рублей", "Пункт 3 —500 рублей."),
    ("金额——500元", "金额—500元，已付。"),
    ("COVID-19 patients were 5 % of all", "COVID-19 patients were 5% of all."),
    ("covid 19 patients paid", "COVID-19 patients paid nothing."),
    ("phone 555-1234 is off", "The phone 555-1234 is off."),
    ("model A-5 costs $500", "Model A–5 costs $500."),
    ("5 → 6 changes were made", "5 -> 6 changes were made."),
    ("x => 5 is written here", "x => 5 is written here."),
    ("a < b for all members", "a < b for all members"),
    ("The level is 5 % in all samples (n > 30)", "The level is 5 % in all samples (n > 30)."),
    ("p < 0.05", "The result is significant (p<0.05)."),
    ("the test was significant, p<.05", "The test was significant, p < .05."),
    ("费率为千分之五", "费率为5‰。"),
    ("费率为5‰", "费率为千分之五。"),
    ("同比增长5.2个百分点", "同比增长5.2个百分点。"),
    ("增长5.2%", "同比增长5.2％，环比下降1%。"),
    ("气温-5℃左右", "今日气温-5℃左右。"),
    ("人民币500元整", "人民币500元整（¥500.00）"),
    ("~5 minutes later he came", "~5 minutes later he came."),
    ("Net loss (4,310) in 2020", "Net loss (4,310) in 2020."),
    ("at 6 p.m. on Monday", "The office closes at 6 p.m. on Monday."),
    ("at 6 PM", "The office closes at 6 p.m."),
    ("The office closes at 6 P.M.", "The office closes at 6 pm."),
    ("9 a.m.–5 p.m. on weekdays", "Open 9am–5pm on weekdays."),
    ("500 USD", "It costs $500 today."),
    ("It costs about 500", "It costs about $500 today."),
    ("the rent is 1 000 $ a month", "The rent is $1,000 a month."),
    ("Сумма 1 000,00 ₽", "Сумма 1000 руб. уплачена."),
    ("минус 5 градусов", "Было минус 5 градусов."),
    ("more than 5 samples failed", "More than 5 samples failed."),
    ("含量小于5毫克", "含量<5毫克。"),
    ("含量不超过5毫克", "含量≤5毫克。"),
    ("not more than 5 mg per day", "≤ 5 mg per day"),
    ("Вода нагревается до +5 °C", "Вода нагревается до 5 °C."),
    ("the share is 0.5", "The share is 0.5 of the whole."),
    ("50 percent", "fifty percent of it"),
    ("half of the staff", "50% of the staff left"),
    ("The patient received 5 milligrams of morphine", "The patient received 5 mg of morphine."),
    ("Пациент получил 5 миллиграммов морфина", "Пациент получил 5 мг морфина."),
    ("> 5 apples were sold in May.", "In the shop 5 apples were sold in May."),
    ("> 5000 рублей составляет плата", "5000 рублей составляет плата."),
    ("第一条：\n> 500元为租金", "第一条：500元为租金。"),
]


def _source(sentence: str) -> str:
    """The sentence in a source of several sentences, unless it is Chinese."""
    return sentence if sentence[-1] in "。）" else sentence + REST


@pytest.mark.parametrize(("quotation", "sentence"), CHANGED)
def test_another_sign_is_another_value(quotation: str, sentence: str):
    """A quotation with all words of its source and another sign at a number is refused."""
    check = verify_quotation(quotation, _source(sentence))
    assert not check.valid
    assert check.reasons


@pytest.mark.parametrize(("quotation", "sentence"), KEPT)
def test_the_same_value_in_another_notation_is_kept(quotation: str, sentence: str):
    """Words for signs, other dashes, spaces and places of a sign change nothing."""
    assert verify_quotation(quotation, _source(sentence)).valid


def test_the_place_with_the_same_signs_is_found():
    """If the words stand in the source twice, the quotation is valid where its signs are the same."""
    source = "In May the change was -5 °C. In June the change was 5 °C."
    assert verify_quotation("the change was 5 °C", source).valid
    assert verify_quotation("the change was -5 °C", source).valid
    assert not verify_quotation("the change was -6 °C", source).valid


def test_signs_are_compared_where_spaces_inside_of_words_differ():
    """A scanned page may split words, but it does not change a currency."""
    source = "The harbour of Rotterdam charges $500 for each ship."
    assert verify_quotation("The harbour of Rotter dam charges $500 for each ship", source).valid
    assert not verify_quotation(
        "The harbour of Rotter dam charges €500 for each ship", source
    ).valid


def test_the_reason_names_both_values():
    """The reader sees the number with its sign on both sides."""
    check = verify_quotation("The fee is €500 per month.", "The fee is $500 per month.")
    assert check.reasons == ("number changed: $500 -> €500",)
