"""What counts as an abstention: texts judged by hand before the patterns were written."""

import json
import unicodedata
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scorers.abstention import abstains, assess_abstention
from assay.scorers.legal.conflict_gap import is_silent
from assay.text.citation import NO_MENTION

ABSTAINS = {
    "en": (
        "The document does not mention this",
        "The contract is silent on the question of subletting.",
        "I don't know.",
        "Not specified in the handbook.",
        "There is no information about parking fees in the provided passages.",
        "I could not find the answer in the documents [1][2].",
        "The handbook does not say; it covers parking only in Port Callan and on Ossel.",
        "Unfortunately, the excerpts do not state who signed the protocol.",
        "It is not stated what the 42,000 yuan was spent on.",
        "The text says nothing about a deposit.",
        "The agreement makes no mention of a notice period. Please consult the landlord.",
        "Based on the context given, it is impossible to determine the date of delivery.",
        "The passages discuss termination, but they do not specify the notice period.",
        "This cannot be determined from the document.",
        "Sorry, I'm unable to answer this question based on the provided context.",
        "Although the contract sets the rent at 5,000, it does not state the deposit.",
        "None of the passages mentions a gym membership.",
        "The witness said he had forgotten whom he invited. The record therefore does not tell.",
        "According to Article 5, the penalty is not specified.",
        "The provided documents don't contain enough information to answer.",
    ),
    "ru": (
        "В документе не указано",
        "Не указано.",
        "В договоре об этом ничего не сказано.",
        "Документ не содержит сведений о размере залога.",
        "Из документа не следует, кто занял эту должность.",
        "К сожалению, в предоставленных материалах нет информации о генеральном подрядчике.",
        "Я не знаю.",
        "Установить дату поставки по тексту невозможно.",
        "На этот вопрос по представленным фрагментам ответить нельзя.",
        "Размер дивиденда за 2020 год в отчёте не приводится.",
        "Сведения о ставке по договору от 15 января 2024 г. отсутствуют [1].",
        "В отчёте говорится о строительстве в Дальнеполье, но подрядчик не назван.",
        "Договор умалчивает о сроке уведомления.",
        "Данных недостаточно для ответа. Рекомендую обратиться к арендодателю.",
        "Согласно п. 3.2 договора, размер пени не определён.",
        "Мне не удалось найти в документах упоминания о парковке.",
        "Хотя в отчёте указана выручка за 2022 год, данных за 2023 год в нём нет.",
        "В тексте не упоминается, на что потрачены 42 000 рублей.",
        "Об этом в протоколе нет ни слова; приводится лишь список участников.",
        "Неизвестно: документ этого не раскрывает.",
    ),
    "zh": (
        "文档未提及",
        "文中没有说明押金的数额。",
        "材料未载明签字人是谁[1]。",
        "根据现有资料，无法确定交货日期。",
        "我不知道。",
        "合同对违约金的支付方式没有约定。",
        "文中没有说明这42000元的具体用途。",
        "抱歉，提供的文件中没有相关信息。",
        "很遗憾，根据第五条，合同并未写明通知期限。建议咨询出租人。",
        "笔录中未记载具体请了谁吃饭。",
        "虽然合同约定了租金5000元，但未说明押金数额。",
        "该手册只提到了甲类摊位的费用，没有涉及乙类摊位。",
        "至于违约金是多少，文中没有说明。",
        "这个问题无法从文档中得到答案。",
        "参考资料里找不到关于停车费的内容。",
        "陈某称已经忘记请了谁，因此无法得知具体人员。",
        "原文没有提供足够的信息来回答这个问题。",
        "付款日期未注明。",
        "本协议没有明确规定保修期限。",
        "文件没有提到2023年的收入，只列出了2022年的数据。",
    ),
}

