"""Judging that fails costs money too: it is stored, counted, and bounded."""

from pathlib import Path

import pytest

from tests.support.judged import serve, write_workspace
from tests.support.model_server import Fault
from tests.support.program import Program


def test_failed_judging_counts_for_the_limit_of_a_later_command(assay: Program, tmp_path: Path):
    """Replies that the provider's filter withholds are paid for; a resumed command knows it."""
    with serve(faults=[Fault(kind="filtered")] * 200) as server:
        write_workspace(tmp_path, server.base_url, questions=6)
        words = (
            "judge", "trial", "--judge", "correct", "--root", tmp_path, "--concurrency", 1,
            "--retries", 0, "--max-cost", 0.0005,
        )  # fmt: skip
        first = assay(*words)
        calls = server.completed.calls
        assert first.code == 1
        assert "the judge has cost" in first.err
        assert 0 < calls < 12
        again = assay(*words)
        assert again.code == 1
        assert "the judge has cost" in again.err
        assert server.completed.calls == calls


@pytest.mark.parametrize("retries", [0, 1])
def test_retries_is_how_often_a_call_is_made_again(assay: Program, tmp_path: Path, retries: int):
    """The model's own number of retries is for commands that do not say one."""
    with serve(faults=[Fault(kind="null_content")] * 50) as server:
        write_workspace(tmp_path, server.base_url, questions=1)
        ran = assay(
            "judge", "trial", "--judge", "correct", "--root", tmp_path, "--retries", retries,
            "--concurrency", 1, "--no-call-cache",
        )  # fmt: skip
        assert ran.code == 1
        assert server.completed.calls == 2 * (1 + retries)
