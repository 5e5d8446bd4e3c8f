"""A chronicle with questions, made once for the tests of the depth job."""

from functools import cache

import pytest

from assay.jobs.depth.run_material import Material
from assay.jobs.depth.sample import sample_material


@cache
def _chronicle() -> Material:
    return sample_material("en", longest=20_000, questions=60)


@pytest.fixture(scope="session")
def material() -> Material:
    """An English chronicle of some 25,000 tokens with 60 questions."""
    return _chronicle()
