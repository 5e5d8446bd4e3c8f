"""The score of one answer: a table computed by hand, and properties of every answer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.jobs.quality.expectation import Expectation
from assay.jobs.quality.score import (
    base_score,
    include_rate,
    question_score,
    score_answer,
    weighted_score,
)
from assay.text.language import language


def expects(
    *must_include: str,
    anyof: tuple[tuple[str, ...], ...] = (),
    no: tuple[str, ...] = (),
    cite: bool = False,
) -> Expectation:
    """A short way to write an expectation."""
    return Expectation(
        must_include=must_include,
        must_include_any=anyof,
        must_not_include=no,
        require_citation=cite,
    )


REVENUE = expects("12 641,0", "7,6%", cite=True)
HOLES = expects("2023", no=("XX", "??"))

# Each row: the expectation, the answer, and the values computed by hand: include_rate, safe_ok,
# citation_penalty and max(0, 0.7 · include_rate + 0.3 · safe_ok − citation_penalty).
TABLE: list[tuple[Expectation, str, float, float, float, float]] = [
    # Russian
    (REVENUE, "Выручка 12 641,0 млн руб., рост 7,6% (стр. 8).", 1.0, 1.0, 0.0, 1.0),
    (REVENUE, "Выручка — 12641 млн руб. (стр. 8).", 0.5, 1.0, 0.0, 0.65),
    (REVENUE, "Выручка **12 641,0** млн руб., рост 7,6 процента.", 1.0, 1.0, 0.2, 0.8),
    (REVENUE, "В документе не указано.", 0.0, 1.0, 0.2, 0.1),
    (expects("235"), "Итого 1235 штук.", 0.0, 1.0, 0.0, 0.3),
    (expects("235"), "Итого 235,0 штук.", 1.0, 1.0, 0.0, 1.0),
    (HOLES, "Отчёт за 20XX год.", 0.0, 0.0, 0.0, 0.0),
    (HOLES, "За 2023 год — ??", 1.0, 0.0, 0.0, 0.7),
    (HOLES, "За 2023 год, размер XXL.", 1.0, 1.0, 0.0, 1.0),
    (expects("5%"), "Доля выросла до 75%.", 0.0, 1.0, 0.0, 0.3),
    (expects("расчет"), "Взаимный РАСЧЁТ завершён.", 1.0, 1.0, 0.0, 1.0),
    (expects("зачёт"), "Принято к зачёту.", 1.0, 1.0, 0.0, 1.0),
    (expects("выручк"), "Выручить удалось мало.", 0.0, 1.0, 0.0, 0.3),
    (expects(anyof=(("зачёт", "зачёту"),)), "Принято к зачету.", 1.0, 1.0, 0.0, 1.0),
    (
        expects("рост", anyof=(("плитка", "плитки"), ("посуда",))),
        "Продано меньше плитки.",
        1 / 3,
        1.0,
        0.0,
        0.533333333333,
    ),
    (expects(cite=True), "Да, с. 12.", 1.0, 1.0, 0.0, 1.0),
    (expects(cite=True), "Да, на двенадцатой.", 1.0, 1.0, 0.2, 0.8),
    (expects(no=("штраф",), cite=True), "Штраф есть.", 1.0, 0.0, 0.2, 0.5),
    (expects("пеня", no=("штраф",), cite=True), "Штраф.", 0.0, 0.0, 0.2, 0.0),
    (expects("18 января 2024 года"), "Подписано 18.01.2024.", 1.0, 1.0, 0.0, 1.0),
    (expects("1 200,0"), "1\u00a0200,0\u202fмлн руб.", 1.0, 1.0, 0.0, 1.0),
    (expects("37,4"), "37,4 тыс. руб. в месяц", 1.0, 1.0, 0.0, 1.0),
    (expects("37 400 руб."), "37,4 тыс. руб. в месяц", 1.0, 1.0, 0.0, 1.0),
    (expects("не указано"), "Срок не **указано**", 1.0, 1.0, 0.0, 1.0),
    # Chinese
    (expects("42000元"), "共计四万二千元。", 1.0, 1.0, 0.0, 1.0),
    (expects("第3条", cite=True), "依照第３条（第12页）。", 1.0, 1.0, 0.0, 1.0),
    (expects("第3条", cite=True), "依照第13条（第十二页）。", 0.0, 1.0, 0.0, 0.3),
    (expects("违约金"), "須支付違約金。", 1.0, 1.0, 0.0, 1.0),
    (expects("百分之五"), "比例为５％。", 1.0, 1.0, 0.0, 1.0),
    (expects(no=("免除",)), "不得免除责任。", 1.0, 0.0, 0.0, 0.7),
    (expects("三十日", "乙方", cite=True), "甲方应在三十日内支付。", 0.5, 1.0, 0.2, 0.45),
    (expects("2020年8月30日"), "签订于2020-08-30。", 1.0, 1.0, 0.0, 1.0),
    (expects(anyof=(("无法确定", "未提及"),)), "文档未提及。", 1.0, 1.0, 0.0, 1.0),
    # English
    (expects("42,000", cite=True), "$42,000.00 in total (p. 3).", 1.0, 1.0, 0.0, 1.0),
    (expects("art"), "From the start.", 0.0, 1.0, 0.0, 0.3),
    (expects("not later than", cite=True), "NOT  later\nthan Friday, page 4", 1.0, 1.0, 0.0, 1.0),
    (expects("efficient"), "An eﬃcient plant.", 1.0, 1.0, 0.0, 1.0),
    (expects("settlement"), "The settle-\nment.", 1.0, 1.0, 0.0, 1.0),
    (expects("Aug 30, 2020"), "On 30 August 2020.", 1.0, 1.0, 0.0, 1.0),
    (expects("3.5 million"), "3,500,000 units", 1.0, 1.0, 0.0, 1.0),
    (expects("1.5", no=("15",)), "It is 1.5.", 1.0, 1.0, 0.0, 1.0),
    (expects("1.5", no=("15",)), "It is 1.5, not 15.", 1.0, 0.0, 0.0, 0.7),
    (expects(), "", 1.0, 1.0, 0.0, 1.0),
]


@pytest.mark.parametrize(("expected", "answer", "rate", "safe", "penalty", "score"), TABLE)
def test_the_worked_table(
    expected: Expectation, answer: str, rate: float, safe: float, penalty: float, score: float
):
    """Every answer gets the score that the formula gives by hand."""
    metrics = score_answer(expected, "", answer, None)["metrics"]
    values = (
        metrics["include_rate"],
        metrics["safe_ok"],
        metrics["citation_penalty"],
        metrics["score"],
    )
    assert values == pytest.approx((rate, safe, penalty, score))
    assert metrics["question_score"] == metrics["score"]


def test_the_table_has_three_languages_and_enough_rows():
    """The table has at least thirty answers and covers all three languages."""
    assert len(TABLE) >= 30
    assert {language(answer) for _, answer, *_ in TABLE} == {"zh", "ru", "en"}


def test_the_formula_is_the_documented_one():
    """The weights are 0.7 and 0.3, and the penalty never makes a score negative."""
    assert base_score(1.0, 0.0) == 0.7
    assert base_score(0.0, 1.0) == 0.3
    assert question_score(0.0, 0.0, 0.2) == 0.0
    assert include_rate(0, 0) == 1.0


def test_a_match_says_which_alternative_and_where():
    """The row contains the matching phrase, its text in the answer, and its offsets."""
    answer = "Пуск намечен на III квартал 2026 года (стр. 12)."
    expected = expects(anyof=(("третий квартал 2026 года", "III квартал 2026 года"),), no=("2027",))
    required, forbidden = score_answer(expected, "", answer, None)["matches"]
    assert required["phrase"] == "III квартал 2026 года"
    assert answer[required["start"] : required["end"]] == "III квартал 2026 года"
    assert required["text"] == "III квартал 2026 года"
    assert required["wanted"] == ["третий квартал 2026 года", "III квартал 2026 года"]
    assert forbidden == {
        "rule": "must_not_include",
        "wanted": ["2027"],
        "phrase": None,
        "text": None,
        "start": None,
        "end": None,
    }


@pytest.mark.parametrize(
    "answer",
    [
        "Да (стр. 4).",
        "Да, стр. 4",
        "Да [с. 4]",
        "Yes, p. 4",
        "Yes (page 4)",
        "是（第4页）",
        "第4页",
    ],
)
def test_every_way_to_cite_a_page_counts(answer: str):
    """A page may be cited with or without brackets, in three languages."""
    row = score_answer(expects(cite=True), "", answer, ["", "", "", ""])
    assert row["metrics"]["citation_penalty"] == 0.0
    assert row["metrics"]["citation_ok"] is True
    assert row["metrics"]["citation_page_exists"] is True
    assert row["cited_pages"] == [4]


@pytest.mark.parametrize("answer", ["Да [4].", "Да.", "См. страницы отчёта.", "В 2004 году."])
def test_text_without_a_page_number_is_no_citation(answer: str):
    """A passage number, a year, or the word "page" alone does not cite a page."""
    metrics = score_answer(expects(cite=True), "", answer, [""])["metrics"]
    assert metrics["citation_penalty"] == 0.2
    assert metrics["citation_ok"] is False
    assert metrics["citation_page_exists"] is None


def test_wrong_pages_do_not_change_the_score():
    """A page that does not exist or does not contain the fact is reported but costs nothing."""
    expected = expects("4 547", cite=True)
    pages = ["Вступление.", "Работало 4 547 человек."]
    right_page = score_answer(expected, "Сколько?", "4547 человек (стр. 2).", pages)
    wrong_page = score_answer(expected, "Сколько?", "4547 человек (стр. 1).", pages)
    missing_page = score_answer(expected, "Сколько?", "4547 человек (стр. 9).", pages)
    for row, exists, supported in (
        (right_page, True, True),
        (wrong_page, True, False),
        (missing_page, False, False),
    ):
        assert row["metrics"]["score"] == 1.0
        assert row["metrics"]["citation_page_exists"] is exists
        assert row["metrics"]["citation_supported"] is supported
    assert wrong_page["unsupported"] == ["4 547", "4547"]


def test_an_abstention_has_nothing_to_support():
    """For an answer that abstains, ``citation_supported`` is undefined, not true or false."""
    row = score_answer(expects("не указано"), "", "В документе не указано (стр. 1).", ["Текст."])
    assert row["metrics"]["citation_supported"] is None


def test_without_pages_citations_are_not_checked():
    """If the document's pages are not known, both checks of citations are undefined."""
    metrics = score_answer(expects(), "", "Да (стр. 1).", None)["metrics"]
    assert metrics["citation_page_exists"] is None
    assert metrics["citation_supported"] is None


