"""``assay cache``: what is recorded, and deleting it on request alone."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from assay.cli.main import app
from assay.errors import UseError
from assay.models.cache import CallCache, RecordedReply, cache_info, call_key

DAY_S = 86_400.0


@pytest.fixture(name="path")
def _path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with a call of yesterday and one of a hundred days ago, of two models each."""
    path = tmp_path / ".assay" / "calls.sqlite"
    now = time.time()
    for age_days in (100, 1):
        moment = now - age_days * DAY_S
        with monkeypatch.context() as patch:
            patch.setattr("assay.models.cache.time.time", lambda moment=moment: moment)
            cache = CallCache(path)
            for model in ("big", "small"):
                key = call_key("chat", "u", {"model": model, "age": age_days})
                cache.put(key, model, "chat", RecordedReply(b"x", 0.1))
            cache.close()
    return path


def assay(root: Path, *words: str) -> Result:
    """Run ``assay cache …`` on a workspace."""
    return CliRunner().invoke(app, ["cache", *words, "--root", str(root)])


def test_info_tells_calls_models_age_and_size(path: Path, tmp_path: Path):
    """A line for the file, one for each model, one for the dates."""
    told = assay(tmp_path, "info")
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert lines[0].startswith(f"{path}: 4 calls, ")
    assert [line.split() for line in lines[1:3]] == [["2", "big"], ["2", "small"]]
    assert lines[3].startswith("  from ")


def test_info_as_json_is_for_programs(path: Path, tmp_path: Path):
    """The same facts, by name."""
    told: dict[str, Any] = json.loads(assay(tmp_path, "info", "--json").stdout)
    assert told["calls"] == 4
    assert told["by_model"] == {"big": 2, "small": 2}
    assert told["path"] == str(path)
    assert told["oldest"] < told["newest"]


def test_info_of_no_cache_is_no_error(tmp_path: Path):
    """Nothing is recorded yet, and nothing is made."""
    told = assay(tmp_path, "info")
    assert (told.exit_code, "0 calls" in told.stdout) == (0, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "deleted", "left"),
    [
        (["--all"], 4, {}),
        (["--model", "big"], 2, {"small": 2}),
        (["--older-than", "30"], 2, {"big": 1, "small": 1}),
        (["--older-than", "30", "--model", "big"], 1, {"big": 1, "small": 2}),
        (["--older-than", "365"], 0, {"big": 2, "small": 2}),
    ],
)
def test_prune_deletes_what_was_named(
    path: Path, tmp_path: Path, words: list[str], deleted: int, left: dict[str, int]
):
    """By age in days, by model, or all; it says how many."""
    told = assay(tmp_path, "prune", *words)
    assert told.stdout == f"{deleted} calls deleted\n"
    assert cache_info(path).by_model == left


@pytest.mark.parametrize("words", [[], ["--all", "--model", "big"]])
def test_prune_without_a_choice_deletes_nothing(path: Path, tmp_path: Path, words: list[str]):
    """What is paid for is not deleted by accident."""
    told = assay(tmp_path, "prune", *words)
    assert isinstance(told.exception, UseError)
    assert "--older-than DAYS, --model NAME, or --all" in str(told.exception)
    assert cache_info(path).calls == 4


@pytest.mark.parametrize("words", [["info"], ["prune", "--all"]])
def test_a_file_that_is_no_cache_is_one_line(tmp_path: Path, words: list[str]):
    """Wrong use, not a traceback."""
    path = tmp_path / ".assay" / "calls.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"no database\n" * 500)
    told = assay(tmp_path, *words)
    assert isinstance(told.exception, UseError)
    assert str(path) in str(told.exception)
