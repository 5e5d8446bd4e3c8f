"""A sentence that gives what was asked wins over caveats and over what is missing elsewhere."""

import pytest

from assay import abstains

ANSWERS = [
    (
        "What is the capital of the province?",
        "The capital is Lindau. I don't have any information about its population, but I'd be happy to help.",
    ),
    (
        "When was the library founded?",
        "Great question! The text says the library opened in 1874. I can't verify that date independently.",
    ),
    (
        "Why was the flight cancelled?",
        "From what I can see, the flight was cancelled because no crew was available. No further explanation.",
    ),
    (
        "Why did the bank reject the application?",
        "The bank rejected the application because two documents were missing. It did not say which ones.",
    ),
    (
        "What does the clause mean?",
        "The clause means that you can't sublet without permission. I can't offer legal advice.",
    ),
    (
        "How can I cancel my subscription?",
        "You can cancel your subscription under Account > Plans. I can't cancel it for you.",
    ),
    (
        "What is covered by the insurance?",
        "Theft and fire are covered. Earthquakes are not mentioned, so I can't say whether they're included.",
    ),
    (
        "Is the museum open on Mondays?",
        "Unfortunately not. The museum is closed, and there is no information on special openings.",
    ),
    (
        "Сколько человек покинули город?",
        "Город покинули около 500 человек [нет источника].",
    ),
    ("账号为什么被锁？", "账号因多次输错密码被锁定。我这边无法代为解锁。"),
    ("有多少条约提到它？", "没有一项"),
]
REFUSALS = [
    (
        "Who designed the bridge?",
        "The bridge opened in 1932 and carries many cars. Unfortunately, I can't tell from the text who designed it.",
    ),
    (
        "When was the library founded?",
        "The library moved to its current building in 1910. I'm unable to confirm when it was founded from this excerpt.",
    ),
    (
        "How many students passed the exam?",
        "The exam was taken by 120 students. The number who passed isn't reported.",
    ),
    (
        "Why was the flight cancelled?",
        "The flight was cancelled at short notice. The airline gave no reason.",
    ),
    ("Who wrote the report?", "I can't verify who wrote the report. The title page is missing."),
    (
        "How can I cancel my subscription?",
        "I'm afraid I can't help with that. You can contact our support team.",
    ),
]


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_an_answer_with_a_caveat_or_a_gap_elsewhere_is_an_answer(
    question: str, answer: str
) -> None:
    """What is asked for stands there."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(("question", "answer"), REFUSALS)
def test_background_before_a_refusal_does_not_answer(question: str, answer: str) -> None:
    """It tells something else about the same thing."""
    assert abstains(answer, question)