ANSWERS = {
    "en": (
        "I don't know, but probably 5,000.",
        "The rent is 5,000 a month; the deposit is not mentioned.",
        "The contents of this letter must not be mentioned to third parties.",
        "Thirty days [1].",
        "If the term is not specified, the contract runs for an indefinite period.",
        "The document does not mention it, so the statutory period of 30 days applies.",
        "Although the text does not say so, the tenant must repaint the walls.",
        "No, breakfast is not included.",
        "Unless otherwise stated, prices exclude VAT.",
        "The accused has the right to remain silent.",
        "The buyer did not know about the defect.",
        "Where the price is not specified, the market price applies.",
        "The exact date is not given in the text, likely 12 May 2020.",
        "Zhang San signed the protocol. The passages do not say who else was present.",
        "Persons that are not mentioned in the list may not enter.",
        "The seller shall not disclose the price.",
        "The policy does not cover flood damage.",
        "No information may be shared with third parties.",
        "",
        "The tenant pays for repairs, and the contract does not mention painting.",
    ),
    "ru": (
        "Точно не знаю, но, вероятно, 5000 рублей.",
        "Арендная плата составляет 5000 рублей, о залоге ничего не сказано.",
        "Эти сведения не должны упоминаться в переписке с третьими лицами.",
        "Тридцать дней (стр. 4).",
        "Если срок не указан, договор считается заключённым на неопределённый срок.",
        "Лицо, не указанное в договоре, не вправе требовать исполнения.",
        "Хотя в договоре об этом не сказано, срок обычно составляет 30 дней.",
        "Пеня не превышает 5 процентов.",
        "Завтрак не включён в стоимость.",
        "Не следует передавать ключи третьим лицам.",
        "Покупатель не знал о недостатках товара.",
        "Подсудимый вправе хранить молчание.",
        "Если иное не указано в договоре, расходы несёт арендатор.",
        "В документе не указано прямо, скорее всего, 12 мая 2020 года.",
        "За ремонт отвечает арендатор, срок не указан.",
        "Договор подписал Иванов. Кто ещё присутствовал, в протоколе не указано.",
        "Разглашать эти сведения нельзя.",
        "Вина подсудимого не установлена судом.",
        "42",
        "Об этом не сказано, поэтому применяется общий срок исковой давности.",
    ),
    "zh": (
        "我不知道，但大概是5000元。",
        "租金为每月5000元，押金未提及。",
        "乙方不得向第三人提及本协议内容。",
        "三十日[1]。",
        "合同没有约定或者约定不明确的，视为不定期租赁。",
        "由张三负责维修，文中未提及其他人。",
        "文档未明确说明，可能是2020年5月12日。",
        "如果合同未载明期限，出租人可以随时解除合同。",
        "违约金不超过百分之五。",
        "被告未说明迟延的理由。",
        "未载明日期的票据无效。",
        "他没有犯罪记录。",
        "该主张没有法律依据。",
        "除合同另有规定外，费用由承租人承担。",
        "文中没有说明，因此适用三年的诉讼时效。",
        "不应提及对方姓名。",
        "买方不知道货物存在瑕疵。",
        "能，90日内可要求原额退还。文中没有提到利息。",
        "虽然文中没有写明，但承租人应当负责粉刷。",
        "是的，需要提前通知，具体方式未约定。",
    ),
}
# In the style of model answers; judged by hand after the table above passed.
TALK = (
    (
        "I'm sorry, but the provided context does not contain information about the warranty period. If you have other documents, please share them.",
        True,
    ),
    ("The passages do not explicitly mention the name of the contractor.", True),
    ("There isn't any mention of overtime pay in the handbook.", True),
    (
        'Based on the documents, I cannot determine how the 42,000 yuan was spent. The transcript only records that Chen "forgot whom he invited" [1].',
        True,
    ),
    ("The answer is not in the text.", True),
    ("That information isn't available in the document.", True),
    ("N/A", True),
    ("The lease doesn't provide for a refund.", False),
    ("The agreement does not require a deposit.", False),
    ("The company does not provide information to third parties.", False),
    ("Employees who cannot determine their grade should ask HR.", False),
    ("The identity of the buyer must not be disclosed or mentioned.", False),
    ("Yes. The handbook does not mention exceptions.", False),
    ("The contract was signed on 5 May 2020. The place of signing is not stated.", False),
    (
        "The document does not specify an exact figure, but it says around 300 people attended.",
        False,
    ),
    ("According to the report, the cause is unknown, and no further details are given.", True),
    ("Neither the contract nor its annexes mention a penalty.", True),
    ("It is unclear from the text whether the deposit is refundable.", True),
    ("The statute is silent; courts generally apply a two-year limit.", False),
    ("No.", False),
    ("Nothing is said about this in Section 4.2.", True),
    ("The text does not say, but I assume it is Zhang San.", False),
    (
        "К сожалению, в предоставленном контексте отсутствует информация о сроке гарантии. Пожалуйста, уточните вопрос.",
        True,
    ),
    ("Ответ на этот вопрос в документе не найден.", True),
    ("В договоре не содержится сведений о размере неустойки (стр. 4).", True),
    (
        "По документу определить, на что потрачены 42 000 рублей, нельзя: Чэнь заявил, что «всё забыл» [1].",
        True,
    ),
    ("Нет данных.", True),
    ("Ни договор, ни приложения к нему не упоминают неустойку.", True),
    ("Договор не предусматривает возврата задатка.", False),
    ("Договор не требует внесения задатка.", False),
    ("Компания не сообщает сведения третьим лицам.", False),
    ("Да. Исключения в положении не упоминаются.", False),
    ("Договор подписан 5 мая 2020 года. Место подписания не указано.", False),
    ("Точная цифра не указана, но говорится примерно о 300 участниках.", False),
    ("Срок, который не указан в договоре, определяется законом.", False),
    ("В тексте прямо не сказано, но, судя по всему, это Иванов.", False),
    ("Нет.", False),
    ("Неясно, подлежит ли задаток возврату: в тексте об этом не говорится.", True),
    ("Сведения, составляющие коммерческую тайну, не подлежат разглашению.", False),
    ("Информации об этом в отчёте нет, поэтому ответить на вопрос невозможно.", True),
    ("抱歉，根据提供的上下文，没有找到关于保修期的信息。如果您有其他文件，请提供。", True),
    ("文档中没有明确提到承包商的名称。", True),
    ("手册里没有任何关于加班费的内容[2]。", True),
    ('根据笔录，无法确定42000元的具体用途，陈明飞称"具体请了谁吃饭都忘记了"[1]。', True),
    ("合同不要求支付押金。", False),
    ("公司不向第三方提供信息。", False),
    ("是的。手册没有提到例外情况。", False),
    ("合同于2020年5月5日签订，签订地点未载明。", False),
    ("文中没有给出确切数字，但提到约有300人参加。", False),
    ("合同及附件均未提及违约金。", True),
    ("没有。", False),
    ("从文中看不出押金是否可以退还。", True),
    ("法律对此没有规定，法院一般适用两年时效。", False),
    ("文中没说，但我认为是张三。", False),
    ("信息不足，无法回答。", True),
    ("当事人对违约金没有约定的，按照实际损失计算。", False),
    ("无相关记载。", True),
    ("不得泄露或者提及举报人的身份。", False),
    ("文件没有直接回答这个问题。", True),
    ("暂时无法从材料中得出结论。", True),
    ('The driver is not named: "a man in a grey coat", the witness said.', True),
    ("The hour cannot be given: the clock in the hall had stopped.", True),
    ("It cannot be given while the ship is under way.", False),
    ('The label reads "weight not stated".', False),
    ('The contract says: "rent 5,000 a month". The deposit is not mentioned.', False),
    ("There is no way of knowing who wrote the note.", True),
    ("Кто был за рулём, неизвестно: «какой-то человек в сером», — сказала свидетельница.", True),
    ("Номера счёта в договоре отсутствуют.", True),
    ("Ответчик отсутствовал.", False),
    ("Этого протокол не уточняет. Свидетельница ответила: «Час я не запомнила».", True),
    ("司机姓名不详，证人称“是个穿灰衣服的人”，因此无法提供姓名。", True),
    ("出租人愿意退4000元，分两期，每期数额没有说明。", False),
    ("2023年的收入，文中没有提到。", True),
    ("Nothing from the manager: managers give no references by telephone.", False),
    ("Pay is not discussed on this occasion.", False),
    ("Only 100 species have been validated, and another 25 have not been described.", False),
    ("Many colonies claimed land far to the west, as the extent of it was unknown.", False),
    ("В теории гравитация не рассматривается как сила.", False),
    ("研究发现两种以前未知但相关的分支。", False),
)
TABLE = [(text, True) for texts in ABSTAINS.values() for text in texts]
TABLE += [(text, False) for texts in ANSWERS.values() for text in texts]
TABLE += TALK

