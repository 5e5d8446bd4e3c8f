"""Sentences in three languages with names of people and organisations, marked by braces.

``{p:…}`` is a person and ``{o:…}`` an organisation. The sentences are invented. They are not what the
rules were written on, and the figures of ``bench/redact.py`` on them are told as they are.
"""

import re
from typing import Final

_MARK: Final = re.compile(r"\{([po]):([^}]*)\}")
_KINDS: Final = {"p": "PERSON", "o": "ORGANISATION"}

SENTENCES: Final = {
    "en": (
        "The loan was granted by {o:Northgate Savings Bank} to {p:Eleanor Whitcombe} in March.",
        "Mr. {p:Harold Finch} and Mrs. {p:Lydia Finch} own the orchard together.",
        "According to {p:Tobias Marlow}, the roof leaked for two winters.",
        "{o:Brightwater Holdings} sued its former director {p:Simon Achebe}.",
        "The witness {p:Joan Petrakis} saw the van leave at noon.",
        "Payment goes to {o:Cedar & Sons Ltd} within thirty days of delivery.",
        "Dr. {p:Amara Nwosu} examined the patient {p:Peter Lang} twice.",
        "The lease between {p:Rosa Delgado} and {o:Hillcrest Property Group} ends in June.",
        "{p:Miriam Katz} taught at {o:Ashford University} until she retired.",
        "The Buyer shall inspect the goods before the Seller ships them.",
        "Judge {p:Castellan} dismissed the claim of {o:Orion Freight Inc}.",
        "On Monday the Committee met in Room Twelve of the Old Mill.",
    ),
    "zh": (
        "甲方：{p:周海峰}，乙方：{o:杭州云帆信息技术有限公司}。",
        "借款人{p:林晓彤}于三月向{o:中国建设银行}申请贷款。",
        "经{p:何志强}介绍，{p:吴敏}认识了{p:郑凯}。",
        "原告{p:马丽娜}诉被告{o:北京宏达建筑工程有限公司}合同纠纷一案。",
        "{p:孙宇}毕业于{o:复旦大学}，现任职于{o:腾讯集团}。",
        "证人{p:欧阳文静}称当晚没有听到任何声音。",
        "该房屋由{p:唐建国}和{p:谢芳}共同所有。",
        "本公司应当在收到发票后三十日内付款。",
        "{o:广州市中级人民法院}受理了此案。",
        "合同自双方签字之日起生效，有效期三年。",
        "委托代理人{p:高翔}，系{o:上海正言律师事务所}律师。",
        "请将材料交给{p:冯雪}女士。",
    ),
    "ru": (
        "Истец {p:Соколова Мария Андреевна} обратилась в суд к {o:ООО «Северный мост»}.",
        "Договор от имени банка подписал {p:Кирилл Васильев}.",
        "{p:Ольга Дмитриевна Лебедева} работает в {o:АО «Вектор»} с марта.",
        "По словам {p:Тимура Ахметова}, груз пришёл вовремя.",
        "{o:Сбербанк} отказал {p:Павлу Зайцеву} в кредите.",
        "Свидетель {p:Нина Громова} опознала машину.",
        "Покупатель обязан принять товар и оплатить его.",
        "Арендодатель — {o:ПАО «Городские дома»}, арендатор — {p:Игорь Белов}.",
        "Директор {o:МГУ} {p:Виктор Садовничий} открыл заседание.",
        "В понедельник комиссия осмотрела Зелёную улицу.",
        "Письмо передано {p:Е. П. Крыловой} лично.",
        "{o:Компания «Лира»} наняла {p:Анну Чернову}.",
    ),
}


def named(language: str) -> list[tuple[str, list[tuple[str, int, int]]]]:
    """The sentences of a language, and where each name of a kind is.

    >>> named("zh")[7]
    ('本公司应当在收到发票后三十日内付款。', [])
    """
    made = []
    for sentence in SENTENCES[language]:
        text, places, end = "", [], 0
        for mark in _MARK.finditer(sentence):
            text += sentence[end : mark.start()]
            places.append((_KINDS[mark[1]], len(text), len(text) + len(mark[2])))
            text += mark[2]
            end = mark.end()
        made.append((text + sentence[end:], places))
    return made
