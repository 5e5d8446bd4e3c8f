"""Answers that a refusal is the answer to: messages that are shown, reasons, what is sold out."""

import pytest

from assay.scorers.abstention import abstains, assess_abstention

TOLD = (
    ("What error does the script print without a key?", "It prints `key not found` and stops."),
    (
        "What should the assistant reply if the archive is empty?",
        '"I couldn\'t find anything on this."',
    ),
    ("What message appears when the door is locked?", '"We are unable to open this door."'),
    ("Is the blue kettle in stock?", "Blue kettle: NOT AVAILABLE (sold out in June)"),
    (
        "Why was the grant refused?",
        "The board refused it because there was insufficient information.",
    ),
    ("How many swimmers drowned?", "Luckily, nobody drowned."),
)
REFUSED = (
    ("Who chaired the meeting?", "Nobody is named as its chair."),
    (None, "The requested record is temporarily unavailable."),
    (None, "Retriever returned 0 chunks; answer not generated."),
    (None, "No reply can be given."),
    (None, "Had a quick look through the ledger, couldn't find it, sorry!"),
    ("What did she decide?", "Her decision is not available to me."),
    ("What is the tariff?", "Search done, 0 passages above the threshold"),
    ("Why was the grant refused?", "I can't say, because there is insufficient information."),
    ("What error does the script print?", "The manual has no list of its errors."),
)


@pytest.mark.parametrize(("question", "answer"), TOLD)
def test_what_refuses_elsewhere_is_the_answer(question: str, answer: str):
    """The question asks for it."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(("question", "answer"), REFUSED)
def test_a_refusal_that_resembles_such_an_answer_refuses(question: str | None, answer: str):
    """The question asks for something else."""
    assert abstains(answer, question)


def test_one_of_two_questions_is_answered():
    """That is partial."""
    result = assess_abstention(
        "The owner is Marsh Dairy Ltd. Whether it is let I can't tell you.",
        "Who owns the farm and is it let?",
    )
    assert result.partial
    assert not result.abstains
