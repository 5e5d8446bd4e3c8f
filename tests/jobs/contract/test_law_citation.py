"""Citations of laws: parsing, comparison of names, and the findings of the check."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.jobs.contract.law import read_laws
from assay.jobs.contract.law_citation import (
    LawCitation,
    LawStore,
    LawText,
    canonical_article,
    check_law,
    law_citations,
)
from assay.text.normalise import Span
from tests.support.path import ROOT

SAMPLE = ROOT / "src/assay/data/samples/review/laws.jsonl"
DIGITS = "零一二三四五六七八九"


def chinese_numeral(number: int) -> str:
    """A number up to 9999 in Chinese numerals."""
    numeral, gap = "", False
    for unit, power in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit = number // power % 10
        if digit:
            numeral += ("零" if gap and numeral else "") + DIGITS[digit] + unit
        gap = not digit
    return numeral.removeprefix("一") if 10 <= number < 20 else numeral


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("《民法典》第五百八十五条", [("民法典", "585")]),
        ("依照《民法典》第五百八十五条第二款、第五百八十六条", [("民法典", "585"), ("民法典", "586")]),
        ("云州商事合同条例第十四条", [("云州商事合同条例", "14")]),
        ("《渔业条例》第14条至第16条", [("渔业条例", "14"), ("渔业条例", "15"), ("渔业条例", "16")]),
        ("ст. 330 ГК РФ", [("ГК РФ", "330")]),
        ("статьями 330 и 331 ГК РФ", [("ГК РФ", "330"), ("ГК РФ", "331")]),
        ("ст. 330–332 ГК РФ", [("ГК РФ", "330"), ("ГК РФ", "331"), ("ГК РФ", "332")]),
        ("«Хозяйственный кодекс Северной области», ст. 41", [("Хозяйственный кодекс Северной области", "41")]),
        ("по статье 41 Хозяйственного кодекса Северной области пеня снижается",
         [("Хозяйственного кодекса Северной области", "41")]),
        ("Лесной кодекс (ст. 12.1)", [("Лесной кодекс", "12.1")]),
        ("Harbour Contracts Act, section 22", [("Harbour Contracts Act", "22")]),
        ("Under the Harbour Contracts Act, Art. 12", [("Harbour Contracts Act", "12")]),
        ("section 22(1) of the Fair Dealing Ordinance of Port Selwyn",
         [("Fair Dealing Ordinance of Port Selwyn", "22")]),
        ("Articles 5 to 7 of the Pilots Code", [("Pilots Code", "5"), ("Pilots Code", "6"), ("Pilots Code", "7")]),
        ("as Art. 5 GDPR says", [("GDPR", "5")]),
        ("第三条", [(None, "3")]),
        ("see section 3", [(None, "3")]),
        ("no law at all", []),
    ],
)  # fmt: skip
def test_citations_are_read(text: str, expected: list[tuple[str | None, str]]):
    """The law may come before or after the articles, which may be a list, range or numeral."""
    assert [(citation.law, citation.article) for citation in law_citations(text)] == expected


def test_two_laws_in_a_text_keep_their_articles():
    """Each article is assigned to its own law, and the spans cover the articles."""
    text = "《渔业条例》第三条；ст. 7 ГК РФ; Pilots Code, section 9."
    citations = law_citations(text)
    assert [(cited.law, cited.article, cited.span.of(text)) for cited in citations] == [
        ("渔业条例", "3", "第三条"),
        ("ГК РФ", "7", "ст. 7"),
        ("Pilots Code", "9", "section 9"),
    ]


@given(st.integers(1, 1999))
def test_article_numerals_round_trip(number: int):
    """Chinese numerals, full-width digits and plain digits give the same article."""
    wide = "".join(chr(ord(digit) + 0xFEE0) for digit in str(number))
    for written in (chinese_numeral(number), wide, str(number)):
        citations = law_citations(f"《渔业条例》第{written}条")
        assert [citation.article for citation in citations] == [str(number)]
        assert canonical_article(f"第{written}条") == str(number)
        assert canonical_article(written) == str(number)


@given(st.integers(1, 400), st.integers(1, 20))
def test_ranges_name_every_article(first: int, more: int):
    """A range in any of the three languages cites its ends and all articles between them."""
    expected = [str(number) for number in range(first, first + more + 1)]
    last = first + more
    for text in (
        f"《渔业条例》第{first}条至第{last}条",
        f"ст. {first}–{last} ГК РФ",
        f"sections {first} to {last} of the Pilots Code",
    ):
        assert [citation.article for citation in law_citations(text)] == expected


@given(st.text(max_size=60))
def test_any_text_can_be_searched(text: str):
    """Any text can be parsed without an exception, and all spans are within the text."""
    for citation in law_citations(text):
        assert 0 <= citation.span.start < citation.span.end <= len(text)


@pytest.mark.parametrize(
    ("text", "quoted", "finding"),
    [
        ("Harbour Contracts Act, section 31", "Interest on a loan above 20% a year is not recoverable", "valid"),
        ("Harbour Contracts Act, section 31", "Interest on a loan above 30% a year is not recoverable", "text not in article"),
        ("Harbour Contracts Act, section 31", None, "valid"),
        ("Harbour Contracts Act, section 31", "  ", "valid"),
        ("Harbour Contracts Act, section 999", None, "article unknown"),
        ("Mountain Contracts Act, section 31", None, "law unknown"),
        ("section 31", None, "law unknown"),
        ("《云州商事合同条例》第四十一条", "借款利率不得超过年利率百分之十八", "valid"),
        ("《云州商事合同条例》第四十一条", "借款利率可以超过年利率百分之十八", "text not in article"),
        ("《云州商事合同条例》第四十条", None, "article unknown"),
        ("ст. 41 Хозяйственного кодекса Северной области", None, "valid"),
        ("ст. 41 Хозяйственного кодекса Северной области действует и теперь", None, "valid"),
    ],
)  # fmt: skip
def test_each_error_has_its_own_finding(text: str, quoted: str | None, finding: str):
    """An unknown law, an unknown article and a wrong quotation are three different findings."""
    (citation,) = law_citations(text)
    assert check_law(citation, quoted, read_laws(SAMPLE)) == finding


def test_an_abbreviation_in_the_store_names_its_law():
    """An alias names the law, and articles from several lines belong to the same law."""
    store = LawStore(
        [
            LawText(name="Речной кодекс", article="7", text="Сплав разрешён.", aliases=("РК",)),
            LawText(name="Речной кодекс", article="第八条", text="Сплав запрещён."),
        ]
    )
    assert len(store) == 2
    citation = LawCitation(law="РК", article="8", span=Span(start=0, end=1))
    assert check_law(citation, "Сплав запрещён", store) == "valid"
    assert check_law(citation, "Сплав разрешён", store) == "text not in article"


def test_traditional_characters_name_the_same_law():
    """The citation, the store and the quotation may all use traditional characters."""
    store = LawStore([LawText(name="渔业條例", article="第三條", text="船东应当报告渔获。")])
    (citation,) = law_citations("《漁業條例》第三條")
    assert check_law(citation, "船東應當報告漁獲", store) == "valid"
    assert check_law(citation, "船東不得報告漁獲", store) == "text not in article"


@pytest.mark.parametrize(
    ("text", "law", "article"),
    [
        ("Sale of Goods Act 1979, s. 14", "Sale of Goods Act 1979", "14"),
        ("Sale of Goods Act 1979 s 14(2)", "Sale of Goods Act 1979", "14"),
        ("s. 3 of the Harbour Contracts Act", "Harbour Contracts Act", "3"),
        ("ss. 12 Harbour Contracts Act 1998", "Harbour Contracts Act 1998", "12"),
        ("Art 5 GDPR", "GDPR", "5"),
    ],
)
def test_a_letter_beside_a_law_is_a_section(text: str, law: str, article: str):
    """Lawyers write "s. 14"; an invented section must not escape for it."""
    assert [(each.law, each.article) for each in law_citations(text)] == [(law, article)]


@pytest.mark.parametrize("text", ["it's 5 of those who act", "the tenants 3 or 4 act", "glass 5"])
def test_a_letter_elsewhere_is_none(text: str):
    """A lone s is no section."""
    assert law_citations(text) == []


def test_a_short_name_is_that_of_the_only_law_it_fits():
    """Initials, a name without its year and the state in full; never another year or code."""
    store = LawStore(
        [
            LawText(name="Гражданский кодекс РФ", article="333", text="Неустойка."),
            LawText(name="Sale of Goods Act 1979", article="14", text="Quality."),
            LawText(name="Harbour Act 1950", article="2", text="Old."),
            LawText(name="Harbour Act 1990", article="2", text="New."),
        ]
    )
    findings = {
        text: [check_law(each, None, store) for each in law_citations(text)]
        for text in (
            "ГК РФ, ст. 333",
            "п. 1 ст. 333 ГК РФ",
            "статья 333 Гражданского кодекса Российской Федерации",
            "Sale of Goods Act, section 14",
            "Sale of Goods Act 1893, section 14",
            "Harbour Act, section 2",
            "ст. 333 ТК РФ",
        )
    }
    assert list(findings.values()) == [*[["valid"]] * 4, *[["law unknown"]] * 3]


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("ГК", "Гражданский кодекс"),
        ("ТК", "Трудовой кодекс"),
        ("УК", "Уголовный кодекс"),
        ("АПК", "Арбитражный процессуальный кодекс"),
        ("УПК", "Уголовно-процессуальный кодекс"),
        ("ГрК", "Градостроительный кодекс"),
        ("КТМ", "Кодекс торгового мореплавания"),
        ("КоАП", "Кодекс об административных правонарушениях"),
        ("Конституция", "Конституция"),
    ],
)
@pytest.mark.parametrize("state", ["РФ", "Российской Федерации"])
@pytest.mark.parametrize("is_short", [False, True])
def test_a_code_has_its_abbreviation_and_its_state_in_either_form(
    short: str, full: str, state: str, *, is_short: bool
):
    """ГК РФ is the Гражданский кодекс Российской Федерации, whichever of them the laws have."""
    name = f"{short if is_short else full} {state}"
    store = LawStore([LawText(name=name, article="401", text="Текст.")])
    head, _, tail = full.partition(" ")
    cited = [
        *(f"ст. 401 {each}" for each in (short, f"{short} РФ", f"{short} Российской Федерации")),
        *(f"{each}, ст. 401" for each in (short, f"{short} РФ", full, f"{full} РФ")),
        f"{full} Российской Федерации (ст. 401)",
        f"по ст. 401 {full.lower()} РФ" if tail else f"ст. 401 {full}",
    ]
    if tail.startswith("об "):
        cited.append(f"{head} Российской Федерации {tail}, ст. 401")
    for text in cited:
        findings = [check_law(each, None, store) for each in law_citations(text)]
        assert findings == ["valid"], text


@pytest.mark.parametrize(
    "text",
    [
        "ст. 401 ГК РБ",
        "ст. 401 ГК Республики Беларусь",
        "ст. 401 Гражданского кодекса Республики Беларусь",
        "ст. 401 Градостроительного кодекса РФ",
        "ст. 401 ГрК РФ",
        "ст. 401 Гербового кодекса Российской Федерации",
        "ст. 401 ТК РФ",
        "ст. 401 ГПК РФ",
    ],
)
@pytest.mark.parametrize("name", ["ГК РФ", "Гражданский кодекс Российской Федерации"])
def test_the_code_of_another_state_or_subject_stays_unknown(name: str, text: str):
    """A name without its state does not stand for the code of another state."""
    store = LawStore([LawText(name=name, article="401", text="Текст.")])
    assert [check_law(each, None, store) for each in law_citations(text)] == ["law unknown"]


def test_initials_of_two_codes_are_those_of_the_code_that_is_abbreviated_so():
    """Градостроительный кодекс has the initials ГК too, but is not called so."""
    names = ("Гражданский кодекс РФ", "Градостроительный кодекс Российской Федерации")
    store = LawStore(LawText(name=name, article=str(n), text="") for n, name in enumerate(names, 1))
    texts = ("ст. 1 ГК РФ", "ст. 2 ГрК РФ", "ст. 2 ГК РФ")
    findings = [check_law(each, None, store) for text in texts for each in law_citations(text)]
    assert findings == ["valid", "valid", "article unknown"]


def test_the_parts_of_a_code_are_one_law():
    """The articles of a code are numbered through its parts, and cited without the part."""
    parts = ("Гражданский кодекс РФ (часть первая)", "Гражданский кодекс РФ, часть 2")
    store = LawStore(
        LawText(name=name, article=article, text="")
        for name, article in zip(parts, ("401", "779"), strict=True)
    )
    for text in ("ст. 401 ГК РФ", "ст. 779 Гражданского кодекса РФ"):
        assert [check_law(each, None, store) for each in law_citations(text)] == ["valid"]


@pytest.mark.parametrize(
    "name", ["民法典", "中华人民共和国民法典", "《中华人民共和国民法典》（2020年）"]
)
def test_a_chinese_law_needs_no_state(name: str):
    """中华人民共和国民法典 and 民法典 are one law, and so is 我国民法典."""
    store = LawStore([LawText(name=name, article="585", text="")])
    for law in (
        "《民法典》",
        "民法典",
        "《中华人民共和国民法典》",
        "中华人民共和国民法典",
        "我国民法典",
        "根据我国《民法典》",
    ):
        (citation,) = law_citations(f"{law}第五百八十五条")
        assert check_law(citation, None, store) == "valid", law


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("GDPR", "Article 5 of the General Data Protection Regulation"),
        ("General Data Protection Regulation", "Art. 5 GDPR"),
        ("中华人民共和国个人信息保护法", "《个保法》第五条"),
        ("消法", "《中华人民共和国消费者权益保护法》第5条"),
    ],
)
def test_abbreviations_of_other_languages_work_in_both_directions(name: str, text: str):
    """The laws of a file may have the short or the full name."""
    store = LawStore([LawText(name=name, article="5", text="")])
    assert [check_law(each, None, store) for each in law_citations(text)] == ["valid"]
