"""Passwords in headers and cookies, and dates of birth before a numbered line."""

import pytest

from assay.redact.find import find_values

BASIC = "dXNlcjpwYXNzd29yZDEyMw=="


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Authorization: Basic {BASIC}\n", BASIC),
        (f"Proxy-Authorization: Basic {BASIC}", BASIC),
        (f'curl -H "authorization: basic {BASIC}" x', BASIC),
        (f'{{"Authorization": "Basic {BASIC}"}}', BASIC),
        ("Authorization: Token 9944b09199c62bcf", "9944b09199c62bcf"),
        (
            'Authorization: Digest username="bob", response="6629fae49393a05397450978507c4ef1"',
            "6629fae49393a05397450978507c4ef1",
        ),
        ("Cookie: session=0123456789abcdef0123456789", "0123456789abcdef0123456789"),
        ("Cookie: theme=dark; sid=abc123xyz", "abc123xyz"),
        ("Set-Cookie: sid=abc123; Path=/; HttpOnly", "abc123"),
    ],
)
def test_a_secret_of_a_header_is_found(text: str, secret: str):
    """What follows the scheme, and the values of cookies."""
    assert secret in {found.value for found in find_values(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: basic rules apply here.",
        "The authorization: token holders may vote.",
        "Cookie: a small biscuit",
        "Set-Cookie: Path=/docs; Max-Age=600",
    ],
)
def test_ordinary_text_about_headers_stays(text: str):
    """A sentence after such a word has no secret, nor have the attributes of a cookie."""
    assert find_values(text) == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("родился 12.05.1984\n29 г. Москва\n", "12.05.1984"),
        ("28 родился 12.05.1984\n29 г. Москва, ул. Ленина", "12.05.1984"),
        ("дата рождения 01.02.1990\n5 г. Тула", "01.02.1990"),
        ("出生 1984年5月12日\n29 号", "1984年5月12日"),
        ("born 12.05.1984\n29 g. Moscow", "12.05.1984"),
        ("дата рождения: 5 мая\n1984 г.", "5 мая\n1984 г."),
    ],
)
def test_a_birth_date_before_a_line_that_begins_with_a_number(text: str, date: str):
    """The number belongs to its own line, unless the date goes on there."""
    assert date in {found.value for found in find_values(text)}
