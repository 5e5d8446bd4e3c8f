"""Sentences in three languages with values in them, and sentences with numbers that only look so.

The sentences are written by hand; the values are drawn with a fixed seed, with right check digits.
``{PHONE}`` in a sentence is a slot for a value of that kind.
"""

import random
import re
from collections.abc import Iterator
from typing import Final

from tests.redact.drawn import DRAWN

VALUES: Final = (
    "如有疑问，请致电{PHONE_CN}或发邮件至{EMAIL}联系我们。",
    "甲方代表的手机号为{PHONE_CN}，微信同号。",
    "公司总机：{LANDLINE_CN}，传真另行通知。",
    "张三，男，身份证号码{ID_NUMBER}，现住杭州。",
    "经核对，被告的公民身份号码是{ID_NUMBER}。",
    "统一社会信用代码：{USCC}，注册资本五百万元。",
    "供应商（{USCC}）应于每月五日前开票。",
    "请将款项汇入卡号{CARD_CN}，开户行为工商银行。",
    "付款银行卡：{CARD_GROUPED}，户名同上。",
    "肇事车辆车牌号{PLATE_CN}，当场被扣押。",
    "一辆{PLATE_CN}小型轿车停在门口。",
    "服务器地址{IP}已被封禁，网卡{MAC}停用。",
    "抄送{EMAIL}和{EMAIL}，谢谢。",
    "出生日期：{BIRTH_CN}，籍贯湖南。",
    "该员工{BIRTH_CN}出生于武汉。",
    "收件地址：{ADDRESS_CN}，邮编另附。",
    "密钥为{API_KEY}，请勿外传。",
    "回调地址是https://api.example.cn/v1?token={TOKEN}，有效期一天。",
    "Для связи звоните {PHONE_RU} или пишите на {EMAIL}.",
    "Контактный телефон: {PHONE_RU}, добавочный 12.",
    "Мобильный номер истца {PHONE_RU} отключён.",
    "ИНН {INN}, КПП указан в приложении.",
    "Организация с ИНН {INN} поставлена на учёт.",
    "СНИЛС застрахованного лица: {SNILS}.",
    "Страховой номер {SNILS} внесён в реестр.",
    "ОГРН {OGRN} присвоен в 2002 году.",
    "Паспорт {PASSPORT_RU}, выдан отделом полиции.",
    "Паспорт гражданина РФ серия {PASSPORT_RU}.",
    "Оплата с карты {CARD_GROUPED} отклонена банком.",
    "Автомобиль с госномером {PLATE_RU} эвакуирован.",
    "Во дворе стоял {PLATE_RU} с включёнными фарами.",
    "Вход выполнен с адреса {IP}, устройство {MAC}.",
    "Дата рождения: {BIRTH_RU}.",
    "Иванов И. И., {BIRTH_RU} г.р., не работает.",
    "Проживает по адресу: {ADDRESS_RU}.",
    "Пароль от ящика: {PASSWORD}, смените его.",
    "Токен {API_KEY} отозван вчера вечером.",
    "Please call {PHONE_US} or write to {EMAIL} by Friday.",
    "Her new number is {PHONE_INT}, do not share it.",
    "Charge card {CARD_GROUPED}, expiring next spring.",
    "The card number {CARD_CN} was declined twice.",
    "Wire the deposit to IBAN {IBAN} in Frankfurt.",
    "Account {IBAN} belongs to the seller.",
    "The request came from {IP} with MAC {MAC}.",
    "IPv6 traffic from {IP6} was dropped.",
    "Her date of birth is {BIRTH_EN}.",
    "He was born on {BIRTH_EN} in Leeds.",
    "Deliver the notice to {ADDRESS_EN}.",
    "export OPENAI_API_KEY={API_KEY}",
    "Authorization: Bearer {TOKEN}",
    "Clone it from https://{USERPASS}@git.example.com/team/repo.git today.",
    "The password is {PASSWORD} until Monday.",
    "联系人电话＋86 {PHONE_CN}，全角也要识别。",
    "客户留下的邮箱是{EMAIL}，电话是{PHONE_CN}。",
)
LOOKALIKES: Final = (
    "依据《民法典》第{ARTICLE}条第二款之规定，驳回上诉。",
    "合同编号：{CONTRACT}，签订于{DATE_CN}。",
    "订单号{CONTRACT}已发货，请留意。",
    "（{YEAR}）京{SMALL}民终{CASE}号民事判决书",
    "书号ISBN {ISBN}，定价六十八元。",
    "总价人民币{AMOUNT}元，其中定金{AMOUNT}元。",
    "会议定于{DATE_CN}{TIME}召开。",
    "增值税发票号码{INVOICE}，金额{AMOUNT}元。",
    "国药准字H{INVOICE}，批号{CONTRACT}。",
    "全长{AMOUNT}公里，工期{SMALL}个月。",
    "专利号ZL{CONTRACT}.{DIGIT}，已授权。",
    "第{SMALL}章第{SMALL}节，见第{ARTICLE}页。",
    "В соответствии со статьёй {ARTICLE} ГК РФ и пунктом {SMALL} договора.",
    "Договор № {CONTRACT} от {DATE_RU} расторгнут.",
    "Дело № А40-{CASE}/{YEAR} рассмотрено в первой инстанции.",
    "Федеральный закон от {DATE_RU} № {SMALL}-ФЗ.",
    "Счёт-фактура № {INVOICE} на сумму {AMOUNT_RU} руб.",
    "Сумма иска составила {AMOUNT_RU} рублей {SMALL} копеек.",
    "Заказ {CONTRACT} передан в доставку {DATE_RU}.",
    "ГОСТ {CASE}-{YEAR}, артикул {CONTRACT}.",
    "Выручка выросла с {AMOUNT_RU} до {AMOUNT_RU} тыс. руб.",
    "В {YEAR} году построено {CASE} домов, в том числе {SMALL} школ.",
    "Протокол № {CASE} от {DATE_RU}, лист {SMALL}.",
    "Pursuant to Article {ARTICLE} of the Act and section {SECTION}.",
    "Contract no. {CONTRACT}, dated {DATE_EN}, remains in force.",
    "Invoice {INVOICE} for ${AMOUNT} is overdue.",
    "ISBN {ISBN}, second edition, {YEAR}.",
    "Case No. {CASE}-cv-{YEAR} was dismissed on {DATE_EN}.",
    "The population rose from {AMOUNT} to {AMOUNT} in {YEAR}.",
    "See section {SECTION} and clause {SECTION}.",
    "Version {VERSION} was released on {DATE_EN} at {TIME}.",
    "Order {CONTRACT} contains {SMALL} items.",
    "The patent US {INVOICE} B2 expired in {YEAR}.",
    "Table {SMALL}: {AMOUNT} {AMOUNT} {AMOUNT} {AMOUNT}",
    "doi:10.{CASE}/j.{YEAR}.{SMALL}.{ARTICLE}",
)
_SLOT: Final = re.compile(r"\{([A-Z0-9_]+)\}")


def draw(
    sentences: tuple[str, ...], rounds: int, seed: int
) -> Iterator[tuple[str, list[tuple[str, int, int]]]]:
    """Sentences with drawn values, and where each value of a kind is."""
    chance = random.Random(seed)
    for _ in range(rounds):
        for sentence in sentences:
            parts: list[str] = []
            places: list[tuple[str, int, int]] = []
            at = end = 0
            for slot in _SLOT.finditer(sentence):
                kind, value = DRAWN[slot[1]](chance)
                before = sentence[end : slot.start()]
                at += len(before)
                parts += (before, value)
                places.append((kind, at, at + len(value)))
                at += len(value)
                end = slot.end()
            yield "".join((*parts, sentence[end:])), places
