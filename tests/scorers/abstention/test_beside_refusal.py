"""What stands beside a refusal: other texts, conclusions, searches, and one of two things told."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the payout limit for theft?", "The rules list the risks, but the limit is set by the policy schedule, which is not among the papers. I cannot name a sum."),
        ("Какой лимит выплаты при краже?", "В правилах перечислены риски, но лимит выплаты устанавливается полисом, а самого полиса в присланных файлах нет. Назвать сумму не могу."),
        ("盗窃的赔付限额是多少？", "条款列出了风险，但限额由保单确定，而保单不在材料里。因此无法给出金额。"),
        ("What is the penalty for a fire in the park?", "The excerpt only bans fires. The penalty is not given in it — presumably it is laid down in another act."),
        ("Какое наказание за костёр в парке?", "Отрывок лишь запрещает костры. Наказание в нём не указано — скорее всего, оно определено другим законом."),
        ("在公园生火怎么处罚？", "摘录只规定禁止生火，未写明罚则，可能由另一部法规规定。"),
        ("How high is the fine?", "The by-law refers to a fine, but the amount is fixed in the schedule, which wasn't included."),
        ("Каков размер пошлины?", "Размер пошлины указан в приложении 2, которое не приложено к файлу."),
        ("费用是多少？", "费用以附件三为准，但附件三没有提供。"),
        ("Кто написал гимн?", "Ни в программе, ни в примечаниях автор не назван; возможно, он указан в другом издании."),
    ],
)  # fmt: skip
def test_another_text_has_it(question: str | None, answer: str):
    """That another text has it, which was not given, does not answer."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Under which act is the fee set?", "The fee is set by another act, the Harbour Dues Act; the amount is not given."),
        ("Каким документом определяется тариф?", "Тариф определяется отдельным соглашением."),
        ("押金由什么文件确定？", "押金由另一份协议确定。"),
        ("Who pays for repairs?", "The landlord. What counts as a repair is set out in another agreement."),
        ("Кто платит за ремонт?", "Арендодатель; порядок установлен другим соглашением, его здесь нет."),
        ("维修费谁出？", "房东出，具体办法见另一份协议，这里没有。"),
    ],
)  # fmt: skip
def test_another_text_is_the_answer(question: str | None, answer: str):
    """Another text may be what is asked for, or stand beside the answer."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did the board decide about the bridge?", "The minutes end before the item on the bridge. As a consequence, the decision cannot be derived from them."),
        ("What did the board decide about the bridge?", "The minutes end on page 3. Accordingly, the decision on the bridge cannot be determined."),
        ("Что решил совет о мосте?", "Протокол обрывается на третьем пункте. Соответственно, установить решение о мосте нельзя."),
        ("Что решил совет о мосте?", "Протокол обрывается на третьем пункте. Как следствие, решение о мосте неизвестно."),
        ("理事会对大桥作了什么决定？", "纪要到第三项就中断了。由此，无法得知对大桥的决定。"),
        ("这份遗嘱把船留给了谁？", "遗嘱写了房子和存款，没提船。仅凭这份遗嘱，看不出留给了谁。"),
        ("Who gets the boat under the will?", "The will deals with the house and the savings and never mentions the boat. Going by the will alone, there is no telling who gets it."),
        ("Кому по завещанию достаётся лодка?", "В завещании есть дом и вклады, а о лодке ни слова. По одному этому завещанию не сказать, кому она достаётся."),
        ("Is the warranty transferable?", "I have only the cover page. On that basis, I cannot say whether the warranty is transferable."),
        ("Можно ли передать гарантию?", "У меня только титульный лист. Стало быть, сказать, можно ли её передать, не могу."),
        ("保修可以转让吗？", "我手上只有封面。据此，无法判断保修能否转让。"),
        ("Подходит ли насос для глубокого колодца?", "В паспорте насоса нет ни напора, ни глубины, так что сказать, подойдёт ли он, я не могу."),
        ("Подходит ли насос для глубокого колодца?", "Глубина в паспорте не указана, поэтому решить, годится ли насос, мы не беремся."),
    ],
)  # fmt: skip
def test_a_conclusion_leads_to_a_refusal(question: str | None, answer: str):
    """Words that conclude, and what the conclusion rests on, claim nothing."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the penalty for late payment?", "The agreement sets payment dates but nowhere lays down a penalty for missing them."),
        ("What is the penalty for late payment?", "The lease fixes the rent but never sets a penalty."),
        ("Какой штраф за просрочку?", "В договоре есть сроки, но штраф за просрочку не предусмотрен: такого условия я не нашла."),
        ("Какая неустойка за нарушение тайны?", "Договор требует хранить тайну, но неустойка не установлена: подобного пункта я в нём не вижу."),
        ("停工期间的工资怎么算？", "协议里只有停工的定义，对停工期间工资怎么算没有做任何约定。"),
        ("How much rent is due during force majeure?", "The contract has only the definition of force majeure and makes no provision for the rent in that time."),
        ("Можно ли продлить аренду без согласия собственника?", "В присланной редакции вопрос продления не урегулирован: раздел 4 обрывается на пункте 4.1. Дать ответ не могу."),
        ("租约可以不经同意延长吗？", "您发来的版本对延长问题未作任何规定，第四条写到一半就断了。据此无法出具意见。"),
        ("What rent is due during the closure?", "The lease deals with closures but nowhere stipulates what happens to the rent."),
        ("停业期间租金怎么付？", "租约提到了停业，对租金未作具体约定。"),
        (None, "就现有几页材料来看，未见可以回答该问题的条款，故不能发表意见。"),
        (None, "On the pages handed to me I saw no clause that answers this question, so I cannot issue an opinion."),
    ],
)  # fmt: skip
def test_nothing_is_laid_down(question: str | None, answer: str):
    """A text that lays nothing down, in other words."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("不可抗力期间的利息怎么计算？", "合同没有写。"),
        ("Какой штраф за нарушение исключительных прав?", "Договор о штрафе молчит."),
    ],
)  # fmt: skip
def test_terms_that_deny_nothing(question: str | None, answer: str):
    """A legal term that looks like a negation does not turn the question round."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (None, "Thank you for your enquiry. We have searched the parish registers without success and are unable to furnish the details requested."),
        (None, "Our search of the ledgers was unsuccessful, and we therefore cannot supply the particulars."),
        (None, "Благодарим за обращение. Поиск по метрическим книгам результата не дал, сообщить запрошенные сведения не имеем возможности."),
        (None, "感谢来函。我们查阅了教区登记册，未有所获，故无法提供您所需的资料。"),
        ("Who composed the hymn?", "The programme does not say. I also looked in the notes without luck."),
        ("Когда откроют бассейн?", "Вот и я хотел бы знать! Пишут, что ремонтируют, а срок не называют."),
        ("Сколько мест в зале?", "Мне самому интересно, но в статье об этом ни слова."),
        ("When does the pool open?", "I'd like to know that too! The paper says they are building it, but not when it opens."),
        ("游泳池什么时候开放？", "我也很好奇！报上只说在修，没说什么时候开。"),
        ("what's the gate code", "not in the info sheet :( ask reception?"),
        ("what's the gate code", "isn't on the card, maybe text the host?"),
        ("какой код от ворот", "в памятке нет :( спроси у хозяина?"),
        (None, "文档与您的问题没有关联：文档讲的是养蜂，您想知道的内容在里面找不到。要是传错了文件，麻烦重新上传。"),
        (None, "The document does not seem related to your question: it is about beekeeping, and what you ask is not in it. If the wrong file was uploaded, please send the right one."),
        (None, "Документ, похоже, не связан с вашим вопросом: он о пчеловодстве, ответа в нём нет. Если файл загружен по ошибке, пришлите другой."),
    ],
)  # fmt: skip
def test_a_search_without_success(question: str | None, answer: str):
    """The speaker searched, wonders as well, or has another file."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where is the spare key?", "Not on the board, it's under the flowerpot."),
        ("Did the divers find the wreck?", "No. They searched for three weeks without success."),
        ("What did the divers achieve?", "They searched the bay for three weeks without success."),
        (None, "We searched the cellar without success and then found the letters in the attic."),
    ],
)  # fmt: skip
def test_a_search_that_is_told(question: str | None, answer: str):
    """A search or a place where something is not, if it tells what is asked."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (None, "[parser] field 'deposit_amount' not present in document; returning null."),
        (None, 'key "notice_period" not found in document, returning empty string'),
        (None, "[поиск] ключ «deposit» отсутствует в документе; возвращено пустое значение."),
        (None, "[解析] 文档中缺少字段 deposit；返回空值。"),
        (None, "检索器未返回内容，已取消作答。"),
        (None, "Retriever returned an empty list; answer generation skipped."),
        (None, "Поиск вернул пустой список, генерация ответа пропущена."),
        ("订单的收货人是谁？", "检索完毕：0条符合的记录。"),
        ("订单的收货人是谁？", "查询结束，匹配到 0 条数据。"),
        ("Кто получатель заказа?", "Запрос выполнен: 0 подходящих записей."),
        ("Who is the consignee?", "Query finished: 0 matching rows."),
        ("Какой код ошибки указывает на обрыв провода?", "Ответ не найден в загруженных источниках (2 из 2 просмотрены)."),
        ("Which error code means a broken wire?", "Answer not found in the connected sources (2 of 2 checked)."),
        ("哪个错误代码表示断线？", "在已连接的资料中未找到答案（已检查2份）。"),
        (None, "field 'iban' not populated; returning None"),
        (None, "поле iban не заполнено; возвращаю пустую строку"),
        (None, "参数 iban 不存在，返回空字符串。"),
    ],
)  # fmt: skip
def test_a_program_lacks_a_value(question: str | None, answer: str):
    """A program reports a key that is missing, an empty value or nothing found."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What happens if a key is missing?", "If a key is missing in the file, the program stops."),
        ("What does the parser do with an unknown field?", "It skips the field, returning null."),
        ("解析器遇到空值怎么办？", "跳过该字段，返回空值。"),
        ("What does error 404 mean?", "The document could not be found."),
        ("Что означает ошибка 404?", "Документ не найден на сервере."),
    ],
)  # fmt: skip
def test_what_a_program_does(question: str | None, answer: str):
    """What a program does or an error means is an answer."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is there a force majeure clause in the contract?", "No, the contract has no such clause: I checked all sections and both annexes."),
        ("Есть ли в договоре пункт о неустойке?", "Нет, такого пункта в договоре нет, я просмотрел все страницы."),
        ("合同里有没有不可抗力条款？", "没有，合同里没有这样的条款，我把正文和附件都看过了。"),
        ("Есть ли в деле показания соседа?", "Нет, показаний соседа в деле нет, я перечитала все тома."),
        ("合同有没有约定违约金？", "没有，合同未约定违约金。"),
    ],
)  # fmt: skip
def test_no_to_whether_there_is_one(question: str | None, answer: str):
    """No answers whether a text has something, also if the speaker tells of a search."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is there parking at the hotel?", "The text does not say, I checked twice."),
        ("Есть ли у гостиницы парковка?", "В тексте об этом не сказано, я проверил дважды."),
        ("酒店有没有停车场？", "文中没有提到，我看了两遍。"),
    ],
)  # fmt: skip
def test_silence_on_whether_there_is_one(question: str | None, answer: str):
    """A text that does not say whether there is something refuses."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("新校长叫啥，多大了？", "叫林一舟，多大就不清楚了，通知里没写。"),
        ("新站叫什么，哪天开通？", "叫河滨站，哪天开通就不知道了，新闻里没写。"),
        ("老师姓什么，教什么的？", "姓周，教什么没写。"),
        ("What's the new coach called, and where is she from?", "She's called Dana Pell, no idea where from, the notice doesn't say."),
        ("Как зовут нового тренера и откуда он?", "Зовут Пётр Лунин, а откуда — не знаю, в объявлении не сказано."),
    ],
)  # fmt: skip
def test_one_of_two_things_is_told(question: str | None, answer: str):
    """A name and then what is missing answer a part."""
    assert not abstains(answer, question)