def test_weighted_score_by_hand():
    """The result is (1.0·1.5 + 0.3·1.0 + 0.65·0.5) / 3.0, and ``None`` if all weights are 0."""
    assert weighted_score([(1.0, 1.5), (0.3, 1.0), (0.65, 0.5)]) == pytest.approx(2.125 / 3)
    assert weighted_score([(1.0, 0.0)]) is None
    assert weighted_score([]) is None


PHRASES = [
    "235", "1235", "5%", "75%", "12 641,0", "млн", "зачёт", "XX", "违约金", "四万二千元", "42,000",
    "Article 5", "не указано", "18.01.2024", "??", "p. 4", "третий квартал",
]  # fmt: skip
phrases = st.sampled_from(PHRASES)
phrase_lists = st.lists(phrases, max_size=4).map(tuple)
expectations = st.builds(
    Expectation,
    must_include=phrase_lists,
    must_include_any=st.lists(st.lists(phrases, min_size=1, max_size=3).map(tuple), max_size=2).map(
        tuple
    ),
    must_not_include=phrase_lists,
    require_citation=st.booleans(),
)
answers = st.lists(st.one_of(phrases, st.text(max_size=30)), max_size=6).map("\n".join)


def score(expected: Expectation, answer: str) -> float:
    """The score of an answer without the other fields."""
    value: float = score_answer(expected, "", answer, None)["metrics"]["score"]
    return value


