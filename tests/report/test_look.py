"""Colours and numbers: one table for all that is drawn."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.jobs.depth.map.words import heat_word
from assay.report.look import (
    HEAT,
    PAGE,
    VARIANTS,
    PaletteName,
    Rgb,
    _luminance,
    colour,
    ink,
    length_labels,
    rgb,
    short_percent,
)

SHARES = st.floats(0, 1)


@given(share=SHARES, palette=st.sampled_from(["green-red", "safe"]))
def test_text_is_readable_on_every_colour(share: float, palette: PaletteName):
    """The contrast of text and tile is at least 4.5 to 1."""
    background = colour(share, "recall", palette)
    text = (255, 255, 255) if ink(background) == "#ffffff" else (0, 0, 0)
    assert contrast(background, text) >= 4.5


@given(low=SHARES, high=SHARES)
def test_the_safe_colours_only_get_lighter(low: float, high: float):
    """A higher value never has a darker colour, so that the order is visible in grey."""
    low, high = sorted((low, high))
    shades = [_luminance(colour(value, "recall", "safe")) for value in (low, high)]
    assert shades[0] <= shades[1] + 1e-9


def test_high_is_green_low_is_red_and_no_difference_is_pale():
    """The ends of the scales have the expected colours, and larger values have the last one."""
    red, green = colour(0.0, "recall", "green-red"), colour(1.0, "recall", "green-red")
    assert red[0] > 2 * red[1]
    assert green[1] > 2 * green[0]
    assert min(colour(0.0, "difference", "green-red", reach=0.4)) > 230
    assert colour(0.9, "difference", "safe", reach=0.4) == colour(
        0.4, "difference", "safe", reach=0.4
    )


def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast of two colours as the Web Content Accessibility Guidelines define it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_all_colours_have_the_form_that_the_page_reads():
    """Each colour has six hexadecimal digits."""
    tables = [*HEAT.values(), *VARIANTS.values(), *(each.values() for each in PAGE.values())]
    assert all(re.fullmatch("#[0-9a-f]{6}", shade) for table in tables for shade in table)


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_text_of_the_page_is_readable_on_its_paper(theme: str):
    """Ink and the colours that mean something have a contrast of at least 4.5 to 1."""
    shades = PAGE[theme]
    names = ("ink", "faint", "accent", "better", "worse", "failed", "gold")
    assert min(contrast(rgb(shades[name]), rgb(shades["paper"])) for name in names) >= 4.5


def test_no_data_is_said_as_users_know_it():
    """A tile without data has the specified text in each language."""
    texts = [heat_word("no data", lang) for lang in ("en", "zh", "ru")]
    assert texts == ["no data", "无数据", "нет данных"]


@given(share=SHARES)
def test_a_tile_reads_0_or_100_only_where_it_is(share: float):
    """A tile shows 0 or 100 only if the share is exactly 0 or 1."""
    shown = short_percent(share)
    assert (shown == "100") == (share == 1)
    assert (shown == "0") == (share == 0)


@given(lengths=st.sets(st.integers(1, 2_000_000), min_size=1, max_size=8))
def test_labels_of_lengths_are_distinct(lengths: set[int]):
    """Different context lengths have different labels."""
    labels = length_labels(tuple(sorted(lengths)))
    assert len(set(labels)) == len(labels)
