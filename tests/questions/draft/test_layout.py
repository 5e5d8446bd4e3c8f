"""Questions that pages of frequent questions and tables give."""

import pytest

from assay.questions.draft.layout import PassageText, faq_drafts, table_drafts


def passage(text: str, heading: str = "") -> PassageText:
    """A passage at the beginning of its document."""
    return PassageText(id="1", text=text, start=0, heading=heading)


def asked(text: str, heading: str = "") -> list[tuple[str, str]]:
    """The frequent questions of a passage with their answers."""
    found = faq_drafts("faq.md", [passage(text, heading)])
    return [(draft.question, draft.answers[0]) for draft in found]


def cells(text: str) -> list[tuple[str, str]]:
    """The questions about the rows of a table with their answers."""
    found = table_drafts("table.csv", [passage(text)])
    return [(draft.question, draft.answers[0]) for draft in found]


@pytest.mark.parametrize(
    ("text", "heading", "question", "answer"),
    [
        (
            "Can I freeze my membership?\n\nYes. You can freeze it for three months. Tell us first.",
            "FAQ › Can I freeze my membership?",
            "Can I freeze my membership?",
            "Yes. You can freeze it for three months.",
        ),
        (
            "**Q: How long does delivery take?**\n\nA: Delivery takes 3 to 5 working days.",
            "Support",
            "How long does delivery take?",
            "Delivery takes 3 to 5 working days.",
        ),
        (
            "4. Is the warranty transferable?\n\nThe warranty belongs to the device itself.",
            "Support › 4. Is the warranty transferable?",
            "Is the warranty transferable?",
            "The warranty belongs to the device itself.",
        ),
        (
            "Вопрос: Можно ли продлить срок через сайт?\nОтвет: Да, два раза, если книга свободна.",
            "",
            "Можно ли продлить срок через сайт?",
            "Да, два раза, если книга свободна.",
        ),
        (
            "**问：怎样修改密码？**\n\n答：打开个人设置，点击“修改密码”。",
            "帮助",
            "怎样修改密码？",
            "打开个人设置，点击“修改密码”。",
        ),
    ],
)
def test_a_line_that_asks_is_a_question_and_the_text_below_answers(
    text: str, heading: str, question: str, answer: str
):
    """Numbers, marks and the words for question and answer are left out."""
    assert asked(text, heading) == [(question, answer)]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Still have questions?\n\nContact us.", "FAQ › Still have questions?"),
        (
            "How large can it get?\n\n" + "It grows with the corpus.\n" * 5,
            "Size › How large can it get?",
        ),
        ("He came in.\n\nWhere is the old captain?\n\n" + "Nobody said a word to him.\n" * 5, ""),
        (
            "How do I install the package?\n\n```bash\npip install x y z now\n```",
            "How do I install the package?",
        ),
    ],
)
def test_a_question_without_an_answer_or_a_subject_is_left_out(text: str, heading: str):
    """Invitations, dialogue, headings about "it", and answers that are code."""
    assert asked(text, heading) == []


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        (
            (
                "Plan: Starter; Monthly price: 9 USD; Opening hours: 8 to 5\n\n"
                "Plan: Team; Monthly price: 29 USD; Opening hours: 9 to 6"
            ),
            [
                ("What is the monthly price of Starter?", "9 USD"),
                ("What are the opening hours of Team?", "9 to 6"),
            ],
        ),
        (
            "| Model | Weight (kg) |\n|---|---|\n| P-100 | 12 |\n| **P-200** | 19 |",
            [("What is the weight of P-100?", "12"), ("What is the weight of P-200?", "19")],
        ),
        (
            "Branches\n\nCity | Opened | Phone\n\nLyon | 2004 | 555-01\n\nPorto | 2011 | 555-02",
            [("What is the phone of Porto?", "555-02")],
        ),
        (
            (
                "Тариф: Старт; Цена в месяц: 300 рублей; Объём: 10 ГБ; Давление: 2 бар\n\n"
                "Тариф: Дом; Цена в месяц: 900 рублей; Объём: 20 ГБ; Давление: 3 бар\n\n"
                "Тариф: Офис; Цена в месяц: 990 рублей; Объём: 30 ГБ; Давление: 4 бар"
            ),
            [
                ("Какая цена в месяц у тарифа «Старт»?", "300 рублей"),
                ("Какой объём у тарифа «Дом»?", "20 ГБ"),
                ("Какое давление у тарифа «Офис»?", "4 бар"),
            ],
        ),
        (
            "套餐: 入门版; 月费: 30元; 支持方式: 邮件\n\n套餐: 团队版; 月费: 90元; 支持方式: 客服",
            [("入门版的月费是多少？", "30元"), ("团队版的支持方式是什么？", "客服")],
        ),
    ],
)
def test_a_row_is_asked_about_by_its_name_and_a_column(text: str, questions: list[tuple[str, str]]):
    """The columns come in turn; names of columns that are no nouns are left out."""
    assert cells(text) == questions


@pytest.mark.parametrize(
    "text",
    [
        "Plan: Starter; Price: 9 USD",  # one row may be any sentence
        "Plan: Starter; Price: 9 USD\n\nPlan: Starter; Price: 12 USD",
        "Модель: П-100; Масса: 12 кг\n\nМодель: П-200; Масса: 19 кг",  # the case is not known
        "Lyon | 2004\n\nPorto | 2011\n\nGraz | 2016",  # the rest of a table that was cut
        "Name: Anna; Manager: Tom Okafor\n\nName: Mei; Manager: Rui Alves",  # who, not what
    ],
)
def test_a_row_without_a_certain_question_is_left_out(text: str):
    """Nothing is asked that has two answers, or is perhaps wrong in its language."""
    assert cells(text) == []


def test_the_evidence_is_where_the_draft_says():
    """Offsets are those of the document."""
    text = "Plan: Starter; Price: 9 USD\n\nPlan: Team; Price: 29 USD"
    found = list(table_drafts("a.csv", [PassageText(id="1", text=text, start=100)]))
    for draft in found:
        (evidence,) = draft.evidence
        assert text[(evidence.start or 0) - 100 : (evidence.end or 0) - 100] == evidence.text
    assert len(found) == 2


@pytest.mark.parametrize(
    "text",
    ["|" * 40_000, "a: b; " * 20_000, "Q: " * 20_000 + "?", "*" * 40_000 + "?", "- |" * 9_000],
)
def test_odd_text_is_passed_over_quickly(text: str):
    """A line of any length is read in linear time."""
    assert cells(text) == []
    assert asked(text) == []
