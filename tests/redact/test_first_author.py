"""What is found in sentences of an author who had not seen the rules.

``docs/evidence/redaction.md`` has the figures of the first time, before anybody looked at the sentences, and
those after the rules were repaired. The rules now know these sentences: the floors only hold what was
reached.
"""

from collections import Counter
from collections.abc import Iterable

import pytest

from assay.redact.find import find_values
from tests.redact.first_author import LOOKALIKES, VALUES
from tests.redact.test_find import CHECKED

Labelled = tuple[str, tuple[tuple[str, int, int], ...]]


def counts(texts: Iterable[Labelled]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """For each kind: the values, those that were found whole, and what was found by mistake."""
    values: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    mistakes: Counter[str] = Counter()
    for text, places in texts:
        found = find_values(text)
        for kind, start, end in places:
            values[kind] += 1
            hits[kind] += any(each.start <= start and end <= each.end for each in found)
        for each in found:
            if not any(each.start < end and start < each.end for _, start, end in places):
                mistakes[each.kind] += 1
    return values, hits, mistakes


def test_labels_are_where_they_say():
    """The set itself is sound: every label is a part of its text without spaces at its ends."""
    for text, places in VALUES:
        for _, start, end in places:
            assert 0 <= start < end <= len(text)
            assert text[start:end].strip() == text[start:end]
    assert sum(len(places) for _, places in VALUES) >= 250
    assert len(LOOKALIKES) >= 120


@pytest.mark.parametrize(
    ("kinds", "recall", "precision"),
    [(CHECKED, 0.98, 0.98), ({"PHONE", "EMAIL"}, 0.97, 0.97), (set(), 0.98, 0.98)],
    ids=["checked", "phones and e-mails", "all"],
)
def test_recall_and_precision(kinds: set[str], recall: float, precision: float):
    """No class that was repaired is lost again."""
    values, hits, mistakes = counts((*VALUES, *LOOKALIKES))
    chosen = kinds or {*values, *mistakes}
    found = sum(hits[kind] for kind in chosen)
    assert found >= recall * sum(values[kind] for kind in chosen)
    assert found >= precision * (found + sum(mistakes[kind] for kind in chosen))


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("name,phone\nAnn,555-0100", "PHONE", "555-0100"),
        ("| ИНН | сумма |\n| 7707083893 | 10 |", "INN", "7707083893"),
        ("Ведомость\n№\tИмя\tИНН\n1\tОля\t7707083893", "INN", "7707083893"),
        ("ОГРНИП 320779343035290 в реестре", "OGRN", "320779343035290"),
        ("Flat 12, 7 Orchard Road\nLeeds LS1 4AP", "ADDRESS", "Flat 12, 7 Orchard Road\nLeeds LS1 4AP"),
        ("тел . +7  ( 831 )  436 - 52 - 09 ,", "PHONE", "+7  ( 831 )  436 - 52 - 09"),
        ("卡 6 2 2 2 0 2 1 1 0 3 0 8 4 6 5 9 2 7 6 。", "CARD", "6 2 2 2 0 2 1 1 0 3 0 8 4 6 5 9 2 7 6"),
        ("port learned 00e0.4c68.0a1f on vlan", "MAC", "00e0.4c68.0a1f"),
        ("杭州市西湖区文三路90-3号东软大厦B座1203", "ADDRESS", "杭州市西湖区文三路90-3号东软大厦B座1203"),
    ],
)  # fmt: skip
def test_classes_that_were_repaired_in_other_words(text: str, kind: str, value: str):
    """Tables, scans, flats before houses, MAC addresses with dots, buildings after houses."""
    assert (kind, value) in [(each.kind, each.value) for each in find_values(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Serial 608-555-0127B is out of stock.",
        "общая площадь 84 кв. м, жилая площадь 52",
        "steps 01-02-03-04-05-06 are done",
        "от 10 - 20 до 30 - 40 ( см. 5 )",
        "пациент 1986 г.р. поступил 02.02.2026",
        "name,total,date\nAnn,1000000,2024",
        "see the notes @example.com ( soon ) , please .",
    ],
)
def test_harmless_text_that_looks_like_the_repaired_classes(text: str):
    """What was repaired for one class does not take in its neighbours."""
    assert find_values(text) == []