# Also judged before any pattern was written; no pattern may be adjusted to these texts.
UNSEEN = (
    ("The regulation leaves this open.", True),
    ("Nothing in the passages indicates when the ferry was built.", True),
    ("The sources provided do not address this question.", True),
    ("I can't tell from these pages who the author is.", True),
    ("The name of the contractor is nowhere mentioned.", True),
    ("No details about the fee are given in the report.", True),
    ("We do not know the price; my guess is 300 crowns.", False),
    ("Smoking is not permitted anywhere on board.", False),
    ("Tenants who do not state a reason lose the deposit.", False),
    ("The document does not limit the number of guests.", False),
    ("It was signed by Ms Orr; no date is mentioned.", False),
    ("If the handbook does not say otherwise, the captain decides.", False),
    ("Ответа на этот вопрос в тексте нет.", True),
    ("В представленных отрывках эта тема не затрагивается.", True),
    ("По имеющимся материалам судить об этом нельзя.", True),
    ("Информация о вакцинации мне не встретилась.", True),
    ("Сумма сделки не раскрывается.", True),
    ("Трудно сказать: в документе нет таких данных.", True),
    ("Не знаю точно, думаю, около трёх лет.", False),
    ("Курение на борту не допускается.", False),
    ("Работник, который не указал причину, лишается премии.", False),
    ("Подписала Орлова; дата не указана.", False),
    ("Срок исковой давности составляет три года.", False),
    ("Если в справочнике не сказано иное, решает капитан.", False),
    ("这一点文中只字未提。", True),
    ("就该问题，材料中没有给出答案。", True),
    ("现有内容不足以判断责任人是谁。", True),
    ("从给定的段落中看不出签约日期。", True),
    ("合同未对此作出约定。", True),
    ("暂无相关资料，无法回答。", True),
    ("不太清楚，估计要三年左右。", False),
    ("船上禁止吸烟。", False),
    ("申请人没有说明理由的，不予受理。", False),
    ("签字人是王某；日期没有写明。", False),
    ("手册没有另外说明的，由船长决定。", False),
    ("诉讼时效期间为三年。", False),
)
# Answers to the gap and conflict questions of the sample benchmark, judged before the patterns
# were extended.
SILENT = (
    "The plate is nowhere in the record.",
    "Nobody knows who drove.",
    "The driver remains unidentified.",
    "The record leaves the driver's identity unknown.",
    "Fenwick did not see who was driving and noted no plate.",
    "That was never established.",
    "His real name is not on record, nor is an address.",
    "No address is given.",
    "His name is unknown to the witness.",
    "The interview does not reveal his name or address; Fenwick said he had neither.",
    "The log's clock was broken, so no times exist.",
    "No times were logged.",
    "It cannot be said when the gate was opened.",
    "The times went unrecorded.",
    "The agreement sets no rate; it is yet to be agreed.",
    "No rate is stated.",
    "The parties still have to agree on the rate.",
    "The rate was left to later agreement.",
    "The contract provides only that the rate is to be agreed.",
    "The mediator's name does not appear.",
    "A mediator is provided for, but who it is remains open.",
    "No mediator has been appointed.",
    "The two provisions cannot be reconciled: 72 hours in one place, 48 in another.",
    "It says 72 hours in clause 4.6 and 48 hours in the Schedule, without saying which prevails.",
    "Clause 4.6 requires 72 hours; the Schedule requires 48.",
    "Either 72 or 48 hours; the agreement contains both and does not resolve the matter.",
    "Fenwick first said 21 April; when told of 28 April he admitted he could not be sure.",
    "The date is disputed: 21 or 28 April.",
    "It is disputed whether it was 21 or 28 April.",
    "There is conflicting evidence on the date.",
    "The witness was not certain, and the record does not resolve it.",
    "I can't determine that from the interview.",
    "This is not something the document tells us.",
    "The transcript is silent.",
    "Insufficient information.",
    "Not stated.",
    "Unknown.",
    "The question cannot be answered on this record.",
    "Имя мастера неизвестно.",
    "Мастер остался неназванным.",
    "Горелов имени мастера не называл.",
    "Кольцова имени мастера не знает.",
    "Имени в протоколе нет.",
    "Протокол не раскрывает, кто это был.",
    "Личность мастера не установлена.",
    "Об имени мастера ничего не известно.",
    "Ни номер, ни марка, ни день в протоколе не указаны.",
    "Кольцова не запомнила ни номера, ни марки и не смогла назвать день.",
    "Этих данных у нас нет.",
    "По протоколу это установить нельзя.",
    "Точная дата не установлена: названы и 14, и 16 мая.",
    "Кольцова называла 14 мая, по выписке выходит 16 мая, однозначного ответа нет.",
    "Есть две даты, 14 и 16 мая, и выбрать между ними нельзя.",
    "Дата спорная: 14 или 16 мая 2031 года.",
    "То ли 14, то ли 16 мая: протокол не даёт ответа.",
    "Номер приказа не назван.",
    "Номера приказа свидетель не назвала.",
    "Приказа на руках нет, номер неизвестен.",
    "Размер пени не согласован сторонами.",
    "Стороны размер пени не установили.",
    "Договор предусматривает пеню, но её размера не содержит.",
    "Ставка пени в договоре отсутствует.",
    "Пеня начисляется, однако сколько именно, не сказано.",
    "Реквизиты будут сообщены отдельным письмом.",
    "Реквизитов в договоре нет, их сообщают отдельным письмом.",
    "Срок указан по-разному: до 5-го и до 10-го числа.",
    "Пункт 4.2 говорит о 5-м числе, а приложение о 10-м.",
    "В договоре противоречие: 5-е или 10-е число.",
    "Договор содержит два разных срока.",
    "Ответа в документе нет.",
    "Данных нет.",
    "Не могу ответить: сведений недостаточно.",
    "Об этом не говорится.",
    "笔录里没有这些内容。",
    "他说都忘记了，所以不知道请了谁。",
    "具体情况不明。",
    "梁守成称已经忘记，没有其他证据可以证明。",
    "这些细节没有记载。",
    "无人知晓。",
    "全名和电话都没有。",
    "只知道他姓贺，大家叫他老贺，全名和电话均无记载。",
    "全名未知，电话已删除。",
    "无法得知老贺的全名。",
    "日期存在争议。",
    "梁守成说3月20日，收条写3月22日，他本人也记不清。",
    "究竟哪一天无法查清。",
    "可能是3月20日，也可能是3月22日，笔录没有定论。",
    "两处记载不同，无法判断哪一天。",
    "说法前后不一，韩素否认，他自己也说不准。",
    "不能确定韩素是否拿过介绍费。",
    "梁守成先承认后改口，事实不清。",
    "违约金数额空着没填。",
    "合同没写。",
    "该处留白，数额没有约定。",
    "双方没有约定每日的数额。",
    "合同未列明乙方账户。",
    "收款账户由乙方另行书面通知。",
    "合同里没有账户。",
    "合同前后矛盾，一处为4小时，一处为8小时。",
    "正文和附件的规定冲突，无法得出唯一答案。",
    "4小时还是8小时，合同自相矛盾。",
    "资料不足，不能作答。",
    "文件未显示。",
)
TOLD = (
    "It was Hugh Orme.",
    "A dark van, blue or black.",
    "Dutch's real name is Tobias Fenwick.",
    "He lives at the Lantern.",
    "I think it was about midnight.",
    "The gate was opened twice.",
    "At 05:40.",
    "The statutory rate applies.",
    "Interest runs at the usual bank rate.",
    "Noel Farrant.",
    "The mediator is Agnes Whitlow, although this is not stated.",
    "72 hours, since clause 4.6 is in the main text.",
    "The Schedule prevails, so 48 hours.",
    "Most likely 28 April, as Ms Braddock says.",
    "On 28 April; Fenwick was mistaken.",
    "The document does not say for certain, but 21 April is the best guess.",
    "No, she has not replied.",
    "She has not accepted it.",
    "She did not reply.",
    "Not so far.",
    "Yes, she did.",
    "He spent it on rent.",
    "Мастера звали Зубр.",
    "Скорее всего, это был сам Горелов.",
    "Машина приезжала весной.",
    "Один раз весной 2031 года.",
    "16 мая: выписка банка надёжнее.",
    "14 мая 2031 года, как сказала Кольцова.",
    "Верной следует считать дату 16 мая.",
    "По приказу о премии.",
    "Приказ № 17.",
    "Пеня составляет 0,1 процента.",
    "Обычно пеня равна ключевой ставке.",
    "На счёт арендодателя в банке «Озёрный».",
    "До 10-го числа, так как приложение действует.",
    "Плата вносится до 5-го числа.",
    "В сейфе общества.",
    "Подлинник у адвоката.",
    "Копия у адвоката, подлинник в сейфе.",
    "Подлинника нет, есть только копия.",
    "请了韩素吃饭。",
    "大概吃了三四次。",
    "请了管理处的领导。",
    "他叫老贺。",
    "应该是3月22日，因为收条上这么写。",
    "3月20日。",
    "以收条为准，是3月22日。",
    "韩素没有拿过介绍费。",
    "拿了，是3000元。",
    "可能没有拿。",
    "每日1200元。",
    "按合同总价的百分之一。",
    "绫江储蓄社的账户。",
    "4小时，正文优先。",
    "8小时内到达。",
    "写过一张收条。",
    "没有写过。",
    "写了，一共三张。",
)


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_an_abstention_is_known_by_what_is_said(text: str, expected: bool):
    """The verdict on each text of the table is the one a human reader gave."""
    assert abstains(text) is expected, assess_abstention(text)


