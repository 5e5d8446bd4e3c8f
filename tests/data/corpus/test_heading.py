"""Headings of Markdown, statutes and reports, and lines that only look like them."""

import pytest

from assay.data.corpus.heading import headings


def labels(text: str) -> list[str]:
    """The labels of all headings in order."""
    return [heading.label for heading in headings(text.split("\n")).values()]


def depths(text: str) -> list[int]:
    """The depth of each heading; the outermost level that occurs is 0."""
    levels = [heading.level for heading in headings(text.split("\n")).values()]
    return [sorted(set(levels)).index(level) for level in levels]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("第一条　本条例\n\n第一百零六条 罚款", ["第一条", "第一百零六条"]),
        ("第3条之一：定义。", ["第3条之一"]),
        ("第一章 总则\n第一节 范围\n第一条为了", ["第一章 总则", "第一节 范围", "第一条"]),
        ("Глава 1. Общее\nСтатья 12.1. Срок", ["Глава 1. Общее", "Статья 12.1. Срок"]),
        ("Part One. Start\n\nArticle 7. Leave", ["Part One. Start", "Article 7. Leave"]),
        ("ARTICLE IV\n\nSECTION 2. Privileges", ["ARTICLE IV", "SECTION 2. Privileges"]),
        ("### Title ###\n####### no", ["Title"]),
        ("1. Общее\n1.1 Срок\nТекст.\n1.2 Цена", ["1. Общее", "1.1 Срок", "1.2 Цена"]),
        ("1. Общее\n\nВведение.\n\n1.1 Срок", ["1. Общее", "1.1 Срок"]),
        ("Договор аренды\n\nСтороны: А и Б.", ["Договор аренды"]),
    ],
)
def test_a_heading_is_found(text: str, expected: list[str]):
    """Each kind of heading is recognised, with the expected label."""
    assert labels(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "根据法律\n第五条规定的期限",
        "第五条规定的期限，不得延长。",
        "as laid down in\nArticle 5 of the Treaty.",
        "Article 5 does not apply here.",
        "Статья 5 применяется в порядке, указанном ниже.",
        "Part one of the plan failed.",
        "Title Civil law matters here now.",
        "1. Купить хлеб\n2. Купить молоко",
        "3.5 млн руб. выручки",
        "Глава 1. Общие положения ........ 12",
        "```\n# a comment\n```",
        "It was a dark and\nstormy night.",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str):
    """References, list items, tables of contents, code and wrapped lines are no headings."""
    assert labels(text) == []


def test_sections_are_below_articles_or_above_as_they_come():
    """The kind that comes first contains the other; in Chinese and Russian the order is fixed."""
    assert depths("Article 1\n\nSection 1\n\nSection 2\n\nArticle 2") == [0, 1, 1, 0]
    assert depths("Section 1\n\nArticle 1\n\nArticle 2\n\nSection 2") == [0, 1, 1, 0]
    assert depths("第一章 甲\n第一条 乙\n第二章 丙\n第一节 丁\n第二条 戊") == [0, 2, 0, 1, 2]


def test_an_article_with_its_text_on_the_line_keeps_it():
    """If an article's text follows on its line, only the number is the heading's label."""
    (heading,) = headings(["Статья 5. " + "Арендатор обязан вносить плату. " * 9]).values()
    assert (heading.label, heading.rest) == ("Статья 5", True)
