"""Qualifiers of a claim that a quotation drops, adds or exchanges."""

import pytest

from assay.judges.verifier import verify_quotation

ALTERED = [
    ("The loan was repaid by the end of March", "The loan was nearly repaid by the end of March."),
    ("The loan was nearly repaid by the end of March", "The loan was repaid by the end of March."),
    (
        "The warehouse was empty when the auditors came",
        "The warehouse was almost empty when the auditors came.",
    ),
    ("The bridge was destroyed by the flood", "The bridge was partially destroyed by the flood."),
    (
        "The court upheld the appeal of the carrier",
        "The court partly upheld the appeal of the carrier.",
    ),
    (
        "The court partly upheld the appeal of the carrier",
        "The court upheld the appeal of the carrier.",
    ),
    (
        "The director took a bribe from the contractor",
        "The director allegedly took a bribe from the contractor.",
    ),
    ("The ship left the port on Monday", "The ship reportedly left the port on Monday."),
    ("The manager supposedly knew of the defect", "The manager knew of the defect."),
    ("The insurer pays for water damage", "The insurer rarely pays for water damage."),
    ("The pump works below freezing point", "The pump hardly works below freezing point."),
    ("The inspectors seldom visit the northern site", "The inspectors visit the northern site."),
    ("The board approved the merger", "The board conditionally approved the merger."),
    ("The permit was granted to the quarry", "The permit was provisionally granted to the quarry."),
    ("The agency plans to close the office in Leeds", "The agency closed the office in Leeds."),
    ("The second instalment is due on delivery", "The first instalment is due on delivery."),
    (
        "The company is the third shareholder of the mill",
        "The company is the second shareholder of the mill.",
    ),
    ("Exports tripled within the decade", "Exports doubled within the decade."),
    ("Production halved after the strike", "Production doubled after the strike."),
    ("Norland is the largest producer of tin", "Norland is the second largest producer of tin."),
    ("It is the highest tower in the county", "It is the third highest tower in the county."),
    ("Norland is the largest producer of tin", "Norland is one of the largest producers of tin."),
    (
        "The agreement takes effect when signed by both parties",
        "The agreement takes effect when signed and sealed by both parties.",
    ),
    (
        "The deed must be notarised before the sale",
        "The deed must be notarised and registered before the sale.",
    ),
    ("The claim has … been settled", "The claim has only partly, as we learnt, been settled."),
    ("The tank was practically full at noon", "The tank was full at noon."),
    ("Кредит погашен к концу марта", "Кредит почти погашен к концу марта."),
    ("Кредит почти погашен к концу марта", "Кредит погашен к концу марта."),
    ("Склад был пуст к приходу ревизоров", "Склад был практически пуст к приходу ревизоров."),
    ("Суд удовлетворил иск перевозчика", "Суд частично удовлетворил иск перевозчика."),
    ("Суд частично удовлетворил иск перевозчика", "Суд удовлетворил иск перевозчика."),
    ("Мост разрушен паводком", "Мост отчасти разрушен паводком."),
    ("Директор получил взятку от подрядчика", "Директор якобы получил взятку от подрядчика."),
    (
        "Судно вышло из порта в понедельник",
        "Судно, предположительно, вышло из порта в понедельник.",
    ),
    ("Управляющий якобы знал о дефекте", "Управляющий знал о дефекте."),
    ("Страховщик оплачивает ущерб от воды", "Страховщик редко оплачивает ущерб от воды."),
    ("Насос работает при морозе", "Насос едва ли работает при морозе."),
    ("Инспекторы изредка посещают северный участок", "Инспекторы посещают северный участок."),
    ("Совет одобрил слияние", "Совет условно одобрил слияние."),
    ("Разрешение выдано карьеру", "Разрешение временно выдано карьеру."),
    ("Ведомство закроет контору в Туле", "Ведомство, вероятно, закроет контору в Туле."),
    ("Второй платёж вносится при поставке", "Первый платёж вносится при поставке."),
    (
        "Компания является третьим акционером комбината",
        "Компания является вторым акционером комбината.",
    ),
    ("Экспорт утроился за десятилетие", "Экспорт удвоился за десятилетие."),
    ("Выпуск утроился после забастовки", "Выпуск удвоился после забастовки."),
    (
        "Комбинат — крупнейший производитель олова",
        "Комбинат — второй крупнейший производитель олова.",
    ),
    ("Это самая высокая башня области", "Это третья самая высокая башня области."),
    (
        "Комбинат — крупнейший производитель олова",
        "Комбинат — один из крупнейших производителей олова.",
    ),
    (
        "Договор вступает в силу после подписания сторонами",
        "Договор вступает в силу после подписания и скрепления печатью сторонами.",
    ),
    (
        "Сделка подлежит нотариальному удостоверению в течение месяца",
        "Сделка подлежит нотариальному удостоверению и государственной регистрации в течение месяца.",
    ),
    (
        "Договор действует с момента подписания",
        "Договор действует с момента государственной регистрации.",
    ),
    ("Требование … погашено", "Требование лишь частично, как стало известно, погашено."),
    ("贷款在三月底已还清", "贷款在三月底几乎已还清。"),
    ("贷款在三月底几乎已还清", "贷款在三月底已还清。"),
    ("审计人员到达时仓库空了", "审计人员到达时仓库差不多空了。"),
    ("法院支持了承运人的请求", "法院部分支持了承运人的请求。"),
    ("法院部分支持了承运人的请求", "法院支持了承运人的请求。"),
    ("债务已清偿", "债务已部分清偿。"),
    ("经理据称收受了承包商的贿赂", "经理收受了承包商的贿赂。"),
    ("经理收受了承包商的贿赂", "经理据称收受了承包商的贿赂。"),
    ("该船周一离开港口", "该船据报道周一离开港口。"),
    ("保险人赔付水损", "保险人很少赔付水损。"),
    ("水泵在严寒中工作", "水泵在严寒中几乎不工作。"),
    ("检查人员偶尔前往北部工地", "检查人员前往北部工地。"),
    ("董事会批准了合并", "董事会有条件地批准了合并。"),
    ("采石场获得了许可", "采石场暂时获得了许可。"),
    ("原告撤回起诉", "原告拟撤回起诉。"),
    ("该局关闭利兹办事处", "该局计划关闭利兹办事处。"),
    ("第二期款项在交货时支付", "第一期款项在交货时支付。"),
    ("该公司是钢厂的第一大股东", "该公司是钢厂的第二大股东。"),
    ("出口在十年内增至三倍", "出口在十年内增至两倍。"),
    ("罢工后产量减半", "罢工后产量翻倍。"),
    ("诺兰是最大的锡生产商", "诺兰是第二大锡生产商。"),
    ("诺兰是最大的锡生产商", "诺兰是最大的锡生产商之一。"),
    ("本协议自双方签字之日起生效", "本协议自双方签字盖章之日起生效。"),
    ("转让须经公证后生效", "转让须经公证并登记后生效。"),
    ("合同经双方签字后成立", "合同经双方签字并加盖公章后成立。"),
    ("被告似乎知悉该缺陷", "被告知悉该缺陷。"),
    ("крупнейший производитель", "второй крупнейший производитель"),
    ("sales tripled", "sales doubled in 2020"),
    ("第一大股东", "第二大股东"),
    ("The will is valid if witnessed", "The will is valid if signed and witnessed by two persons."),
]
HONEST = [
    (
        "the insurer paid for the roof",
        "Although the repairs were nearly finished, the insurer paid for the roof.",
    ),
    ("The board approved the merger", "The board unanimously approved the merger."),
    ("The loan was repaid", "The loan was fully repaid."),
    (
        "The loan was almost repaid by the end of March",
        "The loan was nearly repaid by the end of March.",
    ),
    ("the loan was nearly repaid", "By the end of March, the loan was nearly repaid."),
    (
        "The court partly upheld the appeal",
        "The court partly upheld the appeal of the carrier, which had lost the cargo at sea.",
    ),
    (
        "The court upheld the appeal of the carrier",
        "The court upheld the appeal of the carrier. It partly dismissed the claim of the owner.",
    ),
    (
        "The director … took a bribe from the contractor",
        "The director, a former judge, took a bribe from the contractor.",
    ),
    (
        "the ship left the port on Monday",
        "The cargo was allegedly stolen, but the ship left the port on Monday.",
    ),
    ("THE INSURER RARELY PAYS FOR WATER DAMAGE", "The insurer rarely pays for water damage."),
    (
        "The first instalment is due on delivery",
        "The first instalment is due on delivery; the second instalment is due a month later.",
    ),
    ("The 1st instalment is due on delivery", "The first instalment is due on delivery."),
    (
        "Exports doubled within the decade",
        "Exports doubled within the decade, and imports tripled.",
    ),
    (
        "Norland is the largest producer of tin",
        "Norland is the largest producer of tin and the second largest producer of zinc.",
    ),
    ("the second largest producer of tin", "Norland is the second largest producer of tin."),
    (
        "Norland is the second-largest producer of tin",
        "Norland is the second largest producer of tin.",
    ),
    (
        "The agreement takes effect when signed and sealed by both parties",
        "The agreement takes effect when signed and sealed by both parties.",
    ),
    (
        "The agreement takes effect when signed by both parties",
        "The agreement takes effect when signed by both parties. The annex is sealed and registered.",
    ),
    (
        "The permit was provisionally\ngranted to the quarry",
        "The permit was provisionally granted to the quarry.",
    ),
    (
        "The agency plans to close the office",
        "The agency plans to close the office in Leeds next spring.",
    ),
    (
        "The permit was granted … to the quarry",
        "The permit was granted, after a long hearing, to the quarry.",
    ),
    (
        "The tenant pays the rent on the first day of each month",
        "The tenant pays the rent on the first day of each month.",
    ),
    (
        "The bridge was partially destroyed",
        "The bridge was partially destroyed by the flood, and the road was closed.",
    ),
    (
        "**The bridge** was partly destroyed by the flood",
        "The bridge was partially destroyed by the flood.",
    ),
    ("The witness also saw the driver", "The witness also saw the driver."),
    ("страховщик оплатил крышу", "Хотя ремонт был почти закончен, страховщик оплатил крышу."),
    ("Совет одобрил слияние", "Совет единогласно одобрил слияние."),
    ("Кредит погашен", "Кредит полностью погашен."),
    ("Кредит практически погашен к концу марта", "Кредит почти погашен к концу марта."),
    ("кредит почти погашен", "К концу марта кредит почти погашен."),
    (
        "Суд частично удовлетворил иск",
        "Суд частично удовлетворил иск перевозчика, потерявшего груз в море.",
    ),
    (
        "Суд удовлетворил иск перевозчика",
        "Суд удовлетворил иск перевозчика. Требования владельца частично отклонены.",
    ),
    (
        "Директор … получил взятку от подрядчика",
        "Директор, бывший судья, получил взятку от подрядчика.",
    ),
    (
        "судно вышло из порта в понедельник",
        "Груз якобы похищен, но судно вышло из порта в понедельник.",
    ),
    ("СТРАХОВЩИК РЕДКО ОПЛАЧИВАЕТ УЩЕРБ ОТ ВОДЫ", "Страховщик редко оплачивает ущерб от воды."),
    (
        "Первый платёж вносится при поставке",
        "Первый платёж вносится при поставке; второй платёж вносится через месяц.",
    ),
    ("1-й платёж вносится при поставке", "Первый платёж вносится при поставке."),
    ("Экспорт удвоился за десятилетие", "Экспорт удвоился за десятилетие, а импорт утроился."),
    (
        "Комбинат — крупнейший производитель олова",
        "Комбинат — крупнейший производитель олова и второй крупнейший производитель цинка.",
    ),
    ("второй крупнейший производитель олова", "Комбинат — второй крупнейший производитель олова."),
    (
        "Комбинат - второй крупнейший производитель олова",
        "Комбинат — второй крупнейший производитель олова.",
    ),
    (
        "Договор вступает в силу после подписания и скрепления печатью сторонами",
        "Договор вступает в силу после подписания и скрепления печатью сторонами.",
    ),
    (
        "Договор вступает в силу после подписания сторонами",
        "Договор вступает в силу после подписания сторонами. Приложение скрепляется печатью и регистрируется.",
    ),
    ("Разрешение временно\nвыдано карьеру", "Разрешение временно выдано карьеру."),
    ("Ведомство, вероятно, закроет контору", "Ведомство, вероятно, закроет контору в Туле весной."),
    ("Разрешение выдано … карьеру", "Разрешение выдано, после долгих слушаний, карьеру."),
    (
        "Арендатор вносит плату в первый день каждого месяца",
        "Арендатор вносит плату в первый день каждого месяца.",
    ),
    ("Мост частично разрушен", "Мост частично разрушен паводком, дорога закрыта."),
    ("«Мост» отчасти разрушен паводком", "Мост частично разрушен паводком."),
    ("Свидетель также видел водителя", "Свидетель также видел водителя."),
    ("保险人赔付了屋顶", "虽然维修几乎完成，保险人赔付了屋顶。"),
    ("董事会批准了合并", "董事会一致批准了合并。"),
    ("贷款已还清", "贷款已全部还清。"),
    ("贷款在三月底差不多已还清", "贷款在三月底几乎已还清。"),
    ("贷款几乎已还清", "截至三月底，贷款几乎已还清。"),
    ("法院部分支持了承运人的请求", "法院部分支持了承运人的请求，该承运人在海上丢失了货物。"),
    ("法院支持了承运人的请求", "法院支持了承运人的请求。货主的请求被部分驳回。"),
    ("经理……收受了承包商的贿赂", "经理，一名前法官，收受了承包商的贿赂。"),
    ("该船周一离开港口", "货物据称被盗，但该船周一离开港口。"),
    ("保险人很少赔付水损", "保险人很少赔付水损。"),
    ("第一期款项在交货时支付", "第一期款项在交货时支付；第二期款项在一个月后支付。"),
    ("第1期款项在交货时支付", "第一期款项在交货时支付。"),
    ("出口在十年内翻倍", "出口在十年内翻倍，进口增至三倍。"),
    ("诺兰是最大的锡生产商", "诺兰是最大的锡生产商，也是第二大锌生产商。"),
    ("第二大锡生产商", "诺兰是第二大锡生产商。"),
    ("诺兰是第2大锡生产商", "诺兰是第二大锡生产商。"),
    ("本协议自双方签字盖章之日起生效", "本协议自双方签字盖章之日起生效。"),
    ("本协议自双方签字之日起生效", "本协议自双方签字之日起生效。附件须盖章并登记。"),
    ("许可\n暂时发给采石场", "许可暂时发给采石场。"),
    ("该局计划关闭办事处", "该局计划关闭办事处，时间定于明年春天。"),
    ("许可……发给采石场", "许可经过长时间听证发给采石场。"),
    ("承租人在每月第一日支付租金", "承租人在每月第一日支付租金。"),
    ("桥梁部分被毁", "桥梁部分被毁，道路关闭。"),
    ("「桥梁」部分被毁", "桥梁部分被毁。"),
    ("证人也看到了司机", "证人也看到了司机。"),
    (
        "The judge dismissed the claim",
        "The judge, who had almost left the room, dismissed the claim.",
    ),
    ("The seller … delivers the goods", "The seller, who rarely travels, delivers the goods."),
    ("Суд … отказал в иске", "Суд, почти не совещаясь, отказал в иске."),
    ("Стороны подписали договор", "Стороны подписали договор и направили его на регистрацию."),
    ("本部分由三章组成", "本部分由三章组成。"),
    ("公司制定计划并报董事会", "公司制定计划并报董事会批准。"),
    ("董事会……批准了预算", "董事会在很少有人出席的会议上批准了预算。"),
    ("the second floor is let", "In May the second floor is let to the largest bank."),
]


@pytest.mark.parametrize(("quotation", "source"), ALTERED)
def test_a_changed_qualifier_is_refused(quotation: str, source: str):
    """A claim that holds further, or less far, than that of the source is no quotation of it."""
    check = verify_quotation(quotation, source)
    assert not check.valid
    assert check.reasons


@pytest.mark.parametrize(("quotation", "source"), HONEST)
def test_an_honest_quotation_beside_a_qualifier_is_kept(quotation: str, source: str):
    """A qualifier of another clause, other words for the same one, and other omissions are no change."""
    assert verify_quotation(quotation, source).valid
