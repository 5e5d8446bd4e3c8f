"""The server of commands: a forked command behaves as the installed script does."""

import os
import re
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.command_server import PROGRAM, CommandServer, shared_server

ENVIRONMENT = {**os.environ, "COLUMNS": "120"}


@pytest.fixture
def server() -> CommandServer:
    """The server that tests of this process share."""
    return shared_server(ENVIRONMENT)


@pytest.mark.parametrize("arguments", [["list"], ["compare", "--base=a"], ["report", "none.jsonl"]])
def test_a_forked_command_ends_as_the_installed_one(
    server: CommandServer, tmp_path: Path, arguments: list[str]
):
    """Code, output and messages are the same, in the folder of the call."""
    forked = server.run(arguments, tmp_path, ENVIRONMENT)
    started = subprocess.run(
        [str(PROGRAM), *arguments],
        cwd=tmp_path,
        env=ENVIRONMENT,
        text=True,
        capture_output=True,
        check=False,
    )
    assert (forked.returncode, forked.stdout, forked.stderr) == (
        started.returncode,
        started.stdout,
        started.stderr,
    )
    assert str(tmp_path) in forked.stdout or forked.returncode == 2


def test_one_call_leaves_nothing_to_the_next(server: CommandServer, tmp_path: Path):
    """Each call has its own folder, environment and output."""
    (tmp_path / "a").mkdir()
    key = {**ENVIRONMENT, "SHOP_API_KEY": "a-secret-that-is-masked"}
    words = ["report", "a-secret-that-is-masked.jsonl"]
    masked = server.run(words, tmp_path / "a", key)
    plain = server.run(words, tmp_path, ENVIRONMENT)
    assert (masked.returncode, plain.returncode) == (2, 2)
    assert "***" in masked.stderr
    assert "a-secret-that-is-masked.jsonl" in plain.stderr


def test_a_command_that_goes_on_ends_with_the_block(server: CommandServer, tmp_path: Path):
    """As a process does that is asked to end; one that has ended by itself is no error."""
    words = ["view", "--no-open", "--port=0", "--token-file=token", "."]
    with server.running(words, tmp_path, ENVIRONMENT) as printed:
        address = next(
            found for line in printed if (found := re.search(r"127\.0\.0\.1:(\d+)", line))
        )
        place = ("127.0.0.1", int(address[1]))
        socket.create_connection(place).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(place)
    with server.running(["--version"], tmp_path, ENVIRONMENT) as printed:
        assert printed.read().startswith("assay")


def test_calls_run_side_by_side_and_a_caller_that_goes_away_harms_none(
    server: CommandServer, tmp_path: Path
):
    """Each caller gets the code of its own command, whichever ends first."""
    with socket.socket(socket.AF_UNIX) as gone:
        gone.connect(server.address)
    calls = [["list"], ["compare", "--base=a"], ["report", "none.jsonl"], ["--version"]] * 2
    with ThreadPoolExecutor(len(calls)) as pool:
        ended = list(pool.map(lambda words: server.run(words, tmp_path, ENVIRONMENT), calls))
    assert [each.returncode for each in ended] == [0, 2, 2, 0] * 2
    assert ended[0].stdout == ended[4].stdout != ended[3].stdout == ended[7].stdout


def test_what_the_interpreter_reads_at_its_start_needs_a_start(server: CommandServer):
    """A call with other variables for Python itself is not for this server."""
    assert server.fits({**ENVIRONMENT, "SHOP_API_KEY": "x"})
    assert not server.fits({**ENVIRONMENT, "PYTHONIOENCODING": "ascii"})
    assert not server.fits({**ENVIRONMENT, "LC_ALL": "zh_CN.UTF-8"})


def test_a_call_imports_from_its_own_python_path(server: CommandServer, tmp_path: Path):
    """``PYTHONPATH`` is that of the call, and so is whether byte code is written."""
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "clerk.py").write_text("def ask(question):\n    return 'Tuesday'\n")
    words = ["doctor", "--system", "python:clerk:ask"]
    environment = {**ENVIRONMENT, "PYTHONPATH": str(tmp_path / "path")}
    assert server.fits(environment)
    without_code = {**environment, "PYTHONDONTWRITEBYTECODE": "1"}
    assert server.run(words, tmp_path, without_code).returncode == 0
    assert not (tmp_path / "path" / "__pycache__").exists()
    assert (
        server.run(words, tmp_path, environment | {"PYTHONDONTWRITEBYTECODE": ""}).returncode == 0
    )
    assert (tmp_path / "path" / "__pycache__").exists()
    unknown = server.run(words, tmp_path, {**ENVIRONMENT, "PYTHONPATH": ""})
    assert unknown.returncode != 0
    assert "clerk" in unknown.stdout + unknown.stderr
