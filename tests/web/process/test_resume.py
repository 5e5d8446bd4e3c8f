"""Whether the page can go on with a run, and the command if only a terminal can."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.runs.summary import RunSession, read_summary, write_summary
from assay.runs.write import summary_path
from tests.support.harbour import write_harbour
from tests.support.page import BEARER, client_of, run, write_study


def write_run(root: Path, name: str, command: str) -> None:
    """A run that has not ended, started by this command; by Python if it is empty."""
    journal = write_study(root / "experiments" / f"{name}.jsonl")
    summary = read_summary(summary_path(journal))
    assert summary is not None
    stretch = RunSession(started_at="2026-01-01T00:00:00Z")
    stretch = replace(stretch, command=tuple(command.split())) if command else stretch
    write_summary(summary_path(journal), replace(summary, stretches=(stretch,)))


def asked(root: Path, name: str, **access: Any) -> tuple[int, Any]:
    """What the server says about going on with a run."""
    said: list[tuple[int, Any]] = []

    async def story() -> None:
        async with await client_of(root, **access) as client:
            path = f"/api/v1/runs/experiments%2F{name}/resume"
            answer = await client.get(path, headers=BEARER)
            said.append((answer.status, await answer.json()))

    run(story())
    return said[0]


@pytest.mark.parametrize(
    ("name", "command", "is_offered"),
    [
        ("berths", "assay ablate -e berths --resume fresh", True),
        ("berths", "", True),
        ("gone", "", False),
        ("mine", "assay run --system python:mine:ask --questions q.jsonl", False),
        ("berths", "assay ablate -e berths --system python:mine:ask --resume fresh", False),
    ],
)
def test_going_on_is_offered_if_the_page_can(
    tmp_path: Path, name: str, command: str, is_offered: bool
):
    """The command is there in any case, if one is recorded; it does not begin afresh."""
    write_harbour(tmp_path)
    write_run(tmp_path, name, command)
    status, said = asked(tmp_path, name, is_read_only=False)
    assert status == 200
    assert said == {"is_offered": is_offered, "command": command.removesuffix(" --resume fresh")}


def test_a_run_that_cannot_be_read_is_not_offered(tmp_path: Path):
    """Its summary is damaged; the page shows that elsewhere."""
    write_harbour(tmp_path)
    write_run(tmp_path, "berths", "assay ablate -e berths")
    (tmp_path / "experiments" / "berths.json").write_text("{")
    assert asked(tmp_path, "berths", is_read_only=False)[1] == {"is_offered": False, "command": ""}


def test_a_page_that_only_reads_offers_nothing(tmp_path: Path):
    """There is no such call."""
    write_harbour(tmp_path)
    write_run(tmp_path, "berths", "")
    assert asked(tmp_path, "berths")[0] in {404, 405}
