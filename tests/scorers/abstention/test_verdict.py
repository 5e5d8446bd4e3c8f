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
from tests.support.abstention import ABSTAINS, TABLE, UNSEEN
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


@given(
    st.sampled_from([text for texts in ABSTAINS.values() for text in texts]),
    st.sampled_from(
        [
            "The rent is 5,000 a month.",
            "Zhang San is responsible.",
            "Арендная плата составляет 5000 рублей.",
            "Отвечает арендатор.",
            "租金为每月5000元。",
            "由张三负责。",
        ]
    ),
    st.booleans(),
)
def test_a_fact_beside_it_makes_an_answer(text: str, fact: str, first: bool):
    """A plain statement before or after an abstention makes the whole text an answer."""
    answer = f"{fact}\n\n{text}" if first else f"{text}\n\n{fact}"
    result = assess_abstention(answer)
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
