from hypothesis import given
from hypothesis import strategies as st

from assay.rag import pipeline as guardrail
from assay.rag.pipeline import enforce_strict_answer
from assay.text.citation import NO_MENTION, extract_citation_numbers, is_no_mention
from assay.text.language import Language


@given(st.text(max_size=60), st.integers(0, 5), st.sampled_from(["zh", "ru", "en"]))
def test_the_check_is_what_the_definition_says(text: str, count: int, language: Language):
    """An answer passes if it is the no-mention answer, or has citations and all are in range."""
    answer, ok = enforce_strict_answer(text, count, language)
    cited = extract_citation_numbers(text)
    assert ok == (is_no_mention(text) or (bool(cited) and all(1 <= n <= count for n in cited)))
    assert answer == (text if ok else NO_MENTION[language])
    assert enforce_strict_answer(answer, count, language) == (answer, True)


def test_a_failed_answer_is_replaced_in_the_language_asked_for():
    """An answer without citations is replaced by the no-mention answer of the language."""
    assert enforce_strict_answer("30 дней", 2, "ru") == ("В документе не указано", False)
    assert enforce_strict_answer("三十日", 2, "zh") == ("文档未提及", False)


def test_the_check_and_the_citations_it_reads_are_one_import():
    """The module exports both the check and the function that reads citations."""
    assert set(guardrail.__all__) == {"enforce_strict_answer", "extract_citation_numbers"}
    assert guardrail.extract_citation_numbers("[2] [1]") == [2, 1]
