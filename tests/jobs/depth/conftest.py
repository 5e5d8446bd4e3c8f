"""A chronicle with questions, made once for the tests of the depth job."""

from functools import cache

import pytest

from assay.jobs.depth.novel_data import NovelData, sample_novel_data


@cache
def _chronicle() -> NovelData:
    return sample_novel_data("en", longest=20_000, questions=60)


@pytest.fixture(scope="session")
def novel_data() -> NovelData:
    """An English chronicle of about 25,000 tokens with 60 questions."""
    return _chronicle()
