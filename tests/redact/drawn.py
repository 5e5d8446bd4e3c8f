"""Values of each kind drawn at random, with right check digits, and numbers that only look so."""

import random
import string
from collections.abc import Callable
from typing import Final

from stdnum import luhn
from stdnum.cn import ric, uscc
from stdnum.iban import calc_check_digits as iban_digits
from stdnum.ru import inn, ogrn

Chance = random.Random
Draw = Callable[[Chance], tuple[str, str]]


def _digits(chance: Chance, count: int) -> str:
    return "".join(chance.choice("0123456789") for _ in range(count))


def _letters(
    chance: Chance, count: int, alphabet: str = string.ascii_letters + string.digits
) -> str:
    return "".join(chance.choice(alphabet) for _ in range(count))


def _id_number(chance: Chance) -> str:
    region = chance.choice(("110105", "310101", "440305", "510107", "330106", "420111"))
    born = f"{chance.randint(1945, 2006)}{chance.randint(1, 12):02d}{chance.randint(1, 28):02d}"
    number = region + born + _digits(chance, 3)
    return number + ric.calc_check_digit(f"{number}0")


def _uscc(chance: Chance) -> str:
    number = chance.choice(("91", "92", "93", "52")) + chance.choice(("110108", "310115", "440300"))
    number += _letters(chance, 9, "0123456789ABCDEFGHJKLMNPQRTUWXY")
    return number + uscc.calc_check_digit(number)


def _card(chance: Chance, prefix: str, length: int) -> str:
    number = prefix + _digits(chance, length - len(prefix) - 1)
    return number + luhn.calc_check_digit(number)


def _grouped(number: str) -> str:
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4))


def _iban(chance: Chance) -> str:
    account = _digits(chance, 18)
    number = f"DE00{account}"
    return f"DE{iban_digits(number)}{account}"


def _inn(chance: Chance) -> str:
    if chance.random() < 0.5:
        number = f"77{_digits(chance, 7)}"
        return number + inn.calc_company_check_digit(number)
    number = f"50{_digits(chance, 8)}"
    return number + inn.calc_personal_check_digits(number)


def _snils(chance: Chance) -> str:
    number = f"{chance.randint(2, 9)}{_digits(chance, 8)}"
    total = sum(int(digit) * (9 - at) for at, digit in enumerate(number))
    return f"{number[:3]}-{number[3:6]}-{number[6:]} {total % 101 % 100:02d}"


def _ogrn(chance: Chance) -> str:
    number = f"1{chance.randint(2, 23):02d}77{_digits(chance, 7)}"
    return number + ogrn.calc_check_digit(f"{number}0")


def _phone_cn(chance: Chance) -> str:
    number = chance.choice(("138", "139", "150", "186", "188", "177", "199")) + _digits(chance, 8)
    return chance.choice(
        (
            number,
            f"{number[:3]}-{number[3:7]}-{number[7:]}",
            f"{number[:3]} {number[3:7]} {number[7:]}",
        )
    )


def _phone_ru(chance: Chance) -> str:
    code = chance.choice(("916", "903", "926", "985", "495", "812"))
    a, b, c = f"{chance.randint(200, 999)}", _digits(chance, 2), _digits(chance, 2)
    forms = (
        f"+7 ({code}) {a}-{b}-{c}",
        f"8 ({code}) {a}-{b}-{c}",
        f"+7 {code} {a} {b} {c}",
        f"8-{code}-{a}-{b}-{c}",
        f"+7{code}{a}{b}{c}",
    )
    return chance.choice(forms)


def _phone_us(chance: Chance) -> str:
    code, a, b = (
        chance.choice(("212", "415", "617", "312")),
        f"{chance.randint(220, 989)}",
        _digits(chance, 4),
    )
    return chance.choice((f"({code}) {a}-{b}", f"{code}-{a}-{b}", f"+1 {code} {a} {b}"))


def _date(chance: Chance, form: str, first: int = 1950, last: int = 2005) -> str:
    year, month, day = chance.randint(first, last), chance.randint(1, 12), chance.randint(1, 28)
    name = (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    )[month - 1]
    return form.format(y=year, m=month, d=day, name=name)


def _kind(kind: str, make: Callable[[Chance], str]) -> Draw:
    return lambda chance: (kind, make(chance))


