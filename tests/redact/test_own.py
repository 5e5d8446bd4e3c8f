"""The user's own words and patterns."""

import pytest

from assay.errors import UseError
from assay.redact.find import own_finder
from assay.redact.mask import Masker
from assay.redact.pseudonym import Forgotten


def test_words_are_found_in_any_case_and_not_inside_words():
    """Chinese needs no spaces; a word of letters is not a part of another one."""
    masker = Masker(Forgotten(), [own_finder(["Owl", "青鸟计划"], ["CASE-[0-9]{4}"])])
    values = [found.value for found in masker.find("The OWL, not owls; 这是青鸟计划的CASE-1234。")]
    assert values == ["OWL", "青鸟计划", "CASE-1234"]


def test_signs_in_words_are_no_expressions():
    """A word is a word, whatever signs it has."""
    find = own_finder(["A.C (north)*"], [])
    assert [found.value for found in find("in A.C (north)* and ABC north")] == ["A.C (north)*"]


@pytest.mark.parametrize("pattern", ["(", "(?=x)y", "a*"])
def test_a_wrong_pattern_is_refused(pattern: str):
    """What RE2 does not know, and what matches nothing at all, is an error in one line."""
    with pytest.raises(UseError, match="redact: patterns: "):
        own_finder([], [pattern])


def test_a_pattern_that_would_explode_takes_no_time():
    """RE2 needs time in proportion to the text."""
    find = own_finder([], ["(a+)+b"])
    assert list(find("a" * 50_000)) == []
