"""Values that only their label gives away, in three languages."""

import pytest

from assay.redact.find import find_values

GIVEN = [
    ("密码：abc12345", "API_KEY", "abc12345"),
    ("密码: abc12345", "API_KEY", "abc12345"),
    ("密码是abc12345", "API_KEY", "abc12345"),
    ("初始密码（管理员）：abc12345，请修改", "API_KEY", "abc12345"),
    ("支付密码：246810。", "API_KEY", "246810"),
    ("пароль - Qwerty123", "API_KEY", "Qwerty123"),
    ("Пароль — Qwerty123.", "API_KEY", "Qwerty123"),
    ("пароль от почты: Qwerty123", "API_KEY", "Qwerty123"),
    ("Ваш пароль: 123456", "API_KEY", "123456"),
    ("пароль: Зима2024!", "API_KEY", "Зима2024"),
    ("Пароль от почты: ёлка_Тула77, смените", "API_KEY", "ёлка_Тула77"),
    ("password - hunter22", "API_KEY", "hunter22"),
    ('{"password": "hunter2"}', "API_KEY", "hunter2"),
    ("Server=db;User=sa;Password=hunter2;", "API_KEY", "hunter2"),
    ("api_key=abcd1234", "API_KEY", "abcd1234"),
    ('password = "correct horse battery staple"', "API_KEY", "correct horse battery staple"),
    ("{'password': 'correct horse battery staple'}", "API_KEY", "correct horse battery staple"),
    ("DB_PASSWORD=correct horse battery staple", "API_KEY", "correct horse battery staple"),
    ("银行卡号 6222021234567890123", "CARD", "6222021234567890123"),
    ("卡号6222 0212 3456 7890 123", "CARD", "6222 0212 3456 7890 123"),
    ("Номер карты: 2200 1234 5678 9012", "CARD", "2200 1234 5678 9012"),
    ("card number 4111 1111 1111 1112", "CARD", "4111 1111 1111 1112"),
    ("PIN: 4321", "PIN", "4321"),
    ("CVV 123", "PIN", "123"),
    ("ПИН-код 4321", "PIN", "4321"),
    ("PIN-код 4321", "PIN", "4321"),
    ("Код безопасности: 123", "PIN", "123"),
    ("验证码：483920", "PIN", "483920"),
    ("安全码 123", "PIN", "123"),
    ("微信号 wxid_abc12345", "MESSENGER", "wxid_abc12345"),
    ("微信：li_ming88", "MESSENGER", "li_ming88"),
    ("QQ号12345678", "MESSENGER", "12345678"),
    ("WeChat ID: liming_88", "MESSENGER", "liming_88"),
    ("Telegram: @ivan_petrov", "MESSENGER", "@ivan_petrov"),
    ("Скайп: live:ivan_77", "MESSENGER", "live:ivan_77"),
]
HARMLESS = [
    "密码长度为8位",
    "密码：12位以上",
    "PIN码为4位",
    "验证码有效期为5分钟",
    "会员卡号 6222021234567890123",
    "卡号长度16至19位",
    "微信支付2021年增长",
    "Пароль: не менее 8 символов",
    "Пароль: 1000 символов",
    "Пароль: отправлен 12 марта",
    "Пароль — смена раз в 90 дней",
    "Телеграм основан в 2013 году",
    "password: required",
    'Field "password": enter at least eight characters',
    "password: must have eight characters",
    "password: 2024-01-15",
    "Password - 2024 film",
    "PIN: 4 digits",
    "the pin 12 of the connector",
    "security code, section 123.4",
    "WeChat launched in 2011",
    "error at line: module_7x",
    "max tokens: 4096",
    "token: expires",
]


@pytest.mark.parametrize(("text", "kind", "value"), GIVEN)
def test_what_is_after_a_label_is_a_value(text: str, kind: str, value: str):
    """A label and a sign are enough, whatever the form of the value or its check digit."""
    assert [(found.kind, found.value) for found in find_values(text)] == [(kind, value)]


@pytest.mark.parametrize("text", HARMLESS)
def test_a_label_in_a_sentence_makes_no_value(text: str):
    """Lengths, dates, words and labels of other cards are none."""
    assert find_values(text) == []
