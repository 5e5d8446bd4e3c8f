"""A small part of ``make test-cluster``."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.path import ROOT


@pytest.mark.slow
def test_a_lost_worker_costs_one_more_question(tmp_path: Path):
    """On a real cluster: the rows of a local run, no noise, and no secret in Ray's logs."""
    pytest.importorskip("ray")
    ended = subprocess.run(
        [sys.executable, "-m", "tests.cluster.small", str(tmp_path), "lost_worker"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "ok: A worker that ends" in ended.stdout
