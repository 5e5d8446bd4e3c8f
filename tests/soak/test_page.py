"""A small part of ``make soak-page``."""

from tests.soak.page import soak


def test_a_server_that_dies_harms_no_run():
    """After kills of the server while it starts runs, each case of the experiment is there once."""
    seen = soak(2, seed=1, questions=10, within_s=0.6)
    assert seen["kills"] == 2
    assert seen["cases"] == 20
