"""A hostile provider, seen from the command line: exit codes, counts, and no secret anywhere."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.harbour import write_harbour
from tests.support.model_client import KEY, VARIABLE
from tests.support.model_fault import Body, Fault
from tests.support.model_server import ModelServer
from tests.support.program import Program, program

OTHER = "hf_0123456789abcdef"
MODEL = """\
models:
  house:
    model: m
    base_url: {url}
    price: {price}
    retries: 1
"""


class Provider:
    """A workspace whose model is on a server that spoils the replies to the second question."""

    def __init__(self, root: Path, assay: Program) -> None:
        self.kind: Any = None
        self.reply = f"It is 12 euros. Your key is {KEY}, the other one {OTHER}."
        self.server = ModelServer(faults=self._fault, respond=lambda _: self.reply)
        self.root = root
        self._assay = assay

    def _fault(self, _number: int, body: Body) -> Fault | None:
        is_second = "berth 2 " in body["messages"][-1]["content"]
        return Fault(kind=self.kind) if self.kind and is_second else None

    def configure(self, price: str = "{prompt: 2.0, completion: 8.0}") -> None:
        """Write the workspace."""
        more = MODEL.format(url=self.server.base_url, price=price)
        write_harbour(self.root, questions=3, system="openai:house", more=more)

    def run(self, *words: str) -> Any:
        """Ask three questions with two variants."""
        return self._assay("ablate", "-e", "draws", "--no-report", "--root", self.root, *words)

    def keep_as_base(self) -> None:
        """Copy the results, and forget the recorded calls."""
        for path in (self.root / "experiments").glob("draws.*"):
            shutil.copy(path, self.root / path.name.replace("draws", "base"))
        shutil.rmtree(self.root / ".assay")

    def gate(self, *words: str) -> Any:
        """Compare the last run with the base."""
        cand = self.root / "experiments/draws.jsonl"
        base = self.root / "base.jsonl"
        metric = ("--metric", "answered_rate", "--variant", "first_draw")
        return self._assay("compare", "--base", base, "--cand", cand, *metric, *words)


@pytest.fixture(name="provider")
def _provider(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Provider]:
    monkeypatch.setenv(VARIABLE, KEY)
    monkeypatch.setenv("HF_TOKEN", OTHER)
    provider = Provider(tmp_path, program(capsys))
    with provider.server:
        provider.configure()
        yield provider


@pytest.mark.parametrize("kind", ["error_in_choice", "finish_error", "filtered", "tool_calls"])
def test_a_failure_inside_a_200_is_two_in_the_gate_and_never_one(provider: Provider, kind: str):
    """It is not scored and not recorded; when the provider answers again, the gate passes."""
    assert provider.run().code == 0
    provider.keep_as_base()
    provider.kind = kind
    ran = provider.run("--resume=fresh")
    assert ran.code == 1
    assert "4 scored, 2 failed" in ran.err
    assert provider.gate().code == 2
    provider.kind = None
    assert provider.run().code == 0
    assert provider.gate().code == 0


def test_a_filter_that_persists_does_not_block_every_gate(provider: Provider):
    """With ``--count-filtered`` the answer is lost: the gate counts it as worse, and says so."""
    provider.run()
    provider.keep_as_base()
    provider.kind = "filtered"
    ran = provider.run("--resume=fresh")
    assert "2 answers were withheld by the provider's filter; --count-filtered" in ran.err
    refused = provider.gate()
    assert refused.code == 2
    assert "run it again with --count-filtered" in refused.err
    ran = provider.run("--count-filtered")
    assert ran.code == 0
    assert "6 scored, 2 of them lost to the provider's filter, 0 failed" in ran.err
    compared = provider.gate()
    assert compared.code == 1
    assert "1 answer that the provider's filter withheld counts as wrong" in compared.out
    assert provider.gate("--max-regressions", "1", "--min-delta", "-0.5").code == 0


def test_no_key_is_written_or_printed(provider: Provider):
    """The server repeats the key of the call and another one: neither is in a file or a line."""
    printed = ""
    for kind in (None, "invalid_key_echoed"):
        provider.kind = kind
        ran = provider.run("--resume=fresh", "--log-lines")
        printed += ran.out + ran.err
    content = b"".join(path.read_bytes() for path in provider.root.rglob("*") if path.is_file())
    for secret in (KEY, OTHER):
        assert secret not in printed
        assert secret.encode() not in content
    assert b"Your key is ***, the other one ***." in content


@pytest.mark.parametrize(
    "words", [("--max-cost", "nan"), ("--max-cost", "inf"), ("--timeout=nan",)]
)
def test_a_limit_that_is_no_number_is_refused(provider: Provider, words: tuple[str, ...]):
    """It would switch the limit off."""
    ran = provider.run(*words)
    assert ran.code == 2


def test_a_run_that_cannot_count_says_so_and_stops(provider: Provider):
    """Without a price and without a stated cost, a ceiling cannot be kept."""
    provider.configure(price="null")
    ran = provider.run("--max-cost", "5", "--concurrency", "1")
    assert ran.code == 1
    assert "stopped: it is not known what a call cost, so --max-cost cannot be kept" in ran.err
    assert len(provider.server.calls) == 1


def test_a_dry_run_refuses_what_a_run_refuses(provider: Provider):
    """An edited experiment is refused by both, with the same line."""
    provider.run()
    questions = next((provider.root / "questions").iterdir())
    questions.write_text(questions.read_text().replace("a night", "for one night"))
    refused, dry = provider.run(), provider.run("--dry-run")
    assert refused.code == dry.code == 2
    assert refused.err.strip().splitlines()[-1] in dry.err
    assert provider.run("--dry-run", "--resume=keep").code == 0
    assert provider.run("--dry-run", "--resume=fresh").code == 0


def test_a_report_states_lost_answers(provider: Provider):
    """The table of a report says how many answers the filter withheld."""
    provider.kind = "filtered"
    ran = provider._assay("ablate", "-e", "draws", "--root", provider.root, "--count-filtered")
    assert "2 answers that the provider's filter withheld count as wrong." in ran.out
