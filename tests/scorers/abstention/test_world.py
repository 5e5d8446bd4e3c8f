"""What the world does not know is an answer; what the text does not tell is a refusal."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who carved the stone heads?", "Their makers are unknown to this day; no workshop was found."),
        ("What causes the hum?", "Scientists do not know what causes it, and several theories compete."),
        ("Кто вырезал каменные головы?", "Мастера неизвестны до сих пор, мастерской никто не нашёл."),
        ("Отчего гудит гора?", "Учёные так и не выяснили, хотя гипотез несколько."),
        ("石像是谁雕的？", "学界至今没有定论，有人归之于南方移民。"),
        ("这种病因何而起？", "医学界尚不清楚病因，书中称可能与饮水有关。"),
    ],
)  # fmt: skip
def test_what_nobody_knows_is_told(question: str, answer: str):
    """Scholars who do not know, and what is unknown to this day, answer the question."""
    assert not abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who carved the stone heads?", "The guide does not say who carved them."),
        ("Кто вырезал каменные головы?", "Путеводитель мастеров не называет."),
        ("石像是谁雕的？", "导览手册没有交代作者。"),
        ("谁寄的信？", "至今是个谜。"),
    ],
)
def test_what_the_text_does_not_tell_is_refused(question: str, answer: str):
    """A text that is silent refuses, and so does an answer that only speaks of a mystery."""
    assert abstains(answer, question)
