"""Kill commands at random moments while the model's server fails: ``make soak``.

The five jobs and ``assay ingest`` work in one workspace and ask one model, whose server refuses, breaks
off and spoils some of its replies. A judge, a merge, a redaction, an import of labels, a draw and
the page on which people label have a workspace each. Each is killed by SIGKILL again and again, and
``scenario.py`` says what must hold after each kill. At the end the commands run undisturbed, and then:

- every case of every plan has exactly one scored row: nothing is lost, nothing is there twice;
- a call was completed twice only if a kill could have hit it: at most one for each call in flight.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from assay.jobs.corpus.new_workspace import create_workspace
from tests.soak.label import PageLabels
from tests.soak.scenario import (
    CONCURRENCY,
    MODEL,
    Draw,
    ImportLabels,
    Ingest,
    Job,
    Judge,
    Merge,
    Rewrite,
    Scenario,
)
from tests.support.judged import verdict_of
from tests.support.model_fault import Body, Fault, RandomFaults, plain_answer
from tests.support.model_server import ModelServer

FAULTS: Final = (
    (Fault(kind="rate_limit", retry_after_s=0.1), 0.04),
    (Fault(kind="error_500"), 0.04),
    (Fault(kind="error_502"), 0.02),
    (Fault(kind="reset"), 0.03),
    (Fault(kind="reset_midway"), 0.03),
    (Fault(kind="truncated_json"), 0.03),
    (Fault(kind="error_in_200"), 0.03),
)
CONFIGURATION: Final = """
defaults:
  questions_path: questions/questions.jsonl
  top_k: 3
models:
  clerk: {{model: clerk, base_url: "{url}", api_key_env: null}}
systems:
  clerk: {{kind: openai, model: clerk}}
baselines:
  bare: {{system_prompt: Be brief.}}
experiments:
  - name: tone
    ablation_variable: system_prompt
    system: clerk
    baseline: bare
    values: [Be brief., Be kind.]
"""
_ASKED: Final = ("--system", "clerk", "--concurrency", str(CONCURRENCY))
JOBS: Final = {
    "ablate": ("ablate", "-e", "tone", "--no-report", "--concurrency", str(CONCURRENCY)),
    "depth": ("depth", "--sample", *_ASKED),
    "quality": (
        *("quality", "--pdf", "documents/ru/report.pdf"),
        *("--questions", "eval/questions.jsonl", *_ASKED),
    ),
    "review": (
        *("review", "--data", "review/clauses.jsonl", "--laws", "review/laws.jsonl"),
        *("--no-report", *_ASKED),
    ),
    "bench": ("bench", "run", "--sample", *_ASKED, "--no-report"),
}
OTHERS: Final = {
    "merge": Merge,
    "redact rewrite": Rewrite,
    "labels import": ImportLabels,
    "labels plan": Draw,
    "page": PageLabels,
}
"""What asks no model, in a workspace of its own."""
NAMES: Final = (*JOBS, "ingest", "judge", *OTHERS)


def make_scenario(name: str, folder: Path, url: str, seed: int) -> Scenario:
    """A scenario by its name; its workspace is in ``folder``."""
    root = folder / name.replace(" ", "-")
    if name in OTHERS:
        return OTHERS[name](root, seed)
    if name == "judge":
        return Judge(root, seed, url)
    root = folder / "jobs"
    if not root.exists():
        create_workspace(root, force=True)
        text = CONFIGURATION.format(url=url)
        (root / "experiments" / "experiments.yaml").write_text(text)
        shutil.rmtree(root / "chunks")
    return Ingest(root, seed) if name == "ingest" else Job(root, seed, *JOBS[name])


def soak(
    kills: int, seed: int = 0, *, latency_s: float = 0.15, names: Sequence[str] = NAMES
) -> dict[str, Any]:
    """Kill commands ``kills`` times, finish them, and check; returns what was seen."""
    folder = Path(tempfile.mkdtemp(prefix="assay-soak-"))
    began = time.monotonic()
    choice = random.Random(seed)
    try:
        faults = RandomFaults(FAULTS, seed=seed, at_most=3)
        with ModelServer(faults=faults, latency_s=latency_s, respond=_reply) as server:
            chosen = {name: make_scenario(name, folder, server.base_url, seed) for name in names}
            shown = 0
            while (done := sum(each.kills for each in chosen.values())) < kills:
                if done - shown >= 10:
                    shown = done
                    sys.stderr.write(
                        f"{done} of {kills} kills after {time.monotonic() - began:.0f} s\n"
                    )
                name = choice.choice(names)
                try:
                    chosen[name].kill_one()
                except BaseException:
                    sys.stderr.write(f"found by {name}\n")
                    raise
            cases: dict[str, int] = {}
            for each in chosen.values():
                each.finish()
            for each in chosen.values():
                cases |= each.check_rows() if isinstance(each, Job) else {}
            repeated = _repeated(server, chosen)
            outcomes = dict(server.outcomes)
        return {
            "kills": {name: each.kills for name, each in chosen.items()},
            "cases": cases,
            "calls": outcomes,
            "repeated": repeated,
            "seconds": round(time.monotonic() - began),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _reply(body: Body) -> str | Body:
    return verdict_of(body) if body.get("model") == MODEL else plain_answer(body)


def _repeated(server: ModelServer, chosen: dict[str, Scenario]) -> dict[str, int]:
    """How many calls of the jobs and of the judge were completed again; at most those in flight."""
    completed = Counter(
        (call.model == MODEL, call.key) for call in server.calls if call.outcome == "completed"
    )
    repeated = {}
    for is_judge, who in ((False, "jobs"), (True, "judge")):
        counts = [count - 1 for (of_judge, _), count in completed.items() if of_judge == is_judge]
        kills = sum(each.kills for name, each in chosen.items() if (name == "judge") == is_judge)
        repeated[who] = sum(counts)
        assert repeated[who] <= kills * CONCURRENCY, repeated
    return repeated


def main() -> int:
    """Run the soak and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=NAMES, help="one scenario; repeatable")
    options = parser.parse_args()
    sys.stdout.write(f"{soak(options.kills, options.seed, names=options.only or NAMES)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
