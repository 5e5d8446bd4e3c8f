from hypothesis import given
from hypothesis import strategies as st

from assay.rag import guardrail
from assay.rag.guardrail import enforce_strict_answer, extract_citation_numbers
from assay.text import Language
from assay.text.citation import NO_MENTION, is_no_mention


@given(st.text(max_size=60), st.integers(0, 5), st.sampled_from(["zh", "ru", "en"]))
def test_the_check_is_what_the_definition_says(text: str, count: int, spoken: Language):
    """Passed means: the strict answer, or at least one citation and all of them in range."""
    told, ok = enforce_strict_answer(text, count, spoken)
    cited = extract_citation_numbers(text)
    assert ok == (is_no_mention(text) or (bool(cited) and all(1 <= n <= count for n in cited)))
    assert told == (text if ok else NO_MENTION[spoken])
    assert enforce_strict_answer(told, count, spoken) == (told, True)


def test_a_failed_answer_is_replaced_in_the_language_asked_for():
    """What takes the place of an uncited answer is the strict sentence of that language."""
    assert enforce_strict_answer("30 дней", 2, "ru") == ("В документе не указано", False)
    assert enforce_strict_answer("三十日", 2, "zh") == ("文档未提及", False)


def test_the_check_and_the_citations_it_reads_are_one_import():
    """Who checks answers by hand finds both functions in this module."""
    assert set(guardrail.__all__) == {"enforce_strict_answer", "extract_citation_numbers"}
    assert guardrail.extract_citation_numbers("[2] [1]") == [2, 1]
