"""Precision and recall of citations, on cases that were written by hand in three languages."""

import pytest

from assay.checks.citation_support import (
    citation_precision,
    citation_recall,
    citation_support,
    cited_sentences,
    support,
)
from assay.checks.scorer import Graded, Subject
from assay.records import Passage

ENGLISH = (
    "Notice is given thirty days ahead.",
    "The board approves a sabbatical after five years.",
    "Cats sleep on the roof of the mill.",
)
CHINESE = ("员工应提前30天书面通知。", "长假由董事会在五年后批准。", "猫睡在磨坊的屋顶上。")
RUSSIAN = (
    "Уведомление подаётся за тридцать дней.",
    "Длительный отпуск утверждает совет директоров через пять лет.",
    "Кошки спят на крыше мельницы.",
)


def rates(answer: str, texts: tuple[str, ...]) -> tuple[float | None, float | None]:
    """Precision and recall of an answer over passages with these texts."""
    passages = tuple(Passage(id=str(n), text=text, page=n) for n, text in enumerate(texts, 1))
    subject = Subject(
        job="ablation", question_id="1", question="", answer=answer, passages=passages
    )
    found = (citation_precision(subject), citation_recall(subject))
    precision, recall = (None if each is None else float(each.value) for each in found)
    return precision, recall


@pytest.mark.parametrize(
    ("texts", "answer", "expected"),
    [
        # both sentences cite what says them
        (
            ENGLISH,
            "Notice is given 30 days ahead [1]. The board approves a sabbatical [2].",
            (1, 1),
        ),
        (CHINESE, "员工应提前三十天书面通知[1]。长假由董事会批准[2]。", (1, 1)),
        (
            RUSSIAN,
            "Уведомление подаётся за 30 дней [1]. Длительный отпуск утверждает совет директоров [2].",
            (1, 1),
        ),
        # the second sentence cites another passage
        (
            ENGLISH,
            "Notice is given 30 days ahead [1]. The board approves a sabbatical [3].",
            (0.5, 0.5),
        ),
        (CHINESE, "员工应提前三十天书面通知[1]。长假由董事会批准[3]。", (0.5, 0.5)),
        (
            RUSSIAN,
            "Уведомление подаётся за 30 дней [1]. Длительный отпуск утверждает совет директоров [3].",
            (0.5, 0.5),
        ),
        # the second sentence cites nothing
        (ENGLISH, "Notice is given 30 days ahead [1]. The board approves a sabbatical.", (1, 0.5)),
        (CHINESE, "员工应提前三十天书面通知[1]。长假由董事会批准。", (1, 0.5)),
        (
            RUSSIAN,
            "Уведомление подаётся за 30 дней [1]. Длительный отпуск утверждает совет директоров.",
            (1, 0.5),
        ),
        # one of two citations adds nothing
        (ENGLISH, "Notice is given thirty days ahead [1][3].", (0.5, 1)),
        (CHINESE, "员工应提前30天书面通知[1][3]。", (0.5, 1)),
        (RUSSIAN, "Уведомление подаётся за тридцать дней [1][3].", (0.5, 1)),
        # another number than the passage
        (ENGLISH, "Notice is given 20 days ahead [1].", (0, 0)),
        (CHINESE, "员工应提前20天书面通知[1]。", (0, 0)),
        (RUSSIAN, "Уведомление подаётся за двадцать дней [1].", (0, 0)),
        # a negation that the passage does not have
        (ENGLISH, "The board does not approve a sabbatical after five years [2].", (0, 0)),
        (CHINESE, "长假不由董事会在五年后批准[2]。", (0, 0)),
        (RUSSIAN, "Уведомление не подаётся за тридцать дней [1].", (0, 0)),
        # no such passage, and a page
        (ENGLISH, "Notice is given thirty days ahead [9].", (0, 0)),
        (CHINESE, "员工应提前30天书面通知（第1页）。", (1, 1)),
        (RUSSIAN, "Уведомление подаётся за тридцать дней (стр. 1).", (1, 1)),
    ],
)
def test_rates_of_answers_written_by_hand(
    texts: tuple[str, ...], answer: str, expected: tuple[float, float]
):
    """Precision counts citations, recall sentences; both in English, Chinese and Russian."""
    assert rates(answer, texts) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "Notice is given thirty days ahead.",
        "The document does not mention this.",
        "文档未提及",
        "Is it thirty days? [1]",
        "",
    ],
)
def test_an_answer_without_citations_or_claims_has_no_rate(answer: str):
    """Nothing is cited, nothing is claimed, or the answer abstains."""
    assert rates(answer, ENGLISH) == (None, None)


def test_unknown_texts_of_cited_passages_are_no_verdict():
    """A passage of which only the id is known supports nothing that one could see."""
    assert rates("Notice is given thirty days ahead [1].", ("",)) == (None, None)
    assert rates("Notice is given thirty days ahead [1].", (ENGLISH[0], "")) == (1, 1)


def test_two_passages_that_support_a_sentence_only_together_are_both_right():
    """Neither can be spared, as in ALCE."""
    texts = ("The fee is 300 euros.", "The deposit is two months of rent.")
    answer = "The fee is 300 euros and the deposit is two months of rent [1][2]."
    assert rates(answer, texts) == (1, 1)


def test_citations_after_the_full_stop_belong_to_the_sentence_before():
    """So do those after a Chinese one, and a citation in the middle stays where it is."""
    passages = [Passage(id=str(n)) for n in range(3)]
    found = cited_sentences("通知期为三十天。[1]长假由董事会[2]批准。", passages)
    assert [(each.text, len(each.citations)) for each in found] == [
        ("通知期为三十天。", 1),
        ("长假由董事会批准。", 1),
    ]


def test_a_paraphrase_is_unsure_and_has_bounds():
    """The bounds say what the rate would be if what is unsure were decided either way."""
    answer = "A written notice must come days ahead of leaving [1]."
    passages = (Passage(id="1", text="Notice is given thirty days ahead, in writing."),)
    subject = Subject(
        job="ablation", question_id="1", question="", answer=answer, passages=passages
    )
    graded = citation_recall(subject)
    assert isinstance(graded, Graded)
    assert (graded.at_least, graded.at_most) == (0.0, 1.0)
    assert graded.why == "1 of 1 are told by words alone"


def test_support_needs_a_passage():
    """Nothing supports a sentence that cites nothing."""
    assert support("Notice is given thirty days ahead.", []) == "no"
    assert citation_support("", []) is None
