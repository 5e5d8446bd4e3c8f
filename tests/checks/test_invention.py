"""Details that an answer adds to its sources."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.checks.invention import inventions, severity

RECORD = (
    (
        "Statement of Jan Groot, page 1. I paid £4,200 on 17 June 2031 at 11.10 pm to account"
        " 6228 4400 1736 5521, twice. Two men watched. Write to jan@groot.example; my plate is KX31 TLB."
    ),
    "Who paid?",
)
RECORD_RU = (
    "Иванов Пётр заплатил Симаковой 5 000 рублей 3 мая 2031 года по делу А40-1234/2031.",
    "?",
)
RECORD_ZH = (
    "成龙飞于2031年5月3日借款5000元、6000元和7000元给王建国，微信号wxid_ab12。共三笔，每月付息。",
    "？",
)


def names(answer: str, sources: tuple[str, ...]) -> list[tuple[str, str]]:
    """Kind and text of each invention."""
    return [(invention.kind, invention.text) for invention in inventions(answer, sources)]


@pytest.mark.parametrize(
    ("answer", "sources", "expected"),
    [
        ("He paid £5,200.", RECORD, [("number", "£5,200")]),
        ("It was 35% of it.", RECORD, [("number", "35%")]),
        ("He waited 3 days.", RECORD, [("number", "3")]),
        ("On 18 June 2031 at 23:15.", RECORD, [("date", "18 June 2031"), ("time", "23:15")]),
        ("Write to jan@other.example.", RECORD, [("contact", "jan@other.example")]),
        ("Call 0417 555 0161.", RECORD, [("account", "0417 555 0161")]),
        ("Its plate was QX77.", RECORD, [("code", "QX77")]),
        ("It was Marcus Hale.", RECORD, [("name", "Marcus Hale")]),
        ("Marcus Hale did it.", RECORD, [("name", "Marcus Hale")]),
        ("Mr. J. Hale of Osterville paid.", RECORD, [("name", "J. Hale of Osterville")]),
        ("Деньги вернул Гаврилов.", RECORD_RU, [("name", "Гаврилов")]),
        (
            "Он купил «Ладу» за 6 000 рублей.",
            RECORD_RU,
            [("name", "Ладу"), ("number", "6 000 рублей")],
        ),
        ("成龙飞的微信号是clf_888666。", RECORD_ZH, [("code", "clf_888666")]),
        ("微信号是wxid_zz99。", RECORD_ZH, [("code", "wxid_zz99")]),
        ("车牌为京A12345。", RECORD_ZH, [("code", "A12345")]),
        ("案号为（2023）京0101民初123号。", RECORD_ZH, [("code", "（2023）京0101民初123号")]),
        ("张经理和李志强在场。", RECORD_ZH, [("name", "张经理"), ("name", "李志强")]),
    ],
)
def test_a_detail_that_no_source_has_is_reported(
    answer: str, sources: tuple[str, ...], expected: list[tuple[str, str]]
):
    """Numbers, dates, times, addresses, accounts, identifiers and names are found with their kind."""
    assert names(answer, sources) == expected
    for invention in inventions(answer, sources):
        assert invention.span.of(answer) == invention.text


@pytest.mark.parametrize(
    ("answer", "sources"),
    [
        ("Groot paid £4200 on 17.06.2031 at 23:10.", RECORD),
        ("He paid four thousand two hundred pounds in June 2031.", RECORD),
        ("Account 6228440017365521, plate kx31 tlb.", RECORD),
        ("There are three versions of it, and I see 2 reasons.", RECORD),
        ("1. He paid.\n2) He left.\n(3) See page 14, clause 12.3 and [15].", RECORD),
        ("However, nobody knows, see it.\n**Payment Date**: it is said.\n# Final Summary", RECORD),
        ("Петру Иванову Симакова вернула 5000 рублей.", RECORD_RU),
        ("Номер дела: А40-1234/2031, стр. 12, п. 4.5.", RECORD_RU), ("4、是。4）不是（4）见第12页第三条。", RECORD_ZH),
        ("成龙飞2031年5月借出三笔。", RECORD_ZH), ("1. 5000元\n2. 6000元\n3. 7000元\n合计：18000元", RECORD_ZH),
        ("共计18000元，其中5000元、6000元、7000元。", RECORD_ZH), ("王建國收到7千元。", RECORD_ZH),
        ("Cheng Longfei lent it to Wang Jianguo.", RECORD_ZH),
        ("$ \\underline{\\text{王建国}} $ 还款 $\\text{5000}$ 元", RECORD_ZH),
    ],
)  # fmt: skip
def test_what_the_sources_say_otherwise_and_what_is_no_detail_is_not_reported(
    answer: str, sources: tuple[str, ...]
):
    """Other notations and cases, list numbers, references, counts, titles and totals add nothing."""
    assert names(answer, sources) == []


def test_what_the_question_says_is_not_invented():
    """The last source is the question; a detail of it is known, of any other question it is not."""
    assert names("Marcus Hale paid.", (RECORD[0], "Did Marcus Hale pay?")) == []
    assert names("Marcus Hale paid.", RECORD) == [("name", "Marcus Hale")]


def test_a_total_needs_its_parts():
    """A number beside amounts that do not add up to it is invented."""
    assert names("5000元、6000元，合计18000元", RECORD_ZH) == [("number", "18000元")]


def test_severity_weighs_by_the_penalty():
    """Two inventions have a severity of 2, 1 and 0.5 with a high, medium and low penalty."""
    details = inventions("Marcus Hale paid £77 then.", RECORD)
    assert [severity(details, penalty) for penalty in ("high", "medium", "low", -3)] == [
        2,
        1,
        0.5,
        6,
    ]


@given(st.sampled_from([RECORD, RECORD_RU, RECORD_ZH]), st.text(max_size=40))
def test_a_source_adds_nothing_to_itself(sources: tuple[str, ...], rest: str):
    """An answer that repeats a source invents nothing, whatever the other source is."""
    assert names(sources[0], (sources[0], rest)) == []


@given(st.text(max_size=80), st.text(max_size=40))
def test_any_answer_can_be_checked(answer: str, source: str):
    """Nothing raises, and the inventions are in the answer in order without an overlap."""
    spans = [invention.span for invention in inventions(answer, [source])]
    assert all(first.end <= second.start for first, second in itertools.pairwise(spans))


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("It takes (about one month).", "It takes a month."),
        ("It was paid by Acme Holdings Limited.", "Acme Holdings Ltd. paid it."),
        ("1" * 40, "1" * 40),
    ],
)
def test_another_form_of_a_detail_is_no_invention(answer: str, source: str):
    """A month, the legal form of a company, and a number of any length."""
    assert inventions(answer, [source]) == []
