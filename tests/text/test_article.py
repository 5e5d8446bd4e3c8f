import pytest

from assay.text.article import articles

CASES = [
    ("第五百八十五条", ["585"]), ("《民法典》第五百八十五条第一款", ["585"]), ("第３条", ["3"]), ("第 12 条", ["12"]), ("第十条", ["10"]),
    ("第3条之一", ["3-1"]), ("第一百二十条之一", ["120-1"]), ("第二〇一条", ["201"]), ("ст. 330 ГК РФ", ["330"]),
    ("Ст.330", ["330"]), ("статья 15", ["15"]), ("статьёй 15", ["15"]), ("статьи 12.1", ["12.1"]),
    ("ст. 12¹ УК", ["12.1"]), ("ст.ст. 330, 331 и 332", ["330", "331", "332"]), ("ст. 330 и 5 руб.", ["330"]),
    ("Article 12", ["12"]), ("Art. 5(2)", ["5"]), ("Articles 5, 6 and 7", ["5", "6", "7"]), ("Section 4", ["4"]),
    ("§ 7", ["7"]), ("第三方", []), ("万条第", []), ("start 5", []), ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "numbers"), CASES)
def test_articles_are_numbered_in_digits(text: str, numbers: list[str]):
    """Articles of law are read in three languages, including inserted articles and lists."""
    assert [article.number for article in articles(text)] == numbers


def test_an_article_has_its_span():
    """The span of an article covers its word and number in the original text."""
    text = "по ст.\u00a0330 ГК"
    (article,) = articles(text)
    assert text[article.start : article.end] == "ст.\u00a0330"