def test_thoughts_are_no_answer():
    """Phrases and pages of a thought do not count, and a match has its place in the whole text."""
    answer = "<think>12 crowns, page 4, or illegal?</think> It is 30 days."
    expected = Expectation(
        must_include=("12 crowns", "30 days"), must_not_include=("illegal",), require_citation=True
    )
    row = score_answer(expected, "How long?", answer, None)
    assert row["metrics"]["include_hits"] == 1
    assert (row["metrics"]["safe_ok"], row["metrics"]["citation_ok"]) == (1.0, False)
    (match,) = [each for each in row["matches"] if each["phrase"]]
    assert answer[match["start"] : match["end"]] == match["text"] == "30 days"


@given(expectations, answers)
def test_a_score_lies_between_zero_and_one(expected: Expectation, answer: str):
    """For any expectation and answer the score is in 0..1, and the offsets of matches are right."""
    row: dict[str, Any] = score_answer(expected, "", answer, [answer])
    assert 0.0 <= row["metrics"]["score"] <= 1.0
    for match in row["matches"]:
        if match["phrase"] is not None:
            assert answer[match["start"] : match["end"]] == match["text"] != ""


@given(expectations, answers, st.data())
def test_adding_a_required_phrase_never_lowers_the_score(
    expected: Expectation, answer: str, data: st.DataObject
):
    """Adding a required phrase that is not also forbidden never lowers the score."""
    required = [
        *expected.must_include,
        *(phrase for group in expected.must_include_any for phrase in group),
    ]
    if not required:
        return
    phrase = data.draw(st.sampled_from(required))
    alone = score_answer(Expectation(must_not_include=expected.must_not_include), "", phrase, None)
    if alone["metrics"]["safe_ok"] == 1.0:
        longer = f"{answer}\n\n\n{phrase}"
        assert score(expected, longer) >= score(expected, answer)


