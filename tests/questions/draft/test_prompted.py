"""Drafts of a model: what is asked, what is believed, and that nothing is paid for twice."""

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

import pytest

from assay.data.corpus.chunk import Chunk
from assay.questions.draft.draft import KINDS
from assay.questions.draft.prompted import Dropped, Request, read_draft, requests
from tests.support.model_server import ModelServer
from tests.support.program import Program, program

YAML = """
models:
  writer: {{model: test-model, base_url: "{url}", api_key_env: null, price: {{prompt: 1.0, completion: 2.0}}}}
"""
TEXT = (
    "The Harlow Bridge was opened by Queen Anne in 1874. It replaced a ferry that sank twice. "
    "The toll was two pence, and carts paid four."
)


def chunk(number: int = 1, source: str = "a.txt", text: str = TEXT) -> Chunk:
    """A passage of a document."""
    start = 1000 * number
    return Chunk(
        id=f"{source}{number}", text=text, source=source, start=start, end=start + len(text)
    )


def reply(**fields: Any) -> str:
    """A reply that holds, with some fields changed."""
    good = {
        "question": "When was the Harlow Bridge opened?",
        "answer": "1874",
        "evidence": ["The Harlow Bridge was opened by Queen Anne in 1874."],
    }
    return json.dumps({**good, **fields}, ensure_ascii=False)


def test_evidence_is_located_in_the_document():
    """Its offsets are those of the document; quotation marks and spaces may differ."""
    request = Request(kind="date", passages=(chunk(),))
    draft = read_draft(f"```json\n{reply()}\n```", request, "m")
    assert draft.evidence[0].start == 1000
    assert draft.row["draft"] == {
        "by": "m",
        "kind": "date",
        "document": "a.txt",
        "start": 1000,
        "end": 1051,
    }
    loose = reply(evidence="the toll was  two pence")
    assert read_draft(loose, Request(kind="comparison", passages=(chunk(),)), "m").evidence[
        0
    ].text == ("The toll was two pence")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Sure! Here is one.", "not a JSON object"),
        ('{"question": null}', "found nothing to ask"),
        (reply(question=""), "no question"),
        (reply(question="The toll was two pence, and carts paid four."), "asks nothing"),
        (reply(question="Когда открыли мост?"), "another language"),
        (reply(evidence=["The bridge is very old."]), "not in the passage"),
        (reply(evidence=[]), "quotes no evidence"),
        (reply(answer="1999"), "answer is not in the evidence"),
        (reply(answer=""), "no answer"),
        (
            reply(question="Was it in 1874 that the Harlow Bridge was opened?"),
            "contains the answer",
        ),
    ],
)
def test_what_does_not_hold_is_dropped_with_the_reason(text: str, reason: str):
    """A draft is never corrected."""
    with pytest.raises(Dropped, match=reason):
        read_draft(text, Request(kind="date", passages=(chunk(),)), "m")


def test_evidence_of_two_passages_must_be_from_both():
    """One passage would answer it alone."""
    other = chunk(
        2, text="Nicholas Barrow moved to Port Mellin in 1861 and never came back to Harlow."
    )
    request = Request(kind="multi_passage", passages=(chunk(), other))
    with pytest.raises(Dropped, match="both passages"):
        read_draft(reply(answer="the bridge"), request, "m")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (TEXT, "JSON object"),
        ("Мост открыла королева в 1874 году. " * 4, "объектом JSON"),
        ("大桥于1874年由女王开通。" * 5, "JSON 对象"),
    ],
)
def test_the_prompt_is_in_the_language_of_the_passage(text: str, word: str):
    """Documents are data: they are enclosed in a mark that they cannot contain."""
    system, user = Request(kind="fact", passages=(chunk(text=text),)).messages
    assert word in system["content"]
    assert user["content"].count("data-") == 2
    assert text in user["content"]


def test_requests_are_spread_over_documents_and_kinds():
    """The first requests are about all documents; a passage is asked about once."""
    chunks = [
        chunk(number, source) for source in ("a.txt", "b.txt", "c.txt") for number in range(8)
    ]
    planned = list(requests(chunks, KINDS, 0))
    assert {each.passages[0].source for each in planned[:3]} == {"a.txt", "b.txt", "c.txt"}
    assert {each.kind for each in planned} == set(KINDS)
    assert len({each.passages[0].id for each in planned}) == len(planned) == 24
    assert planned == list(requests(chunks, KINDS, 0))


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


def workspace(root: Path, url: str, documents: int = 6) -> None:
    """A workspace with a model and a small corpus."""
    (root / "experiments").mkdir()
    (root / "experiments/experiments.yaml").write_text(YAML.format(url=url), encoding="utf-8")
    (root / "docs").mkdir()
    for number in range(documents):
        text = TEXT.replace("Harlow", f"Harlow{number}").replace("1874", str(1874 + number))
        (root / "docs" / f"d{number}.txt").write_text(text, encoding="utf-8")


