"""What is searched for: texts and expressions of RE2."""

import pytest

from assay.errors import UseError
from assay.web.pattern import Pattern, _tree, required_literal
from assay.web.text_store import folded


def finds(pattern: str, text: str, *, regex: bool = True) -> bool:
    """Whether a pattern is found in a text."""
    data = folded(text)
    return Pattern(pattern, regex=regex).find(data, 0, len(data))[0] >= 0


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("STRASSE", "Straße"), ("ДЕНЬ", "Рабочий день"), ("三十", "三十日内"), ("a.b", "A.B")],
)
def test_a_text_is_found_without_regard_to_case(pattern: str, text: str):
    """In all three languages; a dot is a dot."""
    assert finds(pattern, text, regex=False)
    assert not finds("a.b", "axb", regex=False)


@pytest.mark.parametrize(
    ("pattern", "text", "is_found"),
    [
        (r"^lot \d+$", "Lot 17", True),
        (r"^lot \d+$", "a lot 17", False),
        (r"день|дня", "три ДНЯ", True),
        (r"\bday\b", "Thursday", False),
        (r"第.+条", "第三条", True),
        (r"[[:digit:]]{3}", "abc 123", True),
        (r"", "anything", True),
    ],
)
def test_an_expression_is_that_of_re2(pattern: str, text: str, is_found: bool):
    """Anchors are those of a single text."""
    assert finds(pattern, text) is is_found


@pytest.mark.parametrize("pattern", ["(", "a**", r"(?=x)", r"(a)\1", "[z-a]", "x{100000}"])
def test_a_wrong_expression_is_told(pattern: str):
    """Also those that RE2 refuses because they could take for ever."""
    with pytest.raises(UseError, match="not a regular expression"):
        Pattern(pattern, regex=True)


def test_a_very_long_pattern_is_refused():
    """It would cost memory and finds nothing."""
    with pytest.raises(UseError, match="at most 1000"):
        Pattern("a" * 1001)


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("Delivery", b"delivery"),
        (r"lot (\d+) of (the) sale", b" sale"),
        (r"(sold){2,3}", b"sold"),
        (r"x?y*", b""),
        ("a|b", b""),
        (r"(?i:Word)s", b"s"),
        ("[[:alpha:]]x", b""),
        (r"\pL+", b""),
    ],
)
def test_the_longest_required_text_of_an_expression(pattern: str, literal: bytes):
    """Every match contains it, so items without it need no closer look."""
    assert required_literal(_tree(pattern)) == literal


@pytest.mark.parametrize(
    ("pattern", "is_free"),
    [("ab", True), ("^ab", False), (r"(a|b\b)", False), (r"(x(y$)?)+", False), ("a.c", True)],
)
def test_an_expression_with_anchors_is_known(pattern: str, is_free: bool):
    """It is matched against single texts only."""
    assert Pattern(pattern, regex=True).is_free is is_free


def test_no_expression_takes_exponential_time():
    """Python's own engine needs minutes for this one."""
    assert not finds(r"(x+x+)+y", "x" * 100_000)
