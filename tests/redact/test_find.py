"""What is found in the labelled sentences, and what is not."""

from collections import Counter

import pytest

from assay.redact.find import find_values
from tests.redact.labelled import LOOKALIKES, VALUES, draw

CHECKED = {"ID_NUMBER", "USCC", "CARD", "IBAN", "INN", "SNILS", "OGRN"}


def counts(seed: int) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """For each kind: the values, those that were found, and what was found by mistake."""
    values: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    mistakes: Counter[str] = Counter()
    drawn = [*draw(VALUES, 6, seed), *draw(LOOKALIKES, 6, seed + 1)]
    for text, places in drawn:
        found = find_values(text)
        wanted = [(kind, start, end) for kind, start, end in places if kind]
        for kind, start, end in wanted:
            values[kind] += 1
            hits[kind] += any(each.start <= start and end <= each.end for each in found)
        for each in found:
            if not any(each.start < end and start < each.end for _, start, end in wanted):
                mistakes[each.kind] += 1
    return values, hits, mistakes


@pytest.mark.parametrize("seed", [7, 1007, 2007])
def test_recall_and_precision_on_the_labelled_sentences(seed: int):
    """Checksum kinds reach .98, telephones and e-mail addresses .97, in both directions."""
    values, hits, mistakes = counts(seed)
    assert values.total() >= 300
    for kinds, wanted in ((CHECKED, 0.98), ({"PHONE", "EMAIL"}, 0.97), (set(values), 0.97)):
        found = sum(hits[kind] for kind in kinds)
        wrong = sum(mistakes[kind] for kind in kinds)
        assert found / sum(values[kind] for kind in kinds) >= wanted, kinds
        assert found / (found + wrong) >= wanted, kinds


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("电话１３８１２３４５６７８。", "PHONE", "１３８１２３４５６７８"),
        ("护照号码E12345678已过期", "PASSPORT", "E12345678"),
        ("паспорт 45 08, № 123456 выдан", "PASSPORT", "45 08, № 123456"),
        ("пишите на почта@пример.рф сегодня", "EMAIL", "почта@пример.рф"),
        ("a@b.example, c.d@e.example", "EMAIL", "c.d@e.example"),
        ("fe80::1ff:fe23:4567:890a is up", "IP", "fe80::1ff:fe23:4567:890a"),
        ("call (212) 555-0188 now", "PHONE", "(212) 555-0188"),
        ("call +7 (916) 123-45-67 now", "PHONE", "+7 (916) 123-45-67"),
        ("İ born on 3 May 1990", "BIRTH_DATE", "3 May 1990"),
        ("密码是Zx1234!abcd", "API_KEY", "Zx1234!abcd"),
        ("счёт № 40817810138250123456 в банке", "ACCOUNT", "40817810138250123456"),
        ("р/с 40702 810 5 0000 0012345", "ACCOUNT", "40702 810 5 0000 0012345"),
        ("к/с 30101810400000000225, БИК 044525225", "ACCOUNT", "30101810400000000225"),
        ("SSN: 219-09-9999 on file", "SSN", "219-09-9999"),
        ("Social security number 078-05-1120", "SSN", "078-05-1120"),
        ("https://x.example/?token=abcd1234&x=1", "URL", "abcd1234"),
    ],
)
def test_forms_that_the_sentences_do_not_have(text: str, kind: str, value: str):
    """Wide digits, passports, Cyrillic addresses, letters that change their length."""
    found = [each for each in find_values(text) if each.kind == kind]
    assert [each.value for each in found][-1:] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "order 219-09-9999",
        "№ 12345678901234567890",
        "родился в 1961 году",
        "第1260条",
        "статья 12, пункт 3",
        "12:30:45",
        "a@b",
        "::",
        "@",
    ],
)
def test_nothing_is_found_in_harmless_text(text: str):
    """Articles, times and single signs are no values."""
    assert find_values(text) == []


def test_a_whole_document_is_searched_like_its_lines():
    """What is found does not depend on how much text is around it."""
    lines = [text for text, _ in draw(VALUES, 1, 3)]
    apart = [(each.kind, each.value) for line in lines for each in find_values(line)]
    together = [(each.kind, each.value) for each in find_values("\n".join(lines))]
    assert together == apart


@pytest.mark.parametrize(
    "part",
    [
        "@",
        "a@",
        "a.",
        "1",
        "1 ",
        ":",
        "ab:",
        "://?",
        "key",
        "://?key",
        "0A",
        "市",
        "ул. ",
        "一号",
        "路1号",
        "тел ",
        "Str. ",
        "ИНН ",
    ],
)
def test_a_repeated_part_takes_time_in_proportion(part: str):
    """Such texts took minutes when an expression looked through the rest at every place."""
    assert find_values(part * (60_000 // len(part))) == []
    assert find_values("://?" + part * (20_000 // len(part))) == []


def test_a_private_key_is_found_over_its_lines():
    """The key is one value, also if its end is missing."""
    begin = "-----BEGIN RSA " + "PRIVATE KEY-----"
    text = f"x\n{begin}\nMIIabc\ndef\n-----END RSA PRIVATE KEY-----\ny"
    assert [(each.kind, each.value[-4:]) for each in find_values(text)] == [("PRIVATE_KEY", "----")]
    assert find_values(f"{begin}\nMIIabc")[0].end == len(f"{begin}\nMIIabc")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Call 138\u200b1234\u200b5678 now", "138\u200b1234\u200b5678"),
        ("电话 138\u00ad1234\u00ad5678。", "138\u00ad1234\u00ad5678"),
        ("anna\u200b.petrova@example.org", "anna\u200b.petrova@example.org"),
        ("<a>anna.petrova&#64;example.org</a>", "anna.petrova&#64;example.org"),
        ("anna.petrova&commat;example&#x2E;org", "anna.petrova&commat;example&#x2E;org"),
    ],
)
def test_signs_that_nobody_sees_hide_no_value(text: str, value: str):
    """The whole value is found at its place in the text, with the signs inside it."""
    (found,) = find_values(text)
    assert (found.value, text[found.start : found.end]) == (value, value)


def test_a_sign_between_two_values_does_not_join_them():
    """What is found without the closer look is still found."""
    found = find_values("13812345678\u200b13987654321 &amp; li@example.cn")
    assert [each.value for each in found] == ["13812345678", "13987654321", "li@example.cn"]
