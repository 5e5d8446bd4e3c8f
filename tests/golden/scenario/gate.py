"""The gate between hand-made result files: every verdict, every form."""

from typing import Any

from tests.golden.file import json_lines, json_text
from tests.golden.step import Keep, Run, Scenario, Step, Write

BASE = {"q1": 1.0, "q2": 0.5, "q3": 1.0, "q4": 0.75}


def _run(scores: dict[str, float], **summary: Any) -> str:
    told = {"state": "complete", "pdf_sha256": "a1", "questions_sha256": "b2", **summary}
    results = [
        {"id": key, "question": f"{key}? Вопрос 问题", "answer": f"answer {score}",
         "metrics": {"score": score, "include_rate": score / 2}, "weight": 1 + (key == "q1")}
        for key, score in scores.items()
    ]  # fmt: skip
    return json_text({"summary": told, "results": results})


def _several(**documents: dict[str, float]) -> str:
    return json_text({
        "summary": {"state": "complete"},
        "datasets": {
            name: {
                "summary": {"state": "complete", "pdf_sha256": name, "questions_sha256": name,
                            "weight": 2.0},
                "results": [{"id": key, "question": key, "metrics": {"score": score}, "weight": 1}
                            for key, score in scores.items()],
            }
            for name, scores in documents.items()
        },
    })  # fmt: skip


def _rows(scores: dict[str, float], *, failed: str = "") -> str:
    """A journal as any other tool might have written it."""
    return json_lines(
        {"key": f"{key}::only::run=1", "question_id": key, "config": "only", "question": key,
         "status": "failed" if key == failed else "scored", "error": "down" if key == failed else None,
         "scores": {"gold_coverage": score}, "elapsed_s": score}
        for key, score in scores.items()
    )  # fmt: skip


FILES = {
    "base.json": _run(BASE),
    "better.json": _run({**BASE, "q2": 1.0}),
    "mixed.json": _run({**BASE, "q1": 0.9, "q2": 1.0}),
    "worse.json": _run({**BASE, "q1": 0.0}),
    "gone.json": _run({"q1": 1.0, "q2": 0.5, "q3": 1.0}),
    "added.json": _run({**BASE, "q9": 0.1}),
    "other-pdf.json": _run(BASE, pdf_sha256="zz"),
    "other-questions.json": _run(BASE, questions_sha256="zz"),
    "running.json": _run(BASE, state="running"),
    "partial.json": _run(BASE, state="partial", counts={"failed": 2, "not_asked": 0}),
    "others.json": _run({"p1": 1.0}),
    "broken.json": '{"results": [',
    "else.json": '{"name": "package"}',
    "many.json": _run({f"n{number:02d}": 1.0 for number in range(24)}),
    "many-worse.json": _run({f"n{number:02d}": float(number % 3 > 0) for number in range(24)}),
    "two.json": _several(lease=BASE, letter={"q1": 1.0}),
    "two-worse.json": _several(lease=BASE, letter={"q1": 0.5}),
    "rows.jsonl": _rows(BASE),
}
VERDICTS: tuple[tuple[str, int], ...] = (
    ("--cand base.json", 0),
    ("--cand better.json --min-delta 0.1", 0),
    ("--cand better.json --min-delta 0.2", 1),
    ("--cand mixed.json", 1),
    ("--cand mixed.json --max-regressions 1", 0),
    ("--cand mixed.json --epsilon 0.2", 0),
    ("--cand worse.json --require-significant", 0),
    ("--cand worse.json --metric include_rate", 1),
    ("--cand worse.json --metric nonsense", 2),
    ("--cand gone.json", 1),
    ("--cand gone.json --allow-missing", 0),
    ("--cand added.json", 0),
    ("--cand other-pdf.json", 2),
    ("--cand other-pdf.json --no-strict-hashes", 0),
    ("--cand other-questions.json", 2),
    ("--cand running.json", 2),
    ("--cand partial.json", 2),
    ("--cand partial.json --max-failed 2", 0),
    ("--cand others.json", 2),
    ("--cand broken.json", 2),
    ("--cand else.json", 2),
    ("--cand absent.json", 2),
    ("--cand two.json", 2),
    ("--cand better.json --margin 0.1", 1),
    ("--cand better.json --margin 0.1 --pass-if-unclear", 0),
    ("--cand better.json --equivalent 0.1", 1),
    ("--cand better.json --margin 0.1 --min-delta 0", 2),
    ("--cand better.json --margin 10", 2),
)

VERDICT = Scenario(
    "gate_verdicts",
    (
        *(Write(name, text) for name, text in FILES.items()),
        *(Run(f"compare --base base.json {words}", exit=code) for words, code in VERDICTS),
        Run(
            "compare --base many.json --cand many-worse.json --require-significant --changes 3",
            exit=1,
        ),
        Run("compare --base two.json --cand two-worse.json", exit=1),
        Run("compare --base rows.jsonl --cand rows.jsonl"),
    ),
)


def _forms(cand: str, code: int) -> list[Step]:
    words = f"compare --base base.json --cand {cand}.json"
    return [
        Run(f"{words} --format json", exit=code, save=f"{cand}.json"),
        Run(f"{words} --format markdown", exit=code, save=f"{cand}.md"),
        Run(f"{words} --format junit --out {cand}.xml", exit=code),
        Keep(f"{cand}.xml"),
    ]


FORM = Scenario(
    "gate_forms",
    (
        *(Write(name, text) for name, text in FILES.items()),
        *_forms("better", 0),
        *_forms("worse", 1),
        *_forms("gone", 1),
        *_forms("other-pdf", 2),
        Run("compare --base two.json --cand two-worse.json --format json", exit=1, save="two.json"),
        Run("compare --base many.json --cand many-worse.json --format json --changes 2", exit=1,
            save="many.json"),
    ),
)  # fmt: skip
SCENARIOS = (VERDICT, FORM)
