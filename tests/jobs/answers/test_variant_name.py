"""Names of variants: short, unique, and those of earlier versions where a run has them."""

from pathlib import Path

import pytest

from assay.jobs.answers.plain_run import earlier_names, named_variants
from assay.mask import read_environment
from tests.support.json_server import JsonServer
from tests.support.program import program

LOCAL = "http://127.0.0.1:8917"


def names(
    *systems: str, prompts: tuple[str, ...] = (), recorded: tuple[str, ...] = ()
) -> list[str]:
    """The names of the variants of these systems."""
    return [name for name, *_ in named_variants(systems, prompts, recorded)]


@pytest.mark.parametrize(
    ("system", "name"),
    [
        (f"{LOCAL}/good", "8917-good"),
        ("http://localhost:8000", "localhost-8000"),
        ("http://[::1]:8000/ask", "8000-ask"),
        ("https://rag.example.com/v1/ask", "rag-v1-ask"),
        ("https://www.example.com:8443/ask", "example-8443-ask"),
        ("http://10.0.0.7/ask?k=5", "10.0.0.7-ask-k-5"),
        ("https://me:pw@rag.example.com/ask?api_key=abc", "rag-ask"),
        ("https://rag.example.com/tenants/north/collections/harbour/ask", "rag-harbour-ask"),
        ("http://10.0.0.7/ask?token=Zx9Secret8877QQ&k=5", "10.0.0.7-ask-k-5"),
        ("http://10.0.0.7/ask?code=Zx9Secret8877QQ", "10.0.0.7-ask"),
        ("http://10.0.0.7/ask?who=x9Kd03LmQ2vT7bRw", "10.0.0.7-ask"),
        ("python:my_rag:ask", "my_rag.ask"),
        ("replay:old.jsonl", "replay.old.jsonl"),
        ("replay:/data/of/the/team/experiments/spring/baseline.jsonl", "baseline"),
        ("replay:/data/of/the/team/experiments/spring/baseline.jsonl#small", "baseline-small"),
        (
            "replay:answers-of-the-first-system-that-everybody-uses.csv",
            "of-the-first-system-that-everybody-uses",
        ),
        ("http://[broken", "http.-broken"),
    ],
)
def test_a_system_has_a_short_name(system: str, name: str):
    """The scheme says nothing, and neither do a login, a key and the beginning of a long path."""
    assert names(system) == [name]


def test_names_that_would_be_equal_have_the_whole_host():
    """Then numbers make them unique."""
    north, south = "https://rag.north.com/ask", "https://rag.south.com/ask"
    assert names(north, south) == ["rag-ask", "rag.south.com-ask"]
    assert names(north, north, north)[:2] == ["rag-ask", "rag.north.com-ask"]
    assert len(set(names(north, north, north))) == 3


def test_prompts_are_part_of_the_names():
    """Of one system they are the whole name."""
    assert names(LOCAL, prompts=("brief", "long")) == ["brief", "long"]
    two = names(f"{LOCAL}/a", f"{LOCAL}/b", prompts=("brief", "long"))
    assert two == ["8917-a.brief", "8917-a.long", "8917-b.brief", "8917-b.long"]


def test_a_run_keeps_the_names_of_an_earlier_version():
    """Otherwise its rows would belong to no variant, and all would be asked again."""
    old = "http.-127.0.0.1.8917-good"
    assert earlier_names([f"{LOCAL}/good"], []) == [old]
    assert names(f"{LOCAL}/good", f"{LOCAL}/new", recorded=(old,)) == [old, "8917-new"]


def test_a_run_with_earlier_names_goes_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """The run is found under the name that an earlier version gave it, and asks nothing again."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.csv").write_text("question,answer\nHow long?,30 days\n", encoding="utf-8")
    assay = program(capsys)
    words = ("run", "--questions", "q.csv", "--system", "http://127.0.0.1:9/ask", "--no-report",
             "--retries", "0")  # fmt: skip
    with monkeypatch.context() as earlier:
        earlier.setattr(
            "assay.jobs.answers.plain_run.named_variants",
            lambda systems, prompts, recorded=(): named_variants(
                systems, prompts, ["http.-127.0.0.1.9-ask"]
            ),
        )
        assay(*words)
    assert "config=http.-127.0.0.1.9-ask" in assay(*words).out
    files = sorted(path.name for path in (tmp_path / "experiments").glob("*.jsonl"))
    assert files == ["run-q.jsonl", "run-q.plan.jsonl"]


def test_a_known_secret_is_no_part_of_a_name(monkeypatch: pytest.MonkeyPatch):
    """The words of a command may hold one; rows and summary then have the same name without it."""
    monkeypatch.setenv("MY_RAG_TOKEN", "t0ken-0123456789")
    read_environment()
    assert names("command:ask --key t0ken-0123456789") == ["command.ask---key"]
    assert earlier_names([f"{LOCAL}/ask?token=Zx9Secret8877QQ"], []) == ["8917-ask"]


@pytest.mark.parametrize("name", ["token", "code", "sig", "subscription-key", "who"])
def test_a_secret_in_an_address_reaches_no_file_and_loses_no_result(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
):
    """One name without the secret is in the rows, the plan, the summary and the tables."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.csv").write_text("question,answer\nHow long?,30 days\n", encoding="utf-8")
    assay = program(capsys)
    secret = f"Zx9Secret8877QQ{name}4k7"
    with JsonServer(lambda _: {"answer": "30 days"}) as server:
        address = f"{server.url}/ask?{name}={secret}"
        words = ("run", "--questions", "q.csv", "--system", address, "--name", "n")
        first, second = assay(*words), assay(*words)
    assert secret not in first.out + first.err
    assert "1 scored" in first.err
    assert "not part of this run" not in first.out + first.err + second.out + second.err
    assert "nothing was asked" in second.out + second.err
    for path in (tmp_path / "experiments").glob("n.*"):
        assert secret not in path.read_text(encoding="utf-8"), path


def test_recorded_answers_of_two_folders_have_two_names():
    """Files of one name are distinguished by their folders, and a run keeps the names it has."""
    team = "/data/of/the/team/experiments"
    systems = [f"replay:{team}/{season}/baseline.jsonl" for season in ("spring", "autumn")]
    assert names(*systems) == ["baseline", "autumn-baseline"]
    earlier = earlier_names(systems, [])
    assert names(*systems, recorded=tuple(earlier)) == earlier
