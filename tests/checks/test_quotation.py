"""Quotations: verbatim, altered with the difference, or absent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.checks.quotation import verify_quotation

LEASE = {
    "en": (
        "The Landlord, Anna Petrova, lets the flat for €1,200 a month. The Tenant shall not sublet it"
        " without consent, and pays within 30 days of the invoice. A fine of 5 % is due after that."
    ),
    "ru": (
        "Арендодатель, Анна Петрова, сдаёт квартиру за 1 200 евро в месяц. Арендатор не вправе"
        " передавать её в субаренду и платит в течение 30 дней. Затем взимается пеня 5 %."
    ),
    "zh": "出租人王明以每月1,200欧元出租房屋。承租人不得将房屋转租给第三方，应在30日内付款。逾期违约金为5%。",
}


@pytest.mark.parametrize(
    ("quotation", "language"),
    [
        ("the tenant SHALL NOT sublet it without consent and pays", "en"), ("Ｔｅｎａｎｔ　ｓｈａｌｌ　ｎｏｔ　ｓｕｂｌｅｔ", "en"),
        ("“The Landlord, Anna Petrova, lets the flat”", "en"), ("The Land-\nlord, Anna Petrova", "en"),
        ("The Land lord, Anna Pet rova, lets the flat", "en"), ("for €1200 a month", "en"),
        ("pays within 30 days of the invoice[1].", "en"), ("pays within 30 days of the invoice¹", "en"),
        ("lets the flat for &euro;1,200 a&nbsp;month", "en"), ("The Landlord … lets the flat", "en"),
        ("The Landlord [...] lets the flat [...] the invoice", "en"),
        ("Арендодатель, Анна Петрова, сдает квартиру за 1200 евро", "ru"), ("платит в течение 30 дней", "ru"),
        ("пе\u0301ня 5%", "ru"), ("出租人王明以每月1200欧元出租房屋", "zh"), ("承租人不得將房屋轉租給第三方，應在30日內付款", "zh"),
        ("承租人不得将房屋转租……应在30日内付款", "zh"),
    ],
)  # fmt: skip
def test_what_differs_in_its_format_alone_is_verbatim(quotation: str, language: str):
    """Case, width, marks, spaces, ё, accents, hyphens, references, footnotes and dots change nothing."""
    check = verify_quotation(quotation, LEASE[language])
    assert (check.outcome, check.valid, check.score) == ("verbatim", True, 1.0)
    assert check.reasons == check.differences == ()


@pytest.mark.parametrize(
    ("quotation", "language", "reason"),
    [
        ("The Tenant pays within 20 days of the invoice", "en", "number changed: 30 -> 20"),
        ("lets the flat for $1,200 a month", "en", "sign changed: € -> $"),
        ("lets the flat for 1,200 a month", "en", "sign dropped: €"),
        ("A fine of 5", "en", "sign dropped: %"),
        ("The Tenant shall sublet it without consent", "en", "negation dropped: not"),
        (
            "30 days of the invoice … The Landlord",
            "en",
            "order changed: The Landlord -> The Landlord",
        ),
        ("The Landlord, Olga Petrova, lets the flat", "en", "word changed: Anna -> Olga"),
        ("pays within at least 30 days of the invoice", "en", "word added: at least"),
        ("lord, Anna Petrova, lets the flat", "en", "word changed: Landlord -> lord"),
        ("Арендатор вправе передавать её в субаренду", "ru", "negation dropped: не"),
        ("出租人李强以每月1,200欧元出租房屋", "zh", "word changed: 王明 -> 李强"),
    ],
)
def test_another_word_is_named(quotation: str, language: str, reason: str):
    """A number, sign, negation, name or other word that differs, and what is cut off, refuses it."""
    check = verify_quotation(quotation, LEASE[language])
    assert (check.outcome, check.valid) == ("altered", False)
    assert reason in check.reasons


@pytest.mark.parametrize(
    ("quotation", "source"),
    [
        (
            "The tenant shall … be liable for damage",
            "The tenant shall not under any circumstances be liable for damage.",
        ),
        ("It weighs 1.500 kg in all", "It weighs 1,500 kg in all"),
        ("an odd ratio of 3:2 between both", "an odd ratio of 3.2 between both"),
        ("the sum a + b of both", "the sum a - b of both"),
        ("it is written in C++ now", "it is written in C# now"),
        ("an area of 50 miles around", "an area of 50 miles² around"),
        ("numerous cases were found", "numerical cases were found"),
    ],
)
def test_what_changes_a_value_or_leaves_out_a_denial_is_refused(quotation: str, source: str):
    """Separators and signs that change a value, another word with the same stem, and dots for a "not"."""
    check = verify_quotation(quotation, source)
    assert (check.outcome, check.valid) == ("altered", False)


def test_dots_may_stand_for_other_words_and_sentences():
    """What is left out denies nothing, or is a sentence of its own."""
    source = "The tenant shall, under this lease, be liable. Cats may not stay. Dogs are free."
    for quotation in ("The tenant shall … be liable", "be liable … Dogs are free"):
        assert verify_quotation(quotation, source).outcome == "verbatim"


@pytest.mark.parametrize(
    ("quotation", "language"),
    [
        ("The Tenant pays in 30 days of an invoice", "en"),
        ("The Landlord lets the flats for €1,200 in the month", "en"),
        ("Арендаторы платят в течение 30 дней", "ru"),
        ("承租人应在三十日内付款", "zh"),
        ("承租人的应在30日内付款了", "zh"),
    ],
)
def test_small_words_inflection_and_notation_leave_an_altered_quotation_valid(
    quotation: str, language: str
):
    """Such a quotation is altered, and its differences are named, but nothing speaks against it."""
    source = {
        "en": "The Tenant pays in 30 days of the invoice. The Landlord lets the flat for €1,200 a month.",
        "ru": "Арендатор платит в течение 30 дней.",
        "zh": "承租人应在30日内付款。",
    }
    check = verify_quotation(quotation, source[language])
    assert (check.outcome, check.valid, check.reasons) == ("altered", True, ())
    assert check.differences


def test_a_difference_says_where_it_is_on_both_sides():
    """The spans of a difference are those of its texts, also where character references are longer."""
    source = "Smith &amp; Jones pay &euro;500 by Monday."
    quotation = "Smith & Jones pay &euro;900 by Monday."
    check = verify_quotation(quotation, source)
    (difference,) = check.differences
    assert (difference.source, difference.quotation, difference.kind) == ("500", "900", "number")
    assert difference.source_span.of(source) == "500"
    assert difference.quotation_span.of(quotation) == "900"


@pytest.mark.parametrize("quotation", ["Dogs travel free on Sundays", "the of", "猫狗免票"])
def test_what_the_source_does_not_have_is_absent(quotation: str):
    """An absent quotation is not valid, and its words are not compared one by one."""
    check = verify_quotation(quotation, LEASE["zh" if quotation > "z" else "en"])
    assert (check.outcome, check.valid, check.differences) == ("absent", False, ())
    assert check.score is not None
    assert check.score < check.threshold


def test_a_part_that_is_absent_makes_no_verbatim_quotation():
    """Of two parts between dots, one is invented: the quotation is altered and the part is named."""
    source = "The Tenant pays within thirty days of the invoice and returns the keys."
    check = verify_quotation("The Tenant pays within thirty days of the invoice … zebras", source)
    assert (check.outcome, check.valid) == ("altered", False)
    assert check.reasons == ("word added: zebras",)


def test_the_candidate_is_the_sentence_of_the_place():
    """Its span points into the source; without a model, there is one candidate."""
    check = verify_quotation("pays within 30 days", LEASE["en"])
    assert check.candidate is not None
    assert check.candidates == (check.candidate,)
    assert check.candidate.text.startswith("The Tenant shall not")
    assert check.candidate.span.of(LEASE["en"]) == check.candidate.text
    assert (check.embedding_score, check.veto) == (1.0, None)


def test_nothing_to_compare_has_no_score():
    """Without words on one side there is no score, no candidate, and no validity."""
    for quotation, source in (("", LEASE["en"]), (" — ", LEASE["en"]), ("rent", "…")):
        check = verify_quotation(quotation, source)
        assert (check.valid, check.score, check.candidate) == (False, None, None)


WORDS = [
    "rent",
    "is",
    "5",
    "30",
    "%",
    "€",
    "not",
    "不",
    "付",
    "款",
    "в",
    "срок",
    "е́",
    "&amp;",
    "…",
    "\x00",
]


@given(st.lists(st.sampled_from(WORDS)), st.integers(0, 8), st.integers(1, 12))
def test_any_part_of_words_is_in_its_source(words: list[str], first: int, size: int):
    """A whole text is verbatim in itself; a part of it, wherever it is cut, is never absent."""
    text = " ".join(words)
    if not any(map(str.isalnum, text)):
        return
    whole = verify_quotation(text, text)
    assert whole.score is None or (whole.outcome, whole.score) == ("verbatim", 1.0)
    part = " ".join(words[first : first + size])
    check = verify_quotation(part, text)
    assert check.score is None or check.outcome != "absent"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_compared(quotation: str, source: str):
    """Nothing raises, and the score is in 0..1."""
    check = verify_quotation(quotation, source)
    assert check.score is None or 0 <= check.score <= 1
    for difference in check.differences:
        assert difference.quotation_span.of(quotation) == difference.quotation
        assert difference.source_span.of(source) == difference.source
