"""Questions that a model answers without the document are found; calls are priced and kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.questions.check.planted import write
from tests.support.model_server import ModelServer
from tests.support.program import Program, program

ROWS: list[dict[str, Any] | str] = [
    {"id": "moon", "question": "Who was the first person on the moon?", "answer": "Neil Armstrong"},
    {"id": "deck", "question": "Who keeps the register of moorings?", "answer": "Edith Lowell"},
    {"id": "yes", "question": "Is the harbour open on Sundays?", "answer": "Yes"},
    {"id": "none", "question": "Who painted the shed?", "answerable": False},
    {
        "id": "столица",
        "question": "Столица Франции?",
        "choice": {"a": "Париж", "b": "Рим"},
        "answer": "a",
    },
]


def answer(body: dict[str, Any]) -> str:
    """What a model knows by heart."""
    asked = body["messages"][-1]["content"]
    if "moon" in asked:
        return "It was Neil Armstrong, in 1969."
    return "Это Париж." if "Франции" in asked else "I do not know."


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


def workspace(root: Path, server: ModelServer) -> None:
    """A workspace with one priced model and the set."""
    (root / "experiments").mkdir()
    (root / "experiments" / "experiments.yaml").write_text(
        f"models:\n  small:\n    model: test-model\n    base_url: {server.base_url}\n"
        "    api_key_env: ''\n    price: {prompt: 1.0, completion: 2.0}\n",
        encoding="utf-8",
    )
    write(root / "set.jsonl", ROWS)


def test_known_answers_are_found_once_and_for_a_price(
    tmp_path: Path, assay: Program, monkeypatch: pytest.MonkeyPatch
):
    """A dry run asks nothing; each question is asked once, choices without their choices."""
    monkeypatch.chdir(tmp_path)
    with ModelServer(respond=answer) as server:
        workspace(tmp_path, server)
        words = ("questions", "check", "set.jsonl", "--closed-book", "small")
        dry = assay(*words, "--dry-run")
        assert (dry.code, server.completed.calls) == (0, 0), dry.err
        assert "3 calls to small" in dry.out
        assert "cost: 0.0" in dry.out
        first = assay(*words, "--json")
        assert first.code == 1, first.err
        assert "paid" in first.err
        found = json.loads(first.out)
        assert [(each["kind"], each["id"]) for each in found["findings"]] == [
            ("closed_book", "moon"),
            ("closed_book", "столица"),
        ]
        assert found["closed_book"] == 2
        assert server.completed.calls == 3
        assert assay(*words, "--json").out == first.out
        assert server.completed.calls == 3, "the second time is answered by the call cache"


def test_a_ceiling_and_wrong_use_are_told(
    tmp_path: Path, assay: Program, monkeypatch: pytest.MonkeyPatch
):
    """The ceiling stops asking; options without a model and unknown models are refused."""
    monkeypatch.chdir(tmp_path)
    with ModelServer(respond=answer) as server:
        workspace(tmp_path, server)
        words = ("questions", "check", "set.jsonl")
        stopped = assay(*words, "--closed-book", "small", "--max-cost", "0")
        assert stopped.code == 2
        assert "--max-cost" in stopped.err
        assert assay(*words, "--dry-run").code == 2
        assert assay(*words, "--closed-book", "smal").code == 2


def test_calls_in_flight_do_not_pass_the_ceiling(
    tmp_path: Path, assay: Program, monkeypatch: pytest.MonkeyPatch
):
    """Whatever is asked at once, no question is asked that would probably cost too much."""
    monkeypatch.chdir(tmp_path)
    with ModelServer(respond=answer) as server:
        workspace(tmp_path, server)
        words = ("questions", "check", "set.jsonl", "--closed-book", "small")
        price = float(assay(*words, "--dry-run").out.rpartition("cost: ")[2].split()[0]) / 3
        stopped = assay(*words, "--max-cost", str(1.2 * price))
        assert "--max-cost" in stopped.err
        assert server.completed.calls == 1