def test_most_abstentions_never_seen_before_are_known():
    """Of 36 texts to which no pattern was adjusted, at most two get a wrong verdict."""
    missed = [text for text, expected in UNSEEN if abstains(text) is not expected]
    assert len(missed) <= 2, missed


@pytest.mark.parametrize(
    ("text", "expected"), [*((text, True) for text in SILENT), *((text, False) for text in TOLD)]
)
def test_an_answer_is_silent_where_it_offers_nothing(text: str, expected: bool):
    """An answer that leaves a gap open or takes no side is silent; one that decides is not."""
    assert is_silent(text) is expected


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_the_answers_of_the_samples_are_told_apart(language: str):
    """Of the sample answers, exactly those to unanswerable questions abstain."""
    path = files("assay.data.samples") / language / "questions.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    abstaining = {row["id"] for row in rows if abstains(row["answer"])}
    assert abstaining == {row["id"] for row in rows if row["kind"] == "unanswerable"}


@pytest.mark.parametrize("strict", NO_MENTION.values())
def test_the_strict_answer_abstains(strict: str):
    """The text with which the guardrail replaces an uncited answer is an abstention."""
    assert abstains(strict)


WIDE = {code: chr(code + 0xFEE0) for code in range(0x21, 0x7F)}
OTHER_MARK = {"。": "｡", "，": ",", "；": ";", "'": "’", " ": "\u00a0", "：": ":", "！": "!"}


