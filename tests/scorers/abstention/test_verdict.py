"""What counts as an abstention: texts judged by hand before the patterns were written."""

import json
import unicodedata
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scorers.abstention import abstains, assess_abstention
from assay.scorers.legal.conflict_gap import is_silent
from assay.text.citation import NO_MENTION
from tests.support.abstention import TABLE, UNSEEN
from tests.support.silence import SILENT, TOLD


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_an_abstention_is_known_by_what_is_said(text: str, expected: bool):
    """The verdict on each text of the table is the one a human reader gave."""
    assert abstains(text) is expected, assess_abstention(text)


def test_most_abstentions_never_seen_before_are_known():
    """Of 36 texts to which no pattern was adjusted, at most two get a wrong verdict."""
    missed = [text for text, expected in UNSEEN if abstains(text) is not expected]
    assert len(missed) <= 2, missed


@pytest.mark.parametrize(
    ("text", "expected"), [*((text, True) for text in SILENT), *((text, False) for text in TOLD)]
)
def test_an_answer_is_silent_where_it_offers_nothing(text: str, expected: bool):
    """An answer that leaves a gap open or takes no side is silent; one that decides is not."""
    assert is_silent(text) is expected


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_the_answers_of_the_samples_are_told_apart(language: str):
    """Of the sample answers, exactly those to unanswerable questions abstain."""
    path = files("assay.data.samples") / language / "questions.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    abstaining = {row["id"] for row in rows if abstains(row["answer"])}
    assert abstaining == {row["id"] for row in rows if row["kind"] == "unanswerable"}


@pytest.mark.parametrize("strict", NO_MENTION.values())
def test_the_strict_answer_abstains(strict: str):
    """The text with which the guardrail replaces an uncited answer is an abstention."""
    assert abstains(strict)


WIDE = {code: chr(code + 0xFEE0) for code in range(0x21, 0x7F)}
OTHER_MARK = {"。": "｡", "，": ",", "；": ";", "'": "’", " ": "\u00a0", "：": ":", "！": "!"}


@given(st.sampled_from(TABLE), st.data())
def test_width_changes_nothing(line: tuple[str, bool], data: st.DataObject):
    """Full-width letters, digits and marks do not change the verdict."""
    text, expected = line
    kinds = data.draw(st.sets(st.sampled_from(["letter", "digit", "mark"])))
    widened = "".join(chr_wide(char) if kind_of(char) in kinds else char for char in text)
    assert abstains(widened) is expected


@given(st.sampled_from(TABLE), st.sets(st.sampled_from(sorted(OTHER_MARK))))
def test_the_kind_of_punctuation_changes_nothing(line: tuple[str, bool], changed: set[str]):
    """Chinese or Western, curly or straight punctuation does not change the verdict."""
    text, expected = line
    assert abstains(text.translate({ord(m): OTHER_MARK[m] for m in changed})) is expected


@given(
    st.sampled_from(TABLE),
    st.sampled_from(
        ["{}", " {}\n", "**{}**", "«{}»", "“{}”", "- {}", "{}!", "{} [1][2]", "{}（第３页）"]
    ),
)
def test_the_dress_of_an_answer_changes_nothing(line: tuple[str, bool], frame: str):
    """Quotation marks, emphasis, bullets and citations around it do not change the verdict."""
    text, expected = line
    assert abstains(frame.format(text)) is expected
    assert abstains(unicodedata.normalize("NFD", frame.format(text))) is expected


@pytest.mark.parametrize(
    ("question", "fact", "gap"),
    [
        ("How much is the rent?", "The rent is 5,000 a month.", "The deposit is not mentioned."),
        ("Who is responsible?", "Zhang San is responsible.", "No address is given."),
        ("Сколько стоит аренда?", "Аренда стоит 5000 рублей.", "О залоге ничего не сказано."),
        ("Кто отвечает за ремонт?", "За ремонт отвечает арендатор.", "Срок не указан."),
        ("租金是多少？", "租金为每月5000元。", "文中没有提到押金。"),
        ("由谁负责？", "由张三负责。", "合同未约定转租事宜。"),
    ],
)
def test_a_gap_after_what_was_asked_refuses_nothing(question: str, fact: str, gap: str):
    """If an answer begins with what was asked, it does not abstain for what it does not know besides."""
    answer = f"{fact}\n\n{gap}"
    result = assess_abstention(answer, question)
    assert not result.abstains
    assert fact.rstrip(".。") in {span.of(answer).rstrip(".。") for span in result.claims}


@given(
    st.text(max_size=200)
    | st.text(alphabet="не указано, если 未载明的。 is not stated.;", max_size=80)
)
def test_any_text_is_judged_and_the_spans_lie_in_it(text: str):
    """Any text gets a verdict, and it abstains if it has a phrase and no claim."""
    result = assess_abstention(text)
    for span in (*result.phrases, *result.refusals, *result.scaffolding, *result.claims):
        assert 0 <= span.start < span.end <= len(text)
        assert span.of(text).strip()
    assert result.abstains == (bool(result.refusals) and not result.claims)
    assert result.partial == (bool(result.refusals) and bool(result.claims))
    assert (result.decided_by is None) == (not result.refusals)


def kind_of(char: str) -> str:
    """Letter, digit or mark, for the characters that have a full-width form."""
    if ord(char) not in WIDE:
        return "other"
    return "letter" if char.isalpha() else "digit" if char.isdecimal() else "mark"


def chr_wide(char: str) -> str:
    """The full-width form of a character."""
    return WIDE[ord(char)]
