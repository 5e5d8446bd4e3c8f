"""A user's own rubric: a Markdown file with rules and a scale."""

from pathlib import Path

import pytest

from assay.errors import UseError
from assay.judge.rubric import own_rubric

TONE = """# Tone
The answer must be polite.

- it must not promise anything

Scale:

- 3: polite
  and short
- 2: dry
- 1: rude
"""


def write(tmp_path: Path, text: str) -> Path:
    """The text as a file."""
    path = tmp_path / "tone.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_numbers_are_spread_evenly(tmp_path: Path):
    """The last list of the file is the scale; numbers become scores from 0 to 1."""
    rubric = own_rubric(write(tmp_path, TONE))
    assert rubric.scale == {"3": 1.0, "2": 0.5, "1": 0.0}
    assert rubric.name == "tone"
    assert "must not promise" in rubric.rules


def test_words_have_their_scores_in_brackets(tmp_path: Path):
    """A scale of words, also with full-width punctuation."""
    text = "判断语气。\n\n- 礼貌（1）：客气\n- 一般（0.4）：平淡\n- 粗鲁（0）：无礼\n"
    assert own_rubric(write(tmp_path, text)).scale == {"礼貌": 1.0, "一般": 0.4, "粗鲁": 0.0}


def test_a_changed_file_is_a_new_rubric(tmp_path: Path):
    """The rules belong to the identity of the rubric."""
    before = own_rubric(write(tmp_path, TONE)).identity
    assert own_rubric(write(tmp_path, TONE.replace("polite.", "kind."))).identity != before


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "a list of at least two"),
        ("Be polite.", "a list of at least two"),
        ("- 1: only one", "a list of at least two"),
        ("- 1: a\n- 1: b", "two different levels"),
        ("- good: a\n- bad: b", "needs its score"),
        ("- good (0.5): a\n- bad (0.5): b", "same score"),
        ("- good (1.5): a\n- bad (0): b", r"the level 'good' has the score 1\.5; .* from 0 to 1"),
        ("- best (5): a\n- good (1): b\n- bad (0): c", "the level 'best' has the score 5"),
        ("- good (1): a\n- bad (-1): b", "the level 'bad' has the score -1"),
    ],
)
def test_a_rubric_without_a_scale_is_refused(tmp_path: Path, text: str, problem: str):
    """The message says what a scale looks like."""
    with pytest.raises(UseError, match=problem):
        own_rubric(write(tmp_path, text))


def test_a_missing_file_is_one_line(tmp_path: Path):
    """A path that does not exist is named."""
    with pytest.raises(UseError, match=r"none\.md: the rubric cannot be read"):
        own_rubric(tmp_path / "none.md")
