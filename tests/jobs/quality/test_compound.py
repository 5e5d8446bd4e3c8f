"""Chinese characters that are only the beginning of a longer word or name."""

import pytest

from assay.jobs.quality.score import continues_as_longer_word
from assay.text.normalise import Span


@pytest.mark.parametrize(
    "text", ["王明月", "李华东", "赵强生", "张三丰", "中国银行", "大学生", "南京东路"]
)
def test_a_longer_name_is_another_one(text: str):
    """The segmenter takes the characters after the first two for a part of the word."""
    assert continues_as_longer_word(text, Span(start=0, end=2))


@pytest.mark.parametrize(
    "text",
    [
        "王明先生",
        "王明说",
        "王明的",
        "王明一人",
        "赵强生病了",
        "南京市",
        "中国的",
        "王明",
        "张三李四",
    ],
)
def test_what_only_follows_a_name_does_not_change_it(text: str):
    """Titles, particles, verbs, suffixes of places and other names leave the word as it is."""
    assert not continues_as_longer_word(text, Span(start=0, end=2))


def test_other_scripts_have_word_boundaries():
    """Only Chinese is cut into words."""
    assert not continues_as_longer_word("Smithson", Span(start=0, end=5))
