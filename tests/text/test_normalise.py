import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.normalise import normalise, normalised

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=300)
ANY = st.text(st.characters(exclude_categories=()))
TRICKY = st.text(
    st.sampled_from(
        "aA5 \n\t\u00a0\u202f\u200b\u00ad\u0301\u0308\u0300\u0345еёЁ第３，。“”«»—–-²½①⒈⁻ﬁŉǰΐßİ"
        "\u1100\u1161\u11a8ｶﾞ\u00a8\u00b4\ufe0f\x00漢体ﷺ٣𝟏\ud800"
    ),
    max_size=12,
)

CASES = [
    ("第３条", "第3条"), ("ＡＢＣ，（甲）", "ABC,(甲)"), ("42\u00a0000\u202f₽", "42 000 ₽"), ("a \t\r\n  b", "a b"),
    ("“a” «b» „c“ 「d」 『e』", '"a" "b" "c" "d" "e"'), ("don’t ‘x’", "don't 'x'"), ("《民法典》", "《民法典》"),
    ("a—b–c‑d−e", "a-b-c-d-e"), ("Ёлка, ещё", "Елка, еще"), ("е\u0308лка", "елка"),
    ("ﬁnal eﬀect", "final effect"), ("zero\u200bwidth\ufeff", "zerowidth"), ("co\u00adoperate", "cooperate"),
    ("инфор\u00ad\nмация", "информация"), ("a\x00b", "ab"), ("e\u200b\u0301", "é"), ("ｶﾞ", "ガ"), ("⼀⽉", "一月"),
    ("№ 5", "No 5"), ("…", "..."), ("2023¹", "2023^1"), ("¹2023", "1^2023"), ("м²", "м2"), ("10⁻³", "10^-3"),
    ("5½", "5 1/2"), ("①235", "(1)235"), ("⒈5", "(1)5"), ("5❷", "5(2)"), ("", ""), (" a ", " a "),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_one_spelling(text: str, expected: str):
    """Text that looks the same gets the same spelling, and separate digits are not joined."""
    assert normalised(text) == expected
    assert normalise(text).text == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("ЁЛКА Straße", "елка strasse"), ("ＡＢＣ", "abc"), ("İ", "i̇")]
)
def test_case_is_folded_on_request(text: str, expected: str):
    """Case folding is optional, and is combined with the other steps."""
    assert normalised(text, fold_case=True) == expected


@PROPERTY
@given(st.one_of(ANY, TRICKY), st.booleans())
def test_a_second_pass_changes_nothing(text: str, fold_case: bool):
    """Normalising is idempotent for any string, including lone surrogates."""
    once = normalised(text, fold_case=fold_case)
    assert normalised(once, fold_case=fold_case) == once


@PROPERTY
@given(st.one_of(ANY, TRICKY), st.booleans())
def test_both_functions_agree(text: str, fold_case: bool):
    """``normalised`` returns the same text as ``normalise``."""
    assert normalised(text, fold_case=fold_case) == normalise(text, fold_case=fold_case).text


@PROPERTY
@given(st.one_of(ANY, TRICKY), st.booleans(), st.data())
def test_offsets_lead_back(text: str, fold_case: bool, data: st.DataObject):
    """The normal form of the original span of any piece contains the piece."""
    form = normalise(text, fold_case=fold_case)
    start = data.draw(st.integers(0, len(form.text)))
    end = data.draw(st.integers(start, len(form.text)))
    span = form.original_span(start, end)
    assert 0 <= span.start <= span.end <= len(text)
    assert form.text[start:end] in normalised(span.of(text), fold_case=fold_case)


@PROPERTY
@given(st.one_of(ANY, TRICKY))
def test_original_spans_are_in_order(text: str):
    """Later characters never come from earlier parts of the original text."""
    form = normalise(text)
    spans = [form.original_span(i, i + 1) for i in range(len(form.text))]
    assert spans == sorted(spans)


@PROPERTY
@given(ANY)
def test_the_normal_form_is_nfkc(text: str):
    """The normal form is also in NFKC."""
    once = normalised(text)
    assert unicodedata.normalize("NFKC", once) == once


def test_offsets_are_exact_in_plain_text():
    """Offsets of plain text are exact, also beside characters that were removed or joined."""
    text = "Цена:\u00a0\u00a042\u202f000 ﬁx “да”"
    form = normalise(text, fold_case=True)
    assert form.original_span(*_offsets(form.text, "42 000")).of(text) == "42\u202f000"
    assert form.original_span(*_offsets(form.text, "да")).of(text) == "да"
    assert form.original_span(*_offsets(form.text, "ix")).of(text) == "ﬁx"


def test_offsets_outside_are_clipped():
    """Offsets outside the text are limited as in slicing, also for an empty text."""
    assert normalise("ab").original_span(-3, 9).of("ab") == "ab"
    empty = normalise("\u200b").original_span(0, 5)
    assert (empty.start, empty.end) == (0, 0)
    assert normalise("a\u200bb").original_span(2, 2).start == 3


def _offsets(text: str, piece: str) -> tuple[int, int]:
    start = text.index(piece)
    return start, start + len(piece)