@given(expectations, answers, st.data())
def test_adding_a_forbidden_phrase_never_raises_the_score(
    expected: Expectation, answer: str, data: st.DataObject
):
    """Adding a forbidden phrase that is not required and cites nothing never raises the score."""
    without_forbidden = Expectation(
        must_include=expected.must_include,
        must_include_any=expected.must_include_any,
        require_citation=expected.require_citation,
    )
    if not expected.must_not_include:
        return
    phrase = data.draw(st.sampled_from(expected.must_not_include))
    longer = f"{answer}\n\n\n{phrase}"
    if (
        score_answer(without_forbidden, "", longer, None)["metrics"]
        == score_answer(without_forbidden, "", answer, None)["metrics"]
    ):
        assert score(expected, longer) <= score(expected, answer)
        assert score_answer(expected, "", longer, None)["metrics"]["safe_ok"] == 0.0


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 100)), min_size=1),
    st.floats(0.01, 100),
)
def test_weights_scale_out(pairs: list[tuple[float, float]], factor: float):
    """Multiplying all weights by a factor changes nothing, and the result is within the scores."""
    result = weighted_score(pairs)
    assert result == pytest.approx(
        weighted_score([(value, weight * factor) for value, weight in pairs]), abs=1e-9
    )
    assert result is not None
    assert min(value for value, _ in pairs) - 1e-9 <= result
    assert result <= max(value for value, _ in pairs) + 1e-9
