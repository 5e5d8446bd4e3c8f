import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.search_term import search_terms, words

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=150)
ANY = st.text(st.characters(exclude_categories=()))


def grams(text: str) -> list[str]:
    """The n-grams among the search terms of a text."""
    return [term.removeprefix("g:") for term in search_terms(text) if term.startswith("g:")]


SAME = [
    ("42 000 рублей", "42,000 рубля"), ("四万二千元", "42000元"), ("договоров", "Договоры"), ("ещё", "ЕЩЕ"),
    ("contracts", "Contract"), ("第３条", "第三条"), ("ﬁles", "files"), ("forty-two thousand", "42000"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SAME)
def test_search_ignores_differences_in_notation(a: str, b: str):
    """Texts that differ in inflection, case, width or notation of numbers have the same words."""
    assert words(a) == words(b)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("违约金的计算", ["违约金", "的", "计算"]), ("RAG系统", ["rag", "系统"]), ("A4, H2O", ["a4", "h2o"]), ("?!。", []),
        ("", []),
    ],
)  # fmt: skip
def test_words(text: str, expected: list[str]):
    """Each script is cut into words by its own rules, and punctuation is left out."""
    assert words(text) == expected


def test_ngrams_span_one_space_but_no_change_of_script():
    """An n-gram may continue into the next word, but never from Chinese into another script."""
    assert grams("ab, cd合同12法") == [" ab ", "ab c", "b cd", " cd ", "合同", " 12 "]
    assert grams("a") == []


def test_search_terms_distinguish_words_from_ngrams():
    """A word and an n-gram of the same letters are different terms."""
    assert search_terms("合同") == ["w:合同", "g:合同"]
    assert search_terms("42 000") == search_terms("42,000")


@PROPERTY
@given(ANY)
def test_terms_never_raise_and_are_never_empty(text: str):
    """Any string gives terms, and no term is empty or blank."""
    assert all(word.strip() for word in words(text))
    assert all(term[2:].strip() for term in search_terms(text))


def test_terms_do_not_depend_on_the_hash_seed():
    """Two processes with different hash seeds give the same terms and numbers."""
    program = (
        "from assay.text.date import read_dates; from assay.text.number import read_numbers;"
        "from assay.text.search_term import search_terms; from assay.text.sentence import sentences;"
        "t='Договоры 42 000 руб. 违约金四万二千元 Aug 30, 2020 contracts';"
        "print(search_terms(t), read_numbers(t), read_dates(t), [s.start for s in sentences(t)])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs != {b""}


def test_a_caller_may_change_the_terms_it_gets():
    """Texts are remembered, but not the list that was returned."""
    text = "Договор № 5 of 2020, 违约金"
    before = search_terms(text), words(text)
    search_terms(text).clear()
    words(text).clear()
    assert (search_terms(text), words(text)) == before


def test_a_text_too_long_to_be_remembered_has_the_same_words():
    """The words of many sentences are those of one, repeated."""
    sentence = "The tenant pays 42,000 roubles. 违约金为四万二千元。 "
    assert words(sentence * 200) == words(sentence) * 200
