"""A workspace whose experiment asks a model server, for tests that start and stop runs."""

import json
from pathlib import Path
from typing import Any

CONFIGURATION = """\
defaults:
  questions_path: questions.jsonl
models:
  clerk:
    model: clerk
    base_url: "{url}"
    api_key_env: null
    price: {{prompt: 500, completion: 1000}}
systems:
  clerk: {{kind: openai, model: clerk}}
baselines:
  bare: {{system_prompt: Be brief.}}
experiments:
  - name: tone
    ablation_variable: system_prompt
    system: clerk
    baseline: bare
    primary: cite_ok_rate
    variants:
      - {{name: brief, system_prompt: Be brief.}}
      - {{name: kind, system_prompt: Be kind.}}
"""
RUN = "experiments/tone"


def live_workspace(root: Path, url: str, questions: int = 20) -> Path:
    """A folder with one experiment of two variants; returns it."""
    (root / "experiments").mkdir(parents=True)
    (root / "experiments" / "experiments.yaml").write_text(CONFIGURATION.format(url=url))
    lines = [json.dumps(_question(number)) + "\n" for number in range(questions)]
    (root / "questions.jsonl").write_text("".join(lines))
    return root


def _question(number: int) -> dict[str, Any]:
    return {
        "id": f"q{number:03}",
        "question": f"How long is the notice period of contract {number}?",
        "answer": "Thirty days.",
    }
