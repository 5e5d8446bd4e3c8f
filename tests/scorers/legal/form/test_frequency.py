"""The number of a frequency counts years or months, and not what is asked about."""

import pytest

from assay.scorers.legal.field import text_verdict
from assay.scorers.legal.field.verdict import count_verdict

CASES = [
    ("How many inspections are there?", "Once every 2 years.", 2, False),
    ("How many keys are there?", "They are counted every three months.", 3, False),
    ("How many guards are there?", "every 2 hours", 2, False),
    ("How many inspections a year are there?", "once every 2 years", 2, False),
    ("Сколько проверок проводится?", "Раз в 2 года.", 2, False),
    ("Сколько ключей?", "каждые два года", 2, False),
    ("检查多少次？", "每2年一次", 2, False),
    ("检查多少次？", "每两年检查一次", 2, False),
    ("How many inspections are there?", "Twice a year.", 2, True),
    ("How many years are between two inspections?", "Once every 2 years.", 2, True),
    ("How many keys are there?", "2 keys, counted every 3 months.", 2, True),
    ("Раз в сколько лет проводится проверка?", "Раз в 2 года.", 2, True),
    ("Сколько раз в год?", "Два раза в год.", 2, True),
    ("每隔几年检查一次？", "每2年一次", 2, True),
    ("每年检查几次？", "每年两次", 2, True),
]


@pytest.mark.parametrize(("question", "answer", "count", "holds"), CASES)
def test_an_interval_is_a_count_only_if_it_is_asked_for(
    question: str, answer: str, count: int, holds: bool
):
    """Once every two years is not two of something, as a count and as a text."""
    assert count_verdict(answer, count, question).holds is holds
    assert holds or not text_verdict(answer, str(count), (), question=question).holds