DRAWN: Final[dict[str, Draw]] = {
    "PHONE_CN": _kind("PHONE", _phone_cn),
    "LANDLINE_CN": _kind(
        "PHONE", lambda c: f"{c.choice(('010', '021', '0755'))}-{c.randint(2, 8)}{_digits(c, 7)}"
    ),
    "PHONE_RU": _kind("PHONE", _phone_ru),
    "PHONE_US": _kind("PHONE", _phone_us),
    "PHONE_INT": _kind("PHONE", lambda c: f"+44 20 79{c.randint(10, 46)} {_digits(c, 4)}"),
    "EMAIL": _kind(
        "EMAIL",
        lambda c: (
            f"{_letters(c, 5, string.ascii_lowercase)}.{_letters(c, 3)}@{c.choice(('mail.example.com', 'example.cn', 'post.example.ru'))}"
        ),
    ),
    "ID_NUMBER": _kind("ID_NUMBER", _id_number),
    "USCC": _kind("USCC", _uscc),
    "CARD_CN": _kind("CARD", lambda c: _card(c, "622202", 19)),
    "CARD_GROUPED": _kind(
        "CARD", lambda c: _grouped(_card(c, c.choice(("4", "51", "2202", "55")), 16))
    ),
    "IBAN": _kind("IBAN", lambda c: c.choice((lambda n: n, _grouped))(_iban(c))),
    "INN": _kind("INN", _inn),
    "SNILS": _kind("SNILS", _snils),
    "OGRN": _kind("OGRN", _ogrn),
    "PASSPORT_RU": _kind(
        "PASSPORT",
        lambda c: f"{_digits(c, 2)} {_digits(c, 2)} {c.choice(('', '№ '))}{_digits(c, 6)}",
    ),
    "PLATE_CN": _kind(
        "PLATE",
        lambda c: (
            f"{c.choice('京沪粤浙川鲁')}{c.choice('ABCDEF')}{c.choice(('', '·'))}{c.choice('ABCD')}{_digits(c, 4)}"
        ),
    ),
    "PLATE_RU": _kind(
        "PLATE",
        lambda c: (
            f"{c.choice('АВЕКМ')}{_digits(c, 3)}{c.choice('НОРСТ')}{c.choice('УХАВЕ')}{c.choice(('77', '199', '50'))}"
        ),
    ),
    "IP": _kind(
        "IP",
        lambda c: (
            f"{c.choice(('192.168', '172.16', '203.0'))}.{c.randint(0, 255)}.{c.randint(1, 254)}"
        ),
    ),
    "IP6": _kind(
        "IP", lambda c: f"2001:db8:{c.randint(1, 9)}::{_letters(c, 4, '123456789abcdef')}"
    ),
    "MAC": _kind("MAC", lambda c: ":".join(_letters(c, 2, "0123456789ABCDEF") for _ in range(6))),
    "BIRTH_CN": _kind("BIRTH_DATE", lambda c: _date(c, "{y}年{m}月{d}日")),
    "BIRTH_RU": _kind("BIRTH_DATE", lambda c: _date(c, "{d:02d}.{m:02d}.{y}")),
    "BIRTH_EN": _kind("BIRTH_DATE", lambda c: _date(c, "{d} {name} {y}")),
    "ADDRESS_CN": _kind(
        "ADDRESS",
        lambda c: (
            f"{c.choice(('北京市朝阳区', '上海市浦东新区', '广东省深圳市南山区'))}{c.choice(('建国路', '世纪大道', '科技南路'))}{c.randint(1, 999)}号{c.randint(1, 9)}栋{c.randint(101, 2805)}室"
        ),
    ),
    "ADDRESS_RU": _kind(
        "ADDRESS",
        lambda c: (
            f"г. {c.choice(('Москва', 'Казань', 'Пермь'))}, ул. {c.choice(('Ленина', 'Мира', 'Садовая'))}, д. {c.randint(1, 99)}, кв. {c.randint(1, 300)}"
        ),
    ),
    "ADDRESS_EN": _kind(
        "ADDRESS",
        lambda c: (
            f"{c.randint(1, 9999)} {c.choice(('Oak', 'Maple', 'King', 'Mill'))} {c.choice(('Street', 'Avenue', 'Road'))}"
        ),
    ),
    "API_KEY": _kind(
        "API_KEY",
        lambda c: c.choice(
            (
                lambda: f"sk-{_letters(c, 40)}",
                lambda: f"ghp_{_letters(c, 36)}",
                lambda: f"AKIA{_letters(c, 16, string.ascii_uppercase + string.digits)}",
            )
        )(),
    ),
    "TOKEN": _kind("API_KEY", lambda c: f"a1B2{_letters(c, 24)}"),
    "PASSWORD": _kind(
        "API_KEY", lambda c: f"{c.choice(('Zx', 'Qw'))}{_digits(c, 4)}!{_letters(c, 4)}"
    ),
    "USERPASS": _kind("URL", lambda c: f"robot:{_letters(c, 12)}"),
    # numbers that only look like something
    "ARTICLE": _kind("", lambda c: str(c.randint(1, 1260))),
    "SMALL": _kind("", lambda c: str(c.randint(1, 99))),
    "DIGIT": _kind("", lambda c: str(c.randint(0, 9))),
    "CASE": _kind("", lambda c: _digits(c, c.randint(3, 6)).lstrip("0") or "1"),
    "CONTRACT": _kind(
        "",
        lambda c: (
            f"20{c.randint(10, 26)}{c.randint(1, 12):02d}{_digits(c, c.choice((3, 5, 8, 10)))}"
        ),
    ),
    "INVOICE": _kind("", lambda c: _digits(c, 8)),
    "ISBN": _kind("", lambda c: f"978-7-{_digits(c, 3)}-{_digits(c, 5)}-{_digits(c, 1)}"),
    "AMOUNT": _kind("", lambda c: f"{c.randint(1000, 99999999):,}.{_digits(c, 2)}"),
    "AMOUNT_RU": _kind(
        "",
        lambda c: f"{c.randint(1000, 99999999):,},{_digits(c, 2)}".replace(
            ",", " ", f"{c.randint(1, 1)}".count("1")
        ),
    ),
    "YEAR": _kind("", lambda c: str(c.randint(1990, 2026))),
    "TIME": _kind("", lambda c: f"{c.randint(0, 23)}:{c.randint(0, 59):02d}"),
    "SECTION": _kind("", lambda c: ".".join(str(c.randint(1, 20)) for _ in range(c.randint(2, 4)))),
    "VERSION": _kind(
        "", lambda c: ".".join(str(c.randint(0, 30)) for _ in range(c.choice((3, 4))))
    ),
    "DATE_CN": _kind("", lambda c: _date(c, "{y}年{m}月{d}日", 2000, 2026)),
    "DATE_RU": _kind("", lambda c: _date(c, "{d:02d}.{m:02d}.{y}", 2000, 2026)),
    "DATE_EN": _kind("", lambda c: _date(c, "{d} {name} {y}", 2000, 2026)),
}
"""How to draw the value of each slot."""
