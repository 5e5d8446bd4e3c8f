"""Judges with redaction: what leaves for them, what they judge, and what is said without a key."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.judge.rubric import JudgeInput, messages, rubric_named
from assay.mask import set_redactor
from assay.redact.pseudonym import KeyFile
from assay.redact.redaction import Redaction
from tests.redact.canary import CanaryWorkspace
from tests.redact.main import Program
from tests.redact.test_canary import leaks
from tests.support.json_server import JsonServer, Seen

ASK = "ablate -e echo --no-report"
COUNT = 12
ANSWERS = 2 * (COUNT - 1)
"""Of 12 questions the one with number 4 fails, with two variants."""
JUDGES = "judges:\n  right: {model: far, rubric: correctness}\n  based: {model: far, rubric: faithfulness}\n"


QUOTE = """\
import json

def ask(question):
    return json.dumps({"risk_level": "high", "evidence": [question], "suggestion": "none"})
"""


def blocks(text: str) -> list[str]:
    """What is in the parts of a prompt, in any language: question, expected answer, answer."""
    return re.findall(r"<data-\w+ [^>]*>\n(.*?)\n</data", text, re.DOTALL)


def far_judge(seen: Seen) -> Any:
    """Says right if the answer holds the expected answer, and repeats both."""
    text = seen.json["messages"][-1]["content"]
    _, expected, answer = blocks(text)[:3]
    verdict: dict[str, Any] = {
        "reason": f"expected {expected}, was {answer}",
        "verdict": "right" if expected in answer else "wrong",
        "claims": [{"claim": answer, "status": "supported", "passage": 1}],
    }
    return {
        "choices": [{"message": {"content": json.dumps(verdict)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 5},
    }


def judged_workspace(program: Program, mode: str) -> CanaryWorkspace:
    """A workspace with judges elsewhere, and questions with expected answers."""
    workspace = CanaryWorkspace(program.folder, mode=mode, count=COUNT)
    config = program.folder / "experiments" / "experiments.yaml"
    config.write_text(config.read_text(encoding="utf-8") + JUDGES, encoding="utf-8")
    questions = program.folder / "questions.jsonl"
    rows = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    for row, canary in zip(rows, workspace.canaries, strict=True):
        row["answer"] = canary.value
    questions.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return workspace


def leave_to(server: JsonServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lead calls to names that are not on loopback to the server."""
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("no_proxy", "")


def scores(program: Program, line: str) -> list[float | None]:
    """The scores of the verdicts that a command has stored."""
    code, printed = program.run(line)
    assert code == 0, printed
    path = program.folder / "experiments" / "echo.verdicts.jsonl"
    rows = [json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()]
    return [row["verdict"]["score"] for row in rows]


def test_a_judge_elsewhere_reads_tags_only(program: Program, monkeypatch: pytest.MonkeyPatch):
    """With ``calls`` neither the answer nor the gold leaves; their tags are the same, so it is right."""
    workspace = judged_workspace(program, "calls")
    assert program.run(ASK)[0] == 1
    with JsonServer(far_judge) as server:
        leave_to(server, monkeypatch)
        assert scores(program, "judge run echo --judge right") == [1.0] * ANSWERS
        program.run("judge run echo --judge based")
        program.run("judge pair echo --judge right --variants seed_1 seed_2")
        sent = [seen.body for seen in server.seen]
        again = len(sent)
        assert f"{ANSWERS} judged" in program.run("judge run echo --judge right")[1]
        assert len(server.seen) == again
    assert len(sent) >= COUNT
    assert [names for each in sent if (names := workspace.leaks(each))] == []
    assert all(re.search(rb"\[[A-Z_]+\d+\]", each) for each in sent)
    assert workspace.leaks(program.printed.encode()) == []
    assert leaks(workspace) == {}


