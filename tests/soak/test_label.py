"""A small part of ``make soak-labels``."""

from tests.soak.label import soak


def test_a_server_that_dies_loses_no_label():
    """After kills of the server while a person labels, every label is there."""
    seen = soak(2, seed=2, questions=100, within_s=0.6)
    assert seen["kills"] == 2
