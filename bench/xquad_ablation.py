"""Ablations on XQuAD in three languages through ``assay ablate``: fusion, weights, dimension.

Like ``xquad.py``, it needs the data set in the folder that ``XQUAD`` names. The workspaces with the
results are kept in ``XQUAD_OUT`` if it is set. docs/evidence/retrieval.md describes the results.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import Measure, compared

LANGUAGES = ("en", "zh", "ru")
EXPERIMENTS = ("rrf", "hybrid_weights", "mrl_dimension")
DEFAULTS = """\
defaults:
  questions_path: questions.jsonl
  chunks_manifest: chunks/manifest.json
  top_k: 10
"""


def measures() -> Iterator[Measure]:
    """Measure 1 - MRR of the gold passage for each variant, compared with the baseline."""
    folder = os.environ.get("XQUAD")
    if not folder:
        print("  XQUAD does not name a folder; nothing is measured")
        return
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        out = Path(os.environ.get("XQUAD_OUT", name))
        for language in LANGUAGES:
            root = out / language
            create_workspace(Path(folder) / f"xquad.{language}.json", root)
            for experiment in EXPERIMENTS:
                print(f"  {language} {experiment}", file=sys.stderr, flush=True)
                yield from ablate(root, language, experiment)


def ablate(root: Path, language: str, experiment: str) -> Iterator[Measure]:
    """Run one experiment and compare its variants."""
    program = Path(sys.executable).with_name("assay")
    command = (program, "ablate", "--root", root, "--experiment", experiment, "--no-report")
    subprocess.run(command, check=True, capture_output=True)
    summary = json.loads((root / "experiments" / f"{experiment}.json").read_text())
    results = summary["results"]
    baseline_miss = 1 - results["variants"][results["baseline"]]["gold_mrr"]
    effects = {
        effect["variant"]: effect for effect in results["effects"] if effect["metric"] == "gold_mrr"
    }
    for name, values in results["variants"].items():
        verdict = effects[name]["verdict"] if name in effects else "baseline"
        yield compared(
            f"{language} {experiment} {name} 1-MRR ({verdict})",
            [1 - values["gold_mrr"]],
            str(results["baseline"]),
            [baseline_miss],
            unit="",
        )


def create_workspace(source: Path, root: Path) -> None:
    """Create a workspace: chunks are the passages, the gold is the passage with the answer."""
    chunks, questions = [], []
    for article in json.loads(source.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            chunk = f"p{len(chunks):03d}"
            chunks.append({"id": chunk, "text": paragraph["context"], "source": article["title"]})
            questions += [
                {
                    "id": item["id"],
                    "question": item["question"],
                    "source": article["title"],
                    "bundle": [{"chunk_id": chunk}],
                }
                for item in paragraph["qas"]
            ]
    files = {
        "chunks/passages.jsonl": chunks,
        "questions.jsonl": questions,
    }
    for name, rows in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_text(lines, encoding="utf-8")
    (root / "chunks" / "manifest.json").write_text('{"files": ["passages.jsonl"]}')
    (root / "experiments").mkdir(exist_ok=True)
    (root / "experiments" / "experiments.yaml").write_text(DEFAULTS)
