import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.chart.style import longest_word, wrap_name
from assay.text.width import display_width

NAMES = st.text(alphabet="ab_-./ 中文，（）жш0.5", max_size=60)


@given(NAMES, st.integers(min_value=2, max_value=30))
def test_nothing_is_lost_and_no_line_is_too_long(text: str, width: int):
    """The lines have all characters except spaces, and no line is wider than the width."""
    lines = wrap_name(text, width).split("\n")
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(display_width(line) <= width for line in lines)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("fast_dim_128", 9, ["fast_dim_", "128"]),
        ("weight 0.75 here", 9, ["weight", "0.75 here"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("检索，重排", 5, ["检", "索，", "重排"]),
        ("short", 10, ["short"]),
        ("", 10, [""]),
        ("覆盖率 (95% 区间)", 16, ["覆盖率 (95% 区", "间)"]),
    ],
)
def test_lines_break_where_a_reader_would(text: str, width: int, lines: list[str]):
    """Lines end after separators, not inside numbers or before commas, rarely inside words."""
    assert wrap_name(text, width).split("\n") == lines


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("difference to fast_dim_2048", 22, ["difference to", "fast_dim_2048"]),
        ("to fast_dim_2048", 9, ["to fast_", "dim_2048"]),
    ],
)
def test_a_name_in_a_sentence_is_broken_only_if_it_must(text: str, width: int, lines: list[str]):
    """The label of an axis keeps the names in it whole, as long as one fits on a line."""
    assert wrap_name(text, width, whole_names=True).split("\n") == lines


def test_longest_word_is_what_cannot_be_broken():
    """The longest word is measured between separators and without trailing spaces."""
    assert longest_word("fast_dimension 12") == len("dimension")
    assert longest_word("") == 0