@given(st.sampled_from(TABLE), st.data())
def test_width_changes_nothing(line: tuple[str, bool], data: st.DataObject):
    """Full-width letters, digits and marks do not change the verdict."""
    text, expected = line
    kinds = data.draw(st.sets(st.sampled_from(["letter", "digit", "mark"])))
    widened = "".join(chr_wide(char) if kind_of(char) in kinds else char for char in text)
    assert abstains(widened) is expected


@given(st.sampled_from(TABLE), st.sets(st.sampled_from(sorted(OTHER_MARK))))
def test_the_kind_of_punctuation_changes_nothing(line: tuple[str, bool], changed: set[str]):
    """Chinese or Western, curly or straight punctuation does not change the verdict."""
    text, expected = line
    assert abstains(text.translate({ord(m): OTHER_MARK[m] for m in changed})) is expected


@given(
    st.sampled_from(TABLE),
    st.sampled_from(
        ["{}", " {}\n", "**{}**", "«{}»", "“{}”", "- {}", "{}!", "{} [1][2]", "{}（第３页）"]
    ),
)
def test_the_dress_of_an_answer_changes_nothing(line: tuple[str, bool], frame: str):
    """Quotation marks, emphasis, bullets and citations around it do not change the verdict."""
    text, expected = line
    assert abstains(frame.format(text)) is expected
    assert abstains(unicodedata.normalize("NFD", frame.format(text))) is expected


