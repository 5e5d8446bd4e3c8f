"""Markup does not hide a refusal, and what is not said by the answer does not refuse."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.scorers.abstention import abstains, assess_abstention
from assay.scorers.abstention.markup import without_markup

PROPERTY = settings(derandomize=True, deadline=None, database=None, max_examples=300)
REFUSALS = [
    "**Not** _specified_ in the document.",
    "<p>Not <b>specified</b> in the document.</p>",
    "Not specified<br>in the document",
    "| Answer |\n|---|\n| Not specified in the document |",
    "<table><tr><td>Not specified in the document</td></tr></table>",
    "# Answer\n\n> Not specified in the document.",
    "~~The rent is 500.~~ Not specified in the document.",
    "n**o**t specified in the document",
    "В документе **не** _указано_.",
    "<b>В документе</b> <i>не указано</i>",
    "文中**没有**<b>说明</b>租金。",
    "| 答案 |\n|---|\n| 文中未提及 |",
    "TBD", "T.B.D.", "To be determined", "Уточняется.", "待定",
]  # fmt: skip
ANSWERS = [
    ("**The rent** is *500*.", "What is the rent?"),
    ("| Rent | 500 |\n|---|---|\n| Deposit | not specified |", "What is the rent?"),
    ("| Rent | Deposit |\n|---|---|\n| 500 | not specified |", "What is the rent?"),
    ("Сумма 500, дата не указана.", "Какова сумма?"),
    ("Не могу не отметить, что аренда 500.", "Какова аренда?"),
    ("Не могу не согласиться: срок истёк.", "Истёк ли срок?"),
    ("I cannot but note that the rent is 500.", "What is the rent?"),
    ("不得不说，租金是500元。", "租金是多少？"),
    ("He replied: 'I cannot answer that'. This is on page 3.", "What did he reply?"),
    ("He replied: 'I don't know that'. This is on page 3.", None),
    ("He replied: ‘I don’t know that’. This is on page 3.", None),
    ("I don't know. Just kidding, it's 500.", "What is the rent?"),
    ("I don't know. Kidding! It's 500.", "What is the rent?"),
    ("Не знаю. Шучу, 500.", "Какова аренда?"),
    ("我不知道。开玩笑的，是500。", "租金是多少？"),
    # a guess is an answer: docs/detectors.md
    ("Perhaps 500; the document does not say.", "What is the rent?"),
    ("Можно предположить 500, но документ об этом не говорит.", "Какова аренда?"),
]
STILL_REFUSED = [
    ("Сумма 500, дата не указана.", "Какова дата?"),
    ("| Rent | 500 |\n|---|---|\n| Deposit | not specified |", "What is the deposit?"),
    ("I don't know. Wait, the document does not cover that.", "What is the rent?"),
]


@pytest.mark.parametrize("answer", REFUSALS)
def test_markup_does_not_hide_a_refusal(answer: str):
    """Emphasis, tags, cells, headings and struck text are no words of the answer."""
    assert abstains(answer)


@pytest.mark.parametrize(("answer", "question"), ANSWERS)
def test_an_answer_is_no_refusal(answer: str, question: str | None):
    """Two negations, a quotation, a refusal that is taken back and a guess leave the answer."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(("answer", "question"), STILL_REFUSED)
def test_what_else_is_told_does_not_answer(answer: str, question: str):
    """A value of something else, and a retraction that tells nothing, leave the refusal."""
    assert abstains(answer, question)


def test_spans_point_into_the_answer():
    """What refuses is found at its place in the answer, with its markup."""
    answer = "<p>The rent is **500**; the deposit is <b>not</b> *specified*.</p>"
    result = assess_abstention(answer)
    assert [span.of(answer) for span in result.claims] == ["The rent is **500**"]
    assert [span.of(answer) for span in result.refusals] == [
        "the deposit is <b>not</b> *specified*"
    ]


@PROPERTY
@given(
    st.lists(
        st.sampled_from(
            ["*", "_", "<b>", "</p>", "|", "~~", "#", "\n", " ", "не", "x5", "|---|", "<!--"]
        )
    )
)
def test_the_length_is_kept(pieces: list[str]):
    """Whatever is replaced, every other character stays at its place."""
    text = "".join(pieces)
    plain = without_markup(text)
    assert len(plain) == len(text)
    assert all(a == b for a, b in zip(text, plain, strict=True) if a.isalnum() and b.isalnum())