def writes(faulty: frozenset[int] = frozenset()) -> Callable[[dict[str, Any]], str]:
    """A model that asks for the year, and invents its evidence for some documents."""

    def respond(body: dict[str, Any]) -> str:
        text = body["messages"][1]["content"]
        number = int(text.split("Harlow")[1][0])
        evidence = f"The Harlow{number} Bridge was opened by Queen Anne in {1874 + number}."
        return reply(
            question=f"In which year was the Harlow{number} Bridge opened?",
            answer=str(1874 + number),
            evidence=["Somebody opened it." if number in faulty else evidence],
        )

    return respond


WORDS = ("questions", "draft", "docs", "--model", "writer", "--kinds", "date", "--count")


def test_a_model_writes_and_what_it_invents_is_dropped(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Dropped replies are counted, further passages are asked about, and the cost is told."""
    monkeypatch.chdir(tmp_path)
    with ModelServer(respond=writes(frozenset({1, 3})), models=("test-model",)) as server:
        workspace(tmp_path, server.base_url)
        ran = assay(*WORDS, 4)
    assert ran.code == 0, ran.err
    rows = [
        json.loads(line)
        for line in (tmp_path / "questions/docs.draft.jsonl").read_text().splitlines()
    ]
    assert len(rows) == 4
    assert {row["draft"]["by"] for row in rows} == {"test-model"}
    assert "2 the evidence is not in the passage" in ran.out
    assert "paid" in ran.out


def test_an_estimate_asks_nothing(assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """``--dry-run`` tells calls, tokens and cost."""
    monkeypatch.chdir(tmp_path)
    with ModelServer(respond=writes(), models=("test-model",)) as server:
        workspace(tmp_path, server.base_url)
        facts = json.loads(assay(*WORDS, 4, "--dry-run", "--json").out)
        assert server.completed.calls == 0
    assert facts["calls"] == 4
    assert facts["cost"] > 0
    assert not (tmp_path / "questions").exists()


def test_a_stopped_draft_goes_on_and_pays_nothing_twice(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Replies are kept as they come, also without the call cache; the file is written at the end."""
    monkeypatch.chdir(tmp_path)
    words = (*WORDS, 6, "--concurrency", 1, "--no-call-cache")
    with ModelServer(respond=writes(), models=("test-model",)) as server:
        workspace(tmp_path, server.base_url)
        stopped = assay(*words, "--max-cost", 0.0005)
        assert stopped.code == 1
        assert "resume with" in stopped.err
        assert not (tmp_path / "questions").exists()
        before = server.completed.calls
        assert 0 < before < 6
        assert assay(*words).code == 0
        assert server.completed.calls == 6
    assert len((tmp_path / "questions/docs.draft.jsonl").read_text().splitlines()) == 6


def test_calls_in_flight_do_not_pass_the_cost_limit(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Whatever is asked at once, no request begins that would probably cost too much."""
    monkeypatch.chdir(tmp_path)
    words = (*WORDS, 6, "--concurrency", 6, "--no-call-cache")
    with ModelServer(respond=writes(), models=("test-model",)) as server:
        workspace(tmp_path, server.base_url)
        price = json.loads(assay(*WORDS, 6, "--dry-run", "--json").out)["cost"] / 6
        stopped = assay(*words, "--max-cost", 3.2 * price)
        assert stopped.code == 1
        assert 0 < server.completed.calls <= 4
        assert "and one more would probably pass it" in stopped.err


def test_a_model_that_cannot_write_says_why_nothing_is_there(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """No empty file; the reasons and what to do."""
    monkeypatch.chdir(tmp_path)
    with ModelServer(respond=lambda _: "I would love to!", models=("test-model",)) as server:
        workspace(tmp_path, server.base_url)
        ran = assay(*WORDS, 3)
    assert ran.code == 2
    assert "6 × the reply is not a JSON object" in ran.err
    assert "leave out --model" in ran.err


def test_a_killed_draft_loses_nothing_and_asks_only_what_was_on_its_way(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """``kill -9`` at the second call and near the last; each time the same command goes on."""
    monkeypatch.chdir(tmp_path)
    documents, at_once, moments = 8, 2, [2, 8]
    answer = writes()
    asked: list[int] = []
    running: list[Popen[bytes]] = []

    def respond(body: dict[str, Any]) -> str:
        asked.append(int(body["messages"][1]["content"].split("Harlow")[1][0]))
        if moments and len(asked) >= moments[0]:
            moments.pop(0)
            running[-1].kill()
        return answer(body)

    words = [*WORDS, documents, "--concurrency", at_once, "--no-call-cache"]
    with ModelServer(respond=respond, models=("test-model",)) as server:
        workspace(tmp_path, server.base_url, documents)
        for _ in range(len(moments)):
            command = [sys.executable, "-m", "assay", *map(str, words)]
            running.append(Popen(command, stdout=DEVNULL, stderr=DEVNULL))
            assert running[-1].wait() == -signal.SIGKILL
            assert not (tmp_path / "questions").exists(), "the file is written whole, at the end"
        ended = assay(*words)
    assert ended.code == 0, ended.err
    lines = (tmp_path / "questions/docs.draft.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["question"] for row in rows}) == len(rows) == documents
    repeated = len(asked) - len(set(asked))
    assert repeated <= at_once * len(running), f"{repeated} calls were made twice"
