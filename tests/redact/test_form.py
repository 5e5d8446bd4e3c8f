"""Forms in which people write numbers, names and passwords, and ordinary text that looks like them."""

import pytest

from assay.redact.find import find_values

WRITTEN = [
    ("social security: 078051120", "078051120"),
    ("Social Security number 078-05-1120", "078-05-1120"),
    ("SSN: 078051120", "078051120"),
    ("social security no. 219099999.", "219099999"),
    ("Call (415)5552671 now", "(415)5552671"),
    ("Call (415) 5552671 now", "(415) 5552671"),
    ("phone: 415.555.2671", "415.555.2671"),
    ("(415)555-2671", "(415)555-2671"),
    ("Тел. +7(916)123_45_67.", "+7(916)123_45_67"),
    ("8_916_123_45_67", "8_916_123_45_67"),
    ("+7_916_1234567", "+7_916_1234567"),
    ("+1_415_555_2671", "+1_415_555_2671"),
    ("тел 8(916)123_45_67", "8(916)123_45_67"),
    ("account number 1234 5678 9012 3456", "1234 5678 9012 3456"),
    ("Account: 1234 5678 9012", "1234 5678 9012"),
    ("acct no. 1234-5678-9012-34", "1234-5678-9012-34"),
    ("账号：6222 0212 3456 7890 123", "6222 0212 3456 7890 123"),
    ("银行账号 1234 5678 9012 3456", "1234 5678 9012 3456"),
    ("收款账户：1234567890123456789", "1234567890123456789"),
    ("Номер счёта 4081 7810 1000 0000 1234", "4081 7810 1000 0000 1234"),
    ("расчётный счёт: 4081 7810 0999 1000 4312", "4081 7810 0999 1000 4312"),
    ("на счет 4070 2810 1234 5678 9012 переведено", "4070 2810 1234 5678 9012"),
    ("p/c 4081 7810 0999 1000 4312", "4081 7810 0999 1000 4312"),
    ("校验码：４８２９１３", "４８２９１３"),
    ("验证码：４８２９１３", "４８２９１３"),
    ("校验码为482913，请勿告诉他人", "482913"),
    ("动态码 482913", "482913"),
    ("加我vx：liwei_1988", "liwei_1988"),
    ("加我VX:liwei1988", "liwei1988"),
    ("加v：liwei1988", "liwei1988"),
    ("加薇信 liwei1988", "liwei1988"),
    ("V信：liwei1988", "liwei1988"),
    ("我的wx是liwei1988", "liwei1988"),
    ("wxid_abc123def456", "wxid_abc123def456"),
    ("微信号：liwei1988", "liwei1988"),
    ("威信：liwei1988", "liwei1988"),
    ("write to t.me/ivan_petrov please", "ivan_petrov"),
    ("https://t.me/ivan_petrov", "ivan_petrov"),
    ("telegram.me/ivan_petrov", "ivan_petrov"),
    ("telegram: @ivan_petrov", "@ivan_petrov"),
    ("телеграм @ivan_petrov", "@ivan_petrov"),
    ("тг: ivan_petrov", "ivan_petrov"),
    ("tg://resolve?domain=ivan_petrov", "ivan_petrov"),
    ("wa.me/14155552671", "14155552671"),
    ("curl -u alice:s3cretpw https://api.example", "s3cretpw"),
    ("curl --user alice:s3cretpw https://api.example", "s3cretpw"),
    ("curl -u 'alice:s3cret pw' https://x", "s3cret pw"),
    ("curl -ualice:s3cretpw https://x", "s3cretpw"),
    ("curl --proxy-user=alice:s3cretpw https://x", "s3cretpw"),
    ("mysql -u root -ps3cretpw1 shop", "s3cretpw1"),
    ("mysqldump -uroot -p's3cret pw' shop > a.sql", "s3cret pw"),
    ("wget --user=alice --password=hunter22 http://x", "hunter22"),
    ("https://alice:s3cretpw@host.example/x", "s3cretpw"),
]
ORDINARY = [
    "account for 2019 2020 2021 in total",
    "The account was opened in 2019.",
    "In his account 1234 people died.",
    "on account of 1914 1918 1939",
    "счёт 3:2 в матче 2018 2019 2020",
    "на счёт 2019 2020 2021 годов",
    "snake_case_2024_01_15_1234",
    "file_20240115_123456.txt",
    "x = 1_000_000_000",
    "(415)_foo_123",
    "a(1_2_3)",
    "校验码规则 1024",
    "信用卡校验码是三位",
    "威信: 100",
    "树立威信。Li2020",
    "加微分方程 x_1",
    "加v2版本",
    "wx = frame_2",
    "the tg value_2",
    "t.me/share/url?x",
    "about.me/people",
    "t.m/abc",
    "curl -u $USER:$PASS https://x",
    "mysql -u root -p shop",
    "mysql -P3306 -p$PASS shop",
    "install mysql; mkdir -pv data/shop",
    "curl https://x -o user:abc",
    "http://a.example -a b",
    "the social security act of 1935 gave 123456789 people",
    "social insecurity 123456789",
    "1234 5678 9012 widgets on account",
    "发票校验码 12345 67890 12345 67890",
    "use vx1 and vx2",
    "Vx: 12 m/s",
    "см. счета-фактуры 1234 5678 9012",
    "код 8_9_10",
    "+1_000",
    "https://github.com/a/b -auth c",
    "https://docs.example/auth: basic",
]


@pytest.mark.parametrize(("text", "value"), WRITTEN)
def test_a_value_in_this_form_is_found(text: str, value: str):
    """All of the value is inside of what is found, and the rest of the sentence stays."""
    found = find_values(text)
    assert any(value in each.value for each in found), found
    assert sum(len(each.value) for each in found) <= len(value) + 8


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str):
    """Years, names in programs, references to variables and sentences about such things."""
    assert find_values(text) == []
