"""A workspace with a recorded run, a judge on a local server, and labels, for tests."""

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from assay.config.workspace import Workspace
from assay.judge.label import text_hash
from assay.judge.rubric import StoredVerdict
from assay.judge.workbench import open_run
from assay.runs.judging import Verdict, VerdictStore, answer_hash
from assay.runs.write import draw_path
from tests.support.journal import judged as judged_row
from tests.support.journal import write_header, write_rows
from tests.support.model_server import ModelServer

FIRST = "judge correct correctness:1 test@local"
SECOND = "judge second correctness:1 other@local"
"""Identities of two judges, as verdicts have them."""
VARIANTS = ("off", "on")
YAML = """
models:
  test-model: {{model: test-model, base_url: "{url}", api_key_env: null, price: {{prompt: 1.0, completion: 2.0}}}}
judges:
  correct: {{model: test-model, rubric: correctness}}
  faithful: {{model: test-model, rubric: faithfulness}}
  tone: {{model: test-model, rubric: rubrics/tone.md}}
"""


def is_right(question: int, variant: str) -> bool:
    """Whether the answer of a variant is right: the variant "on" is better."""
    return question % 10 < (8 if variant == "on" else 6)


def answer(question: int, variant: str) -> str:
    """The recorded answer."""
    return f"It is {question if is_right(question, variant) else question + 1000} days."


def write_workspace(root: Path, url: str, *, questions: int = 40, **fields: Any) -> Path:
    """Write a complete run with two variants; return its journal."""
    folder = root / "experiments"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "experiments.yaml").write_text(YAML.format(url=url), encoding="utf-8")
    rows = [
        judged_row(
            f"q{number}",
            variant,
            1.0,
            question=f"How many days has case {number}?",
            answer=answer(number, variant),
            expected_answer=[f"{number} days"],
            passages=[{"id": "c1", "text": f"It takes {number} days."}],
            **fields,
        )
        for number in range(questions)
        for variant in VARIANTS
    ]
    journal = write_rows(folder / "trial.jsonl", rows)
    write_header(journal, VARIANTS, total=len(rows), baseline="off")
    summary = journal.with_suffix(".json")
    complete = {**json.loads(summary.read_bytes()), "state": "complete"}
    summary.write_text(json.dumps(complete), encoding="utf-8")
    return journal


def verdict_of(body: dict[str, Any], wrong_every: int = 7) -> str:
    """The reply of a judge that errs about every n-th question."""
    text = body["messages"][1]["content"]
    number = int(text.split("has case ")[1].split("?")[0])
    right = f"It is {number} days." in text
    if wrong_every and number % wrong_every == 0:
        right = not right
    return json.dumps({"reason": "r", "verdict": "right" if right else "wrong"})


def serve(respond: Callable[[dict[str, Any]], str] = verdict_of, **options: Any) -> ModelServer:
    """A server with the model of the judge."""
    return ModelServer(respond=respond, models=("test-model",), **options)


def label_rows(
    questions: Iterable[int], *, probability: float | None = 0.5, run: str = "experiments/trial"
) -> list[dict[str, Any]]:
    """Right labels of both answers to these questions."""
    return [
        {
            "schema_version": 1,
            "run": run,
            "case_id": f"q{number}",
            "variant": variant,
            "answer_hash": text_hash(answer(number, variant)),
            "labeller": "ann",
            "time": "2026-01-02T03:04:05.000000Z",
            "verdict": "right" if is_right(number, variant) else "wrong",
            "probability": probability,
            "blind": True,
        }
        for number in questions
        for variant in VARIANTS
    ]


def write_labels(
    root: Path, rows: Iterable[dict[str, Any]], *, is_drawn: bool | None = None
) -> Path:
    """Write labels where the workspace has them, and the draw that they are of.

    By default there is a draw of all labels with a probability, unless a command has drawn some.
    """
    rows = list(rows)
    path = root / "labels" / "trial.jsonl"
    path.parent.mkdir(exist_ok=True)
    lines = draw_path(root / "experiments" / "trial.jsonl")
    has_seed = lines.exists() and b'"seed":' in lines.read_bytes()
    if is_drawn or (is_drawn is None and not has_seed):
        kept = ("run", "case_id", "variant", "answer_hash", "probability")
        write_rows(lines, [{key: row[key] for key in kept} for row in rows if row["probability"]])
    return write_rows(path, rows)


def checked(question: int, variant: str) -> tuple[bool, bool]:
    """What a check says of the answer, and whether it is unsure: its errors are among these."""
    errs = question % 7 == 0
    return is_right(question, variant) != errs, errs or question % 5 == 0


def write_checked(journal: Path) -> Path:
    """Add what a check says to the rows of a run."""
    rows = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        says, is_unsure = checked(int(row["question_id"].removeprefix("q")), row["config"])
        row["scores"] = {**row["scores"], "answer_contained": says}
        if is_unsure:
            row["at_least"], row["at_most"] = {"answer_contained": 0.0}, {"answer_contained": 1.0}
            row["reasons"] = {"answer_contained": "several values"}
    return write_rows(journal, rows)


def drawn_labels(sheet: Path) -> list[dict[str, Any]]:
    """The rows of a sheet with the true verdicts."""
    rows = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        right = is_right(int(row["case_id"].removeprefix("q")), row["variant"])
        row["verdict"] = "right" if right else "wrong"
    return rows


def some(count: int, of: int, seed: int = 1) -> list[int]:
    """A random part of the questions."""
    return random.Random(seed).sample(range(of), count)


def write_verdicts(
    journal: Path, identity: str, wrong: Iterable[int] = (), unreadable: int = -1
) -> None:
    """Write what a judge of correctness said that errs about the questions ``wrong``."""
    name, contrary = identity.split()[1], set(wrong)
    run = open_run(Workspace.find(start=journal.parent), str(journal))
    with VerdictStore(journal) as store:
        for case in run.cases:
            number = int(case.case.question.id.removeprefix("q"))
            right = is_right(number, case.case.variant.name) != (number in contrary)
            finding = StoredVerdict(
                judge=name,
                rubric="correctness",
                label="right" if right else "wrong",
                score=float(right),
                reason=f"case {number}",
            )
            if number == unreadable:
                finding = StoredVerdict(judge=name, rubric="correctness", unparsed="it is empty")
            store.add(
                Verdict(
                    key=case.case.key,
                    answer_sha256=answer_hash(case.read_by("correctness")),
                    judge=identity,
                    verdict=msgspec.to_builtins(finding),
                    ts=1.0,
                )
            )


def write_judged(folder: Path, questions: int, wrong: Iterable[int] = ()) -> Path:
    """A workspace whose run the first judge has judged, wrongly in some cases; its journal."""
    journal = write_workspace(folder, "http://127.0.0.1:9", questions=questions)
    write_verdicts(journal, FIRST, wrong=wrong)
    return journal
