"""A small part of ``make soak``."""

import pytest

from tests.soak.run import soak


@pytest.mark.slow
def test_kills_and_faults_lose_nothing():
    """After kills of several commands and faults of the server, nothing is lost or there twice."""
    names = ("ingest", "quality", "merge", "page")
    seen = soak(4, seed=1, latency_s=0.0, names=names)
    assert sum(seen["kills"].values()) == 4
    assert seen["cases"]