@given(
    st.sampled_from([text for texts in ABSTAINS.values() for text in texts]),
    st.sampled_from(
        [
            "The rent is 5,000 a month.",
            "Zhang San is responsible.",
            "Арендная плата составляет 5000 рублей.",
            "Отвечает арендатор.",
            "租金为每月5000元。",
            "由张三负责。",
        ]
    ),
    st.booleans(),
)
def test_a_fact_beside_it_makes_an_answer(text: str, fact: str, first: bool):
    """A plain statement before or after an abstention makes the whole text an answer."""
    answer = f"{fact}\n\n{text}" if first else f"{text}\n\n{fact}"
    result = assess_abstention(answer)
    assert not result.abstains
    assert fact.rstrip(".。") in {span.of(answer).rstrip(".。") for span in result.claims}


@given(
    st.text(max_size=200)
    | st.text(alphabet="не указано, если 未载明的。 is not stated.;", max_size=80)
)
def test_any_text_is_judged_and_the_spans_lie_in_it(text: str):
    """Any text gets a verdict, and it abstains if it has a phrase and no claim."""
    result = assess_abstention(text)
    for span in (*result.phrases, *result.refusals, *result.scaffolding, *result.claims):
        assert 0 <= span.start < span.end <= len(text)
        assert span.of(text).strip()
    assert result.abstains == (bool(result.refusals) and not result.claims)
    assert result.partial == (bool(result.refusals) and bool(result.claims))
    assert (result.decided_by is None) == (not result.refusals)


