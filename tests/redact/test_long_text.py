"""The time for a long text grows with its length, whatever is in it."""

import re
from collections.abc import Callable
from time import thread_time

import pytest

from assay.redact.finding import Finding, without_overlaps
from assay.redact.known import KnownValues
from assay.redact.mask import Masker
from assay.redact.nearby_words import column_heading
from assay.redact.pseudonym import Forgotten

EMAILS = "ann.{0:05}.lee@mail{0}.example, "
BIRTHS = '{{"name": "Ann {0}", "birthday": "1980-01-02"}},\n'


def seconds(work: Callable[[str], object], text: str) -> float:
    """The shortest of three times that the work takes."""
    times = []
    for _ in range(3):
        start = thread_time()
        work(text)
        times.append(thread_time() - start)
    return min(times)


def masked(text: str) -> object:
    """The text, masked by somebody who knows nothing yet."""
    return Masker(Forgotten()).mask_all({"answer": text})


@pytest.mark.parametrize(
    ("repeated", "count"),
    [
        pytest.param(EMAILS, 2500, id="values"),
        pytest.param("\\" * 10, 400, id="backslashes"),
        pytest.param("&amp;" + EMAILS, 700, id="references"),
        pytest.param(BIRTHS, 50, id="births"),
    ],
)
def test_four_times_the_text_takes_about_four_times_as_long(repeated: str, count: int):
    """Time that grows with the square of the length would be sixteen times as long."""
    text = "".join(map(repeated.format, range(4 * count)))
    assert seconds(masked, text) < 9 * seconds(masked, text[: len(text) // 4])


def test_marks_of_cut_texts_cost_little():
    """Before such a mark only what is after the last one can be the beginning of a value."""
    assert seconds(masked, "abcdefgh… " * 2000) < 10 * seconds(masked, "abcdefgh. " * 2000)


def test_columns_of_a_long_line_are_counted_once():
    """A table may have all its values in one line below its headings."""

    def headings(text: str) -> None:
        for match in re.finditer("[0-9]{7}", text):
            column_heading(text, match.start())

    def table(count: int) -> str:
        cells = "".join(f"{number:07} {'x' * 200}; " for number in range(count + 1))
        return f"tel; {'name; ' * count}\n{cells}"

    assert column_heading(table(9), table(9).index("0000001")) == " name"
    assert seconds(headings, table(2000)) < 9 * seconds(headings, table(500))


def test_values_beside_many_telephones_are_looked_up():
    """Whether a value is the end of a telephone does not depend on all other telephones."""

    def findings(count: int) -> list[Finding]:
        phones = [Finding(40 * at, 40 * at + 16, "PHONE", "8 916 123-45-67") for at in range(count)]
        ends = [Finding(40 * at + 2, 40 * at + 16, "INN", "7707083893") for at in range(count)]
        others = [Finding(40 * at + 20, 40 * at + 30, "INN", "7707083893") for at in range(count)]
        return [*phones, *ends, *others]

    kept = without_overlaps(findings(500))
    assert {each.kind: each.start % 40 for each in kept} == {"PHONE": 0, "INN": 20}
    assert len(kept) == 1000
    small, large = findings(500), findings(2000)
    assert seconds(lambda _: without_overlaps(large), "") < 9 * seconds(
        lambda _: without_overlaps(small), ""
    )


def test_very_many_known_values_are_found_as_few_are():
    """Also between Chinese characters, beginning with a sign, and not inside a word."""
    values = [
        *(("EMAIL", f"user{number}@example.org") for number in range(5000)),
        ("PERSON", "陈明飞"),
        ("ADDRESS", "№7, Elm Road"),
        ("MESSENGER", "@ann_lee"),
    ]
    known = KnownValues()
    known.add(values)
    text = "ask user4999@example.org or xuser7@example.org, 见陈明飞了 (№7, Elm Road) @Ann_Lee"
    assert [each.value for each in known.find(text)] == [
        "user4999@example.org",
        "陈明飞",
        "№7, Elm Road",
        "@Ann_Lee",
    ]
