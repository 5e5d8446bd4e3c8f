"""Page citations: what counts as a fact, and on which pages it is searched for."""

import pytest

from assay.jobs.quality.score import cited_pages, pages_exist, unsupported_facts

PAGE = (
    "Показатель, тыс. руб.\nЗарплата 37,4\nВыручка 12 641,0 млн руб., снижение −4,8%.\n"
    "Договор подписан 18 января 2024 года. Персонал: 4 547 человек."
)


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("37,4 тыс. руб. (стр. 1)", []),
        ("Снизилась на 4,8% (стр. 1)", []),
        ("12,641 млрд руб. (стр. 1)", []),
        ("Подписан 18.01.2024 (стр. 1)", []),
        ("Подписан 19.01.2024 (стр. 1)", ["19.01.2024"]),
        ("454 человека (стр. 1)", ["454"]),
        ("1. Персонал: 4547 (стр. 1)\n2. Зарплата: 37,4 (стр. 1)", []),
        ("4547 человек, а не 4600 (стр. 1)", ["4600"]),
        ("4547 человек (стр. 3)", ["4547"]),
        ("4547 человек (стр. 1, 3)", []),
    ],
)
def test_facts_are_looked_for_on_the_cited_pages(answer: str, missing: list[str]):
    """Figures match by value with or without scale, dates in any format; item numbers are ignored."""
    assert unsupported_facts("", answer, [], [PAGE]) == missing


def test_figures_of_the_question_are_no_facts_of_the_answer():
    """A year that the answer repeats from the question need not be on the cited page."""
    assert unsupported_facts("За 2019 год?", "За 2019 год 4547 (стр. 1)", [], [PAGE]) == []
    assert unsupported_facts("За год?", "За 2019 год 4547 (стр. 1)", [], [PAGE]) == ["2019"]


def test_the_page_may_contain_another_alternative_of_a_required_phrase():
    """The page may contain any alternative of the group that the answer contains."""
    groups = [["18.01.24", "18 января 2024 года"]]
    assert unsupported_facts("", "В январе (стр. 1)", groups, [PAGE]) == []
    assert unsupported_facts("", "В мае (стр. 1)", [["в мае", "май"]], [PAGE]) == ["в мае"]


@pytest.mark.parametrize("answer", ["4547 человек", "Много людей (стр. 1)", ""])
def test_without_a_citation_or_a_fact_it_is_undefined(answer: str):
    """The result is ``None`` if the answer cites no page or states no fact."""
    assert unsupported_facts("", answer, [], [PAGE]) is None


def test_pages_that_exist():
    """Every cited page must exist, pages count from 1, and no citation is undefined."""
    assert pages_exist([1, 4], 4) is True
    assert pages_exist([0], 4) is False
    assert pages_exist([4, 5], 4) is False
    assert pages_exist([], 4) is None


def test_pages_in_brackets_take_precedence_over_mentioned_pages():
    """A page that is only mentioned does not count if another page is cited in brackets."""
    assert cited_pages("Как на стр. 80 приложения, 30 дней (стр. 4).") == [4]
    assert cited_pages("См. стр. 80 приложения.") == [80]
