"""``assay cache``: showing and deleting recorded calls."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from assay.cli.main import app
from assay.errors import UseError
from assay.models.cache import CallCache, RecordedReply, call_key
from assay.models.cache_file import cache_info
from assay.text.width import counted

DAY_S = 86_400.0


@pytest.fixture(name="path")
def _path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with calls of two models, from yesterday and from a hundred days ago."""
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
    """The output has a line for the file, one for each model and one for the dates."""
    shown = assay(tmp_path, "info")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0].startswith(f"{path}: 4 calls, ")
    assert [line.split() for line in lines[1:3]] == [["2", "big"], ["2", "small"]]
    assert lines[3].startswith("  from ")


def test_info_as_json_is_for_programs(path: Path, tmp_path: Path):
    """``--json`` has the calls, the models, the path and the dates."""
    shown: dict[str, Any] = json.loads(assay(tmp_path, "info", "--json").stdout)
    assert shown["calls"] == 4
    assert shown["by_model"] == {"big": 2, "small": 2}
    assert shown["path"] == str(path)
    assert shown["oldest"] < shown["newest"]


def test_info_of_no_cache_is_no_error(tmp_path: Path):
    """A missing cache has no calls, and it is not created."""
    shown = assay(tmp_path, "info")
    assert (shown.exit_code, "0 calls" in shown.stdout) == (0, True)
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
    """Calls are deleted by age, by model or all, and their number is printed."""
    shown = assay(tmp_path, "prune", *words)
    assert shown.stdout == f"{counted(deleted, 'call')} deleted\n"
    assert cache_info(path).by_model == left


@pytest.mark.parametrize("words", [[], ["--all", "--model", "big"]])
def test_prune_without_a_choice_deletes_nothing(path: Path, tmp_path: Path, words: list[str]):
    """Without a choice, or with contradicting options, nothing is deleted."""
    shown = assay(tmp_path, "prune", *words)
    assert isinstance(shown.exception, UseError)
    assert "--older-than DAYS, --model NAME, or --all" in str(shown.exception)
    assert cache_info(path).calls == 4


@pytest.mark.parametrize("words", [["info"], ["prune", "--all"]])
def test_a_file_that_is_no_cache_is_one_line(tmp_path: Path, words: list[str]):
    """A file that is not a cache is a ``UseError`` that names the file."""
    path = tmp_path / ".assay" / "calls.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"no database\n" * 500)
    shown = assay(tmp_path, *words)
    assert isinstance(shown.exception, UseError)
    assert str(path) in str(shown.exception)
