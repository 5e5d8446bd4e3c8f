"""Answer quality: a hand-made lease as a PDF with a scripted clerk, and the sample report."""

from tests.golden.file import json_lines, json_text, pdf
from tests.golden.step import Edit, Keep, ListFiles, Retime, Run, Scenario, Write

LEASE = pdf(
    ("Lease of a flat", "The rent is 900 dollars a month, due on 5 May 2031.", "The Tenant pays."),
    ("The notice is 30 days.", "The deposit is 1 800 dollars.", "No pets are allowed."),
)
LETTER = pdf(
    (
        "The landlord writes:",
        "The rent rises to 950 dollars from 1 June 2032.",
    )
)
CLERK = '''\
"""A clerk who answers from memory; one question is beyond him while he is ill."""

from pathlib import Path

VERSION = "1"
SAID = {
    "How long is the notice?": "The notice is 30 days (p. 2).",
    "What is the rent?": "The rent is 900 dollars.",
    "Who pays?": "The owner, as page 1 says.",
    "Какой залог?": "Залог 1800 долларов (стр. 2).",
    "押金是多少？": "押金为一千八百元（第9页）。",
    "When is the rent due?": "On 05.05.2031 (p. 1).",
    "Are pets allowed?": "The document does not say.",
    "What is the new rent?": "950 dollars (p. 1).",
}


async def ask(question):
    if question == "Who pays?" and Path("ill").exists():
        raise RuntimeError("the clerk is ill")
    return {"answer": SAID[question], "usage": {"prompt_tokens": 50, "completion_tokens": 9}}
'''
QUESTIONS = [
    {"id": "q1", "question": "How long is the notice?", "must_include": ["30 days"], "weight": 3.0},
    {"id": "q2", "question": "What is the rent?", "must_include": ["900"],
     "require_citation": True},
    {"id": "q3", "question": "Who pays?", "must_include": ["tenant"],
     "must_not_include": ["owner"]},
    {"id": "q4", "question": "Какой залог?", "must_include": ["1 800"],
     "must_include_any": [["долларов", "USD"]], "require_citation": True, "weight": 0.5},
    {"id": "q5", "question": "押金是多少？", "must_include": ["1800"], "require_citation": True},
    {"id": "q6", "question": "When is the rent due?", "must_include": ["5 May 2031"]},
    {"id": "q7", "question": "Are pets allowed?", "must_include_any": [["not allowed", "no pets"]]},
]  # fmt: skip
LETTER_QUESTIONS = [
    {"id": "q1", "question": "What is the new rent?", "must_include": ["950"],
     "require_citation": True},
]  # fmt: skip
CONFIG = {
    "name": "benchmark-v1",
    "datasets": [
        {"id": "lease", "kind": "contract", "pdf": "eval/data/lease.pdf",
         "questions": "eval/questions.jsonl", "weight": 2.0},
        {"id": "letter", "kind": "letter", "pdf": "eval/data/letter.pdf",
         "questions": "eval/letter.jsonl", "weight": 1.0},
    ],
}  # fmt: skip
ASK = (
    "quality --pdf eval/data/lease.pdf --questions eval/questions.jsonl "
    "--system python:clerk:ask --concurrency 1 --retries 0 --out eval/runs/base.json"
)
ROWS = "eval/runs/base.rows.jsonl"

LEASE_RUNS = Scenario(
    "quality_lease",
    (
        Write("clerk.py", CLERK),
        Write("eval/data/lease.pdf", LEASE),
        Write("eval/data/letter.pdf", LETTER),
        Write("eval/questions.jsonl", json_lines(QUESTIONS)),
        Write("eval/letter.jsonl", json_lines(LETTER_QUESTIONS)),
        Write("eval/benchmark/config.v1.json", json_text(CONFIG)),
        Run(f"{ASK} --dry-run"),
        Run(f"{ASK} --limit 2"),
        Keep("eval/runs/base.json", "limited.json"),
        Write("ill", ""),
        Run(ASK, exit=1),
        Keep("eval/runs/base.json", "failed.json"),
        Run("compare --base eval/runs/base.json --cand eval/runs/base.json", exit=2),
        Edit("clerk.py", lambda text: text.replace('Path("ill")', 'Path("gone")')),
        Run(f"{ASK} --log-lines"),
        Keep("eval/runs/base.json", "base.json"),
        Keep(ROWS, "rows.jsonl"),
        Keep("eval/runs/base.rows.json", "rows.json"),
        Run(ASK, leaves=(ROWS,)),
        Run(f"{ASK} --json", save="told.json", leaves=(ROWS,)),
        Retime(ROWS),
        Run(f"report {ROWS} --charts none --lang ru"),
        Keep("eval/runs/base.rows.md", "page.ru.md"),
        Run(f"score {ROWS} --json", save="score.json", leaves=(ROWS,)),
        Edit("eval/questions.jsonl", lambda text: text.replace('"tenant"', '"owner"', 1)
             .replace('["owner"]}', '["landlord"]}')),
        Run(ASK),
        Keep("eval/runs/base.json", "rejudged.json"),
        Edit("eval/questions.jsonl", lambda text: text.replace("Who pays?", "Who must pay?")),
        Run(ASK, exit=2, leaves=(ROWS, "eval/runs/base.json")),
        Write("eval/data/lease.pdf", LETTER),
        Run(ASK, exit=2, leaves=(ROWS, "eval/runs/base.json")),
    ),
)  # fmt: skip
BENCHMARK = Scenario(
    "quality_benchmark",
    (
        *(step for step in LEASE_RUNS.steps if isinstance(step, Write) and step.path != "ill"
          and step.content != LETTER),
        Write("eval/data/letter.pdf", LETTER),
        Run("quality --config eval/benchmark/config.v1.json --system python:clerk:ask "
            "--concurrency 1 --out eval/runs/v1.json"),
        Keep("eval/runs/v1.json", "v1.json"),
        Run("quality --config eval/benchmark/config.v1.json --concurrency 1 "
            "--system reference --out eval/runs/reference.json"),
        Keep("eval/runs/reference.json", "reference.json"),
        Run("compare --base eval/runs/v1.json --cand eval/runs/reference.json --format json",
            exit=1, save="compare.json", timed=False),
        Run("quality --pdf eval/data/lease.pdf --questions eval/questions.jsonl --runs 2 --limit 3 "
            "--system python:clerk:ask --concurrency 1 --out eval/runs/twice.json"),
        Keep("eval/runs/twice.json", "twice.json"),
        Run("quality --pdf eval/data/lease.pdf --questions eval/questions.jsonl --limit 2 "
            "--system reference --set fast_mode=true --concurrency 1"),
        Run("quality --pdf eval/data/lease.pdf --questions eval/questions.jsonl "
            "--system reference --set fst_mode=true", exit=2),
        Run("quality --pdf eval/data/lease.pdf --questions eval/questions.jsonl", exit=2),
        ListFiles("eval"),
    ),
)  # fmt: skip
SAMPLE = Scenario(
    "quality_sample",
    (
        Run("init desk"),
        Run("quality --root desk --pdf desk/documents/ru/report.pdf "
            "--questions desk/eval/questions.jsonl --limit 5 --concurrency 1 "
            "--out desk/eval/runs/sample.json"),
        Keep("desk/eval/runs/sample.rows.jsonl", "rows.jsonl"),
        Keep("desk/eval/runs/sample.rows.json", "rows.json"),
    ),
)  # fmt: skip
SCENARIOS = (LEASE_RUNS, BENCHMARK, SAMPLE)
