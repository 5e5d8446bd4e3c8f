"""``assay view``: the real server, started as a user starts it."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from assay.web.embedded import is_built
from tests.support.page import write_study

COMMAND = (sys.executable, "-m", "assay", "view")


def environment(tmp_path: Path) -> dict[str, str]:
    """An environment whose state is in a folder of the test."""
    return {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "DISPLAY": ""}


@pytest.mark.skipif(not is_built(), reason="the page is not built: make page")
def test_the_server_shows_a_folder_until_it_is_stopped(tmp_path: Path):
    """It prints its address; the API takes the token of a file; Ctrl+C ends it with 0."""
    write_study(tmp_path / "ws" / "experiments" / "a.jsonl")
    token_file = tmp_path / "token"
    command = [*COMMAND, str(tmp_path / "ws"), "--no-open", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--token-file", str(token_file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(tmp_path),
    )
    try:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        address = next(line.strip() for line in lines if "http://" in line)
        base, token = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", address).groups()  # type: ignore[union-attr]
        assert token_file.read_text().strip() == token
        headers = {"Authorization": f"Bearer {token}"}
        request = urllib.request.Request(f"{base}/api/v1/workspace", headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert [run["id"] for run in json.load(answer)["runs"]] == ["experiments/a"]
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(f"{base}/api/v1/workspace", timeout=30)
    finally:
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    assert process.returncode == 0, output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["nothing-here"], "no such file"),
        (["--host", "0.0.0.0"], "--password-env"),
        (["--host", "0.0.0.0", "--password-env", "ASSAY_NOT_SET"], "not set"),
        ([".", "."], "one folder"),
    ],
)
def test_a_wrong_use_is_one_line(tmp_path: Path, words: list[str], problem: str):
    """With exit code 2 and what to do."""
    done = subprocess.run(
        [*COMMAND, *words],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert problem in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