def test_the_phrase_and_the_claim_are_shown_where_they_stand():
    """The spans are offsets in the answer as it was written, with its citations."""
    text = "Ｔｈｅ　ｒｅｎｔ is 5,000 [1]; the deposit is not mentioned [2]."
    result = assess_abstention(text)
    assert [span.of(text) for span in result.phrases] == ["is not mentioned"]
    assert [span.of(text) for span in result.claims] == ["Ｔｈｅ　ｒｅｎｔ is 5,000"]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        # The reason that is asked for is what a text lacks.
        ("Why was the thesis sent back?", "The thesis did not cite a single earlier study.", False),
        ("Why was the thesis sent back?", "The thesis does not say why.", True),
        # Nothing was found, and this was asked.
        ("What did the divers find?", "Nothing was found on the sea bed.", False),
        ("What did the divers find?", "The log does not say what was found.", True),
        # Nobody knows, and the answer goes on.
        ("Who carved the door?", "The carver is unknown; villagers call him Old Piet.", False),
        ("Кто вырезал дверь?", "Резчик неизвестен, соседи зовут его дедом Пахомом.", False),
        # A question of yes or no whose verb is denied.
        ("Was the ship raised?", "It was not raised, and its position is unknown.", False),
        ("沉船打捞了吗？", "没有打捞，位置至今不明。", False),
        ("Нашёлся ли ключ?", "Нет, судьба ключа неизвестна.", False),
        # Some of several things.
        ("Who are the two trustees?", "Amara Boyd; the second trustee is not named.", False),
        ("两位受托人分别是谁？", "方敏，第二位没有写明姓名。", False),
        ("Кто эти три опекуна?", "Сомов и Ильина; третий опекун не назван.", False),
        # A person did not tell; the text did.
        ("How did the captain react?", "She neither confirmed nor denied it.", False),
        ("Как отреагировал капитан?", "Он этого не подтвердил и не опроверг.", False),
        # The subject is carried over, or the text does not do what it would have to.
        (
            "What did he order?",
            "While the diary lists the guests, it is silent on his order.",
            True,
        ),
        ("Which dish do they like best?", "The article doesn't rank the dishes.", True),
        ("What is the fuel?", "Nothing about fuel here.", True),
        ("Which route did they take?", "The log is devoid of any reference to the route.", True),
        ("船速多少？", "这篇报道描写的是港口，速度方面没有数据。", True),
        ("Сколько лодок утонуло?", "Сказано «много лодок»; точного числа нет.", True),
        # What the text does have, after a refusal.
        (
            "What share of it is forest?",
            "The survey doesn't say. It does give the area, 340 km².",
            True,
        ),
        ("How much is the rent?", "The rent is 5,000; the deposit is not mentioned.", False),
        ("How much is the deposit?", "The rent is 5,000; the deposit is not mentioned.", True),
        ("Does the contract mention a deposit?", "It does not mention a deposit.", False),
        ("Does the contract mention a deposit?", "I don't know.", True),
        ("What is wrong with the report?", "The report does not state its sources.", False),
        ("合同有没有约定违约金？", "合同没有约定违约金。", False),
        ("违约金是多少？", "合同没有约定违约金的数额。", True),
        ("Упоминает ли договор залог?", "Договор не упоминает залог.", False),
        ("Какова плата?", "Плата составляет 5000 рублей. Размер залога не указан.", False),
        ("Каков размер залога?", "Плата составляет 5000 рублей. Размер залога не указан.", True),
        ("Who wrote it and when?", "Dr Lund wrote it; the date is not given.", False),
    ],
)
def test_the_question_decides_what_answers_it(question: str, answer: str, expected: bool):
    """A statement counts as a claim if it could answer what was asked."""
    assert abstains(answer, question) is expected, assess_abstention(answer, question)


