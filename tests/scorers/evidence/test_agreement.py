"""Differences between a quotation and its source sentence that change the meaning."""

import pytest

from assay.scorers.evidence.agreement import Clause, disagreements
from assay.scorers.evidence.alignment import align
from assay.scorers.evidence.token import names, tokens


def reasons(evidence: str, sentence: str) -> list[str]:
    """The kinds of disagreement, without their details."""
    terms = names(sentence) | names(evidence)
    quoted, source = tokens(evidence, terms), tokens(sentence, terms)
    parties = frozenset(token.key for token in source if token.kind == "party")
    lines = disagreements(quoted, source, align(quoted, source), Clause(parties=parties))
    return sorted({line.partition(":")[0] for line in lines})


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        ("定金为4.2万元", "定金为人民币四万二千元"),
        ("залог 42 000 рублей", "Залог составляет 42 тыс. рублей."),
        ("a deposit of 42,000 crowns", "The deposit is forty-two thousand crowns."),
        ("в двухнедельный срок после вручения", "в срок 14 дней после вручения"),
        ("两周内交货", "应在14日内交货"),
        ("within twelve months of sale", "within one year of sale"),
        ("不少于30日", "至少三十日"),
        ("share of 25% of the profit", "share of one quarter of the profit"),
        ("delivered by 3 May 2031", "delivered no later than May 3, 2031"),
        ("до 3 мая", "до 3 мая 2031 года"),
        ("штраф 250.000 рублей", "штраф 250 000 рублей"),
        ("利润的八成", "利润的80%"),
    ],
)
def test_one_value_may_be_written_in_many_ways(evidence: str, sentence: str):
    """Numbers, periods, dates and shares are compared by value, not by spelling."""
    assert reasons(evidence, sentence) == []


@pytest.mark.parametrize(
    ("evidence", "sentence", "kind"),
    [
        ("定金为四万二千元", "定金为四万三千元", "number changed"),
        ("pay 5% of the price", "pay 75% of the price", "number changed"),
        ("уплатить в течение 10 дней", "уплатить в течение 10 рабочих дней", "number changed"),
        ("收货后10日内付款", "收货后10个工作日内付款", "number changed"),
        ("reply within 48 days", "reply within 48 hours", "number changed"),
        ("deliver by 4 May 2031", "deliver by 3 May 2031", "date changed"),
        ("передать до 3 июня", "передать до 3 мая", "date changed"),
        ("rent of $90 per pound", "rent of $90 per kilogram", "unit changed"),
        ("плата за каждые сутки простоя", "плата за каждый час простоя", "unit changed"),
        ("A 10% fee and then a 20% fee", "A 20% fee and then a 10% fee", "numbers out of place"),
        ("цена не менее 500 рублей", "цена не более 500 рублей", "bound turned round"),
        ("延期不得少于30日", "延期不得超过30日", "bound turned round"),
        ("возврат позднее 12 мая", "возврат не позднее 12 мая", "bound turned round"),
        ("цена ниже указанной в прайсе", "цена не ниже указанной в прайсе", "bound turned round"),
        ("штраф не выше цены лодки", "штраф составляет две цены лодки", "bound added"),
        ("оплата после подписания акта", "оплата до подписания акта", "turned round"),
        ("sublet with consent", "sublet only with consent", "restriction dropped"),
        (
            "продлевается по согласию",
            "продлевается только по письменному согласию",
            "restriction dropped",
        ),
        ("甲方承担直接损失", "甲方只承担直接损失", "restriction dropped"),
        ("甲方仅承担直接损失", "甲方承担直接损失", "restriction added"),
        ("Liability is unlimited", "Liability is limited to $1,000.", "limit denied"),
        ("ответственность неограниченная", "ответственность не более 5000 рублей", "limit denied"),
    ],
)
def test_a_changed_value_is_named(evidence: str, sentence: str, kind: str):
    """A different amount, date, unit, order or bound is reported as a disagreement of its kind."""
    assert kind in reasons(evidence, sentence)


@pytest.mark.parametrize(
    ("evidence", "sentence", "kind"),
    [
        ("The guest may bring dogs into the hall", "The guest may not bring dogs into the hall", "denial dropped"),
        ("Хранитель не отвечает за пропажу вещей", "Хранитель отвечает за пропажу вещей", "denial added"),
        ("运营商可以变更线路", "运营商不得变更线路", "denial dropped"),
        ("费用予以退还", "费用概不退还", "denial dropped"),
        ("Платежи входят в тариф", "Платежи в тариф не входят", "denial dropped"),
        ("Болезнь поводом является", "Болезнь поводом не является", "denial dropped"),
        ("Refunds are due in winter", "No refunds are due in winter", "denial dropped"),
        ("неразрешённый способ перевозки груза", "разрешённый способ перевозки груза", "denial in a word"),
    ],
)  # fmt: skip
def test_a_changed_denial_is_named(evidence: str, sentence: str, kind: str):
    """A denial that is added, dropped, moved or written as a prefix is a disagreement."""
    assert kind in reasons(evidence, sentence)


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        ("No dogs are allowed unless the owner agrees", "Dogs are forbidden without the owner's consent"),
        ("Без согласия владельца собаки запрещены", "Держать собак нельзя, если нет согласия владельца"),
        ("未获业主认可，不许养狗", "没有业主同意的，禁止养狗"),
    ],
)  # fmt: skip
def test_denials_may_be_reworded(evidence: str, sentence: str):
    """The same number of denials in other words makes the same statement."""
    assert reasons(evidence, sentence) == []


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        ("The Hirer insures the boat", "The Owner insures the boat, and the Hirer pays for it"),
        ("Поклажедатель платит Хранителю за месяц", "Хранитель платит Поклажедателю за месяц"),
        ("因保管人过错造成的损失由寄存人承担", "因寄存人过错造成的损失由保管人承担"),
        ("Each party keeps one copy of the plan", "The Owner keeps one copy of the plan"),
    ],
)
def test_an_exchanged_party_is_named(evidence: str, sentence: str):
    """A duty that is assigned to another party is a disagreement."""
    assert "party changed" in reasons(evidence, sentence) or "party not in the clause" in reasons(
        evidence, sentence
    )


def test_a_party_that_the_clause_does_not_have_is_named():
    """An invented party is a disagreement, even if the quotation is reworded."""
    assert "party not in the clause" in reasons(
        "By spring the Broker repaints the hull", "The Owner repaints the hull by spring"
    )


def test_a_word_replaced_by_another_word_of_the_clause_is_named():
    """An exchanged party is reported even if no list of parties contains it."""
    sentence = "艄公负责修船，船东负责付钱。"
    quoted, source = tokens("账房负责修船"), tokens(sentence)
    clause = Clause(words=frozenset({"账房", "艄公"}))
    lines = disagreements(quoted, source, align(quoted, source), clause)
    assert [line.partition(":")[0] for line in lines] == ["word exchanged"]