def test_a_judge_reads_the_text_as_it_was(program: Program, monkeypatch: pytest.MonkeyPatch):
    """With ``outputs`` the key turns the rows back; what is stored and shown stays masked."""
    workspace = judged_workspace(program, "outputs")
    assert program.run(ASK)[0] == 1
    with JsonServer(far_judge) as server:
        leave_to(server, monkeypatch)
        assert scores(program, "judge run echo --judge right") == [1.0] * ANSWERS
        assert all(workspace.leaks(seen.body) for seen in server.seen)
    labels = program.folder / "labels" / "echo.jsonl"
    assert program.run(f"judge plan echo --judge right --draw 4 --out {labels}")[0] == 0
    text = labels.read_text(encoding="utf-8").replace('"unclear"', '"right"')
    labels.write_text(text, encoding="utf-8")
    code, printed = program.run("judge check echo --judge right --json")
    assert code == 0, printed
    assert leaks(workspace) == {}
    assert workspace.leaks(program.printed.encode()) == []


def test_the_hash_of_a_rubric_is_keyed(program: Program, monkeypatch: pytest.MonkeyPatch):
    """The rules of a rubric are a text of the user; verdicts with the plain hash are still known."""
    judged_workspace(program, "outputs")
    assert program.run(ASK)[0] == 1
    path = program.folder / "experiments" / "echo.verdicts.jsonl"
    plain = rubric_named("correctness").identity
    with JsonServer(far_judge) as server:
        leave_to(server, monkeypatch)
        assert scores(program, "judge run echo --judge right") == [1.0] * ANSWERS
        written = path.read_text(encoding="utf-8")
        assert plain not in written
        keyed = set(re.findall(r"correctness#k[0-9a-f]+", written))
        assert len(keyed) == 1
        path.write_text(written.replace(keyed.pop(), plain), encoding="utf-8")  # as 0.2.0 did
        assert len(scores(program, "judge run echo --judge right")) == ANSWERS


@pytest.mark.parametrize("option", ["--no-key", "--redact off"])
def test_masked_answers_are_not_judged_without_their_key(
    program: Program, monkeypatch: pytest.MonkeyPatch, option: str
):
    """A judge would compare tags with values; a line says how many answers it does not get."""
    judged_workspace(program, "outputs")
    assert program.run(ASK)[0] == 1
    with JsonServer(far_judge) as server:
        leave_to(server, monkeypatch)
        printed = program.run(f"judge run echo --judge right {option}")[1]
        assert server.seen == []
    assert f"not judged: {ANSWERS} answers: the text is masked" in printed, printed


def test_a_verifier_elsewhere_reads_tags_only(program: Program, monkeypatch: pytest.MonkeyPatch):
    """The check of quotations of a review obeys ``calls`` too."""
    workspace = CanaryWorkspace(program.folder, mode="calls", count=COUNT)
    reviewer = program.folder / "quote.py"
    reviewer.write_text(QUOTE, encoding="utf-8")
    workspace.inputs.add(reviewer)

    def rerank(seen: Seen) -> Any:
        numbers = range(len(seen.json["documents"]))
        return {"results": [{"index": number, "relevance_score": 0.9} for number in numbers]}

    with JsonServer(rerank) as server:
        leave_to(server, monkeypatch)
        review = "review --data clauses.json --no-report --system python:quote:ask"
        code, printed = program.run(f"{review} --verifier rerank:far --threshold 0.5")
        assert code == 0, printed
        sent = [seen.body for seen in server.seen]
    assert sent
    assert [names for each in sent if (names := workspace.leaks(each))] == []
    assert leaks(workspace) == {}


def test_the_mark_in_a_prompt_does_not_give_values_away(tmp_path: Path):
    """It is made of what the judge reads; with redaction a secret of the key goes into it."""
    subject = JudgeInput(
        question="Whose number?", answer="It is 13812345678", expected=("13812345678",)
    )
    plain = messages(rubric_named("correctness"), subject)
    marks = set()
    try:
        for name in ("one", "other"):
            set_redactor(Redaction("calls", KeyFile(tmp_path / name)))
            made = messages(rubric_named("correctness"), subject)
            assert made == messages(rubric_named("correctness"), subject)
            marks.add(json.dumps(made))
    finally:
        set_redactor(None)
    assert len({*marks, json.dumps(plain)}) == 3