def test_a_question_in_another_language_is_ignored():
    """Words of another language could not be compared with those of the answer."""
    answer = "租金为5000元。文中没有说明押金。"
    assert abstains(answer, "How much is the deposit?") is abstains(answer)


def test_a_partial_answer_is_reported_as_such():
    """An answer that refuses a part and gives a part is partial and does not abstain."""
    text = "It was signed on 5 May 2020; the amount is not stated."
    result = assess_abstention(text, "When was it signed and for what amount?")
    assert (result.abstains, result.partial) == (False, True)
    assert result.decided_by is not None
    assert result.decided_by.of(text) == "It was signed on 5 May 2020"


def test_the_statements_are_sorted_by_class():
    """The result has the refusals, the scaffolding and the claims, and what decided."""
    text = "The text discusses rivers, but does not mention the capital. Please ask again."
    result = assess_abstention(text)
    assert [span.of(text) for span in result.refusals] == ["does not mention the capital"]
    assert [span.of(text) for span in result.scaffolding] == [
        "The text discusses rivers",
        "Please ask again",
    ]
    assert result.claims == ()
    assert result.decided_by == result.refusals[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thoughts: the rent is 5,000.\n\nAnswer: The deposit is not stated.", True),
        ("The text does not mention the rent at first.\n\n**Ответ:** 5000 рублей.", False),
        ("文中没有提到租金。\n答案：5000元。", False),
    ],
)
def test_only_the_final_answer_counts(text: str, expected: bool):
    """What stands before a line that begins with "Answer:" is thought, not said."""
    assert abstains(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        'Not stated. Clause 7 says only: "at a rate to be agreed between the parties".',
        "Не установлено: «лица я не видел».",
        "不明确，合同第七条只写了“利率由双方另行商定”。",
    ],
)
def test_a_quotation_that_shows_the_gap_is_no_claim(text: str):
    """A refusal with the quotation that proves it is still a refusal."""
    assert abstains(text)


def test_long_reports_of_what_the_text_has_do_not_answer():
    """An answer that begins and ends with a refusal abstains, whatever stands between."""
    assert abstains(
        "There is no information about the complaint in the provided context. The text only says "
        "that two applicants lodged an application on 3 August 1995. However, the case number is "
        "mentioned. There is no information about what they complained of."
    )


def test_traditional_characters_are_read():
    """The patterns match traditional Chinese characters without a converter."""
    assert abstains("文檔沒有說明押金的數額。")
    assert not abstains("租金為5000元,押金沒有記載。")


def kind_of(char: str) -> str:
    """Letter, digit or mark, for the characters that have a full-width form."""
    if ord(char) not in WIDE:
        return "other"
    return "letter" if char.isalpha() else "digit" if char.isdecimal() else "mark"


def chr_wide(char: str) -> str:
    """The full-width form of a character."""
    return WIDE[ord(char)]
