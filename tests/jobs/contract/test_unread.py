"""Notes about unread text: which of them are about a part of a reply."""

import pytest

from assay.jobs.contract.reply import parse_review, unread_part


@pytest.mark.parametrize(
    ("reply", "parts"),
    [
        ("Level: low\n\n# Review\nBest regards", []),
        ("level: maybe", []),
        ("", []),
        ("Level: low\n补充依据：「甲方应当赔偿」", ["补充依据：「甲方应当赔偿」"]),
        ("Level: low\n**Note**: it pays", ["**Note**: it pays"]),
        ("Level: low\nHere it is:", []),
        ('{"level": "low", "confidence": 0.4, "model": "m-1"}', []),
        ('{"level": "low", "why not": "it pays a fee"}', ["'why not': 'it pays a fee'"]),
    ],
)
def test_a_label_with_a_text_or_a_quotation_is_a_part(reply: str, parts: list[str]):
    """A title, a greeting and a short value are no parts, a labelled or quoted text is one."""
    found = [unread_part(note) for note in parse_review(reply).unread]
    assert [part for part in found if part] == parts
