import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.search_term import exact_match, find_phrase

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=150)
ANY = st.text(st.characters(exclude_categories=()))

FOUND = [
    ("42000元", "共计四万二千元。", "四万二千元"), ("42000元", "支付4.2万元", "4.2万元"), ("42000元", "支付４２，０００元", "４２，０００元"),
    ("42000", "支付42,000元", "42,000"), ("42 000 руб.", "итого 42\u00a0000 рублей в год", "42\u00a0000 рублей"),
    ("235,0", "ставка 235.0", "235.0"), ("235", "235,0", "235,0"),
    ("выручка 235 млн", "Выручка 235\u202fмлн руб.", "Выручка 235\u202fмлн"),
    ("1.5 million", "1,500,000 people", "1,500,000"), ("2023", "30.08.2023", "2023"),
    ("2023", "за 2023 год", "2023"), ("5%", "5 процентов", "5 процентов"), ("5%", "利率为百分之五。", "百分之五"),
    ("5", "ставка 5%", "5"), ("12,5", "12.5 %", "12.5"), ("$5", "price: 5 USD", "5 USD"),
    ("5 долларов", "за $5", "$5"), ("5-10 млн", "от 5–10 млн", "5–10 млн"), ("-5", "до -5 градусов", "-5"),
    ("第3条", "见第 ３ 条", "第 ３ 条"), ("第三条", "见第3条", "第3条"), ("第三", "见第三条", "第三"),
    ("30 августа 2020", "подписан 30.08.2020 г.", "30.08.2020"),
    ("2020年8月30日", "on Aug 30, 2020.", "Aug 30, 2020"), ("2020-08-30", "二〇二〇年八月三十日左右", "二〇二〇年八月三十日"),
    ("август 2020", "в августе 2020 г.", "августе 2020 г."), ("Art", "the ART of", "ART"),
    ("елка", "Ёлка.", "Ёлка"), ("ещё раз", "ЕЩЕ  \n раз", "ЕЩЕ  \n раз"), ("北京 大学", "在北京大学", "北京大学"),
    ("北京大学", "北京 大学", "北京 大学"), ("合同", "签订合同。", "合同"), ("合同。", "合同已签", "合同"),
    ("договор.", "по договор подписан", "договор"), ("“Go”", 'he said "go"', "go"), ("a—b", "a-b", "a-b"),
    ("??", "что？？", "？？"), ("XX", "in xx", "xx"), ("млн руб", "235 млн руб.", "млн руб"),
    ("рублей", "5 рублей", "рублей"), ("информация", "вся инфор-\nмация тут", "инфор-\nмация"),
    ("из-за", "из-\nза дождя", "из-\nза"), ("мир\u00adный", "мирный", "мирный"), ("final", "ﬁnal", "ﬁnal"),
    ("C++", "in c++ code", "c++"), ("3.2.1", "п. 3.2.1 договора", "3.2.1"), ("不得", "不得转让", "不得"),
    ("не превышает 5", "не превышает 5%", "не превышает 5"), ("RAG", "RAG系统", "RAG"),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "text", "piece"), FOUND)
def test_a_phrase_is_found_in_any_notation(phrase: str, text: str, piece: str):
    """A phrase is found in any notation, and its span is in the original text."""
    span = find_phrase(phrase, text)
    assert span is not None
    assert span.of(text) == piece


NOT_FOUND = [
    ("235", "1235"), ("235", "2350"), ("2023", "12023"), ("5%", "75%"), ("5%", "5"), ("5", "1.5"), ("5", "1,5"),
    ("42", "42,000"), ("42", "42 000"), ("000", "42 000"), ("5", "-5"), ("5", "5 млн"), ("2.1", "п. 3.2.1"),
    ("5 руб.", "$5"), ("二千", "四万二千"), ("3年", "13年"), ("1 августа 2020", "21 августа 2020"),
    ("30.08.2020", "30.08.2021"), ("art", "start"), ("art", "article"), ("C", "CORRECT"),
    ("correct", "INCORRECT"), ("договор", "договора"), ("base ball", "baseball"), ("a b", "a, b"),
    ("превышает 5", "превышает 6"), ("必须付款", "必须不付款"), ("must pay", "must not pay"), ("", "abc"), (" ", "a b"),
    ("abc", ""),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "text"), NOT_FOUND)
def test_a_phrase_that_the_text_does_not_contain_is_not_found(phrase: str, text: str):
    """Parts of numbers and words, other units and other inflections do not match the phrase."""
    assert find_phrase(phrase, text) is None


@PROPERTY
@given(ANY, ANY, ANY)
def test_matching_never_raises(phrase: str, before: str, after: str):
    """Any two strings can be compared, and the span is inside the text."""
    text = before + phrase + after
    span = find_phrase(phrase, text)
    assert span is None or 0 <= span.start < span.end <= len(text)


@PROPERTY
@given(
    st.text(st.sampled_from("абвгABC合同第条 ё"), min_size=1), st.text(st.sampled_from(" .，\n"))
)
def test_a_phrase_between_separators_is_found(phrase: str, around: str):
    """A phrase with a letter is found between punctuation marks or spaces."""
    if phrase.strip():
        assert find_phrase(phrase, f"{around} {phrase} {around}") is not None


EXACT = [
    ("在北京。", "在北京", True), ("北 京", "北京", True), ("四万二千元", "42,000元。", True), ("42000元", "４２０００元", True),
    ("2020年8月30日", "2020-08-30", True), ("30 августа 2020 г.", "Aug 30, 2020", True), ("Ёлка", "елка!", True),
    ("The cat", "cat.", True), ("«Ромашка»", '"Ромашка"', True), ("235,0", "235.0", True),
    ("$5", "5 долларов", True), ("в Москве", "Москва", False), ("北京", "南京", False), ("5%", "5", False),
    ("235", "1235", False), ("A", "B", False), ("A", "", False), ("", "", True),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "same"), EXACT)
def test_exact_match(a: str, b: str, same: bool):
    """An exact match ignores notation, but not different words."""
    assert exact_match(a, b) is same
    assert exact_match(b, a) is same


@PROPERTY
@given(ANY)
def test_an_answer_matches_itself(text: str):
    """Any text is an exact match of itself."""
    assert exact_match(text, text)
