"""Ablations on XQuAD in three languages through ``assay ablate``: fusion, weights, dimension.

As ``xquad.py``, it needs the data set in the folder that ``XQUAD`` names. The report pages
go to ``XQUAD_OUT`` where that is set; docs/xquad.md says what was found.
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
    """Misses of the gold passage's first place (1 - MRR), each variant beside the baseline."""
    folder = os.environ.get("XQUAD")
    if not folder:
        print("  no XQUAD folder named; nothing measured")
        return
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        out = Path(os.environ.get("XQUAD_OUT", name))
        for language in LANGUAGES:
            root = out / language
            lay_out(Path(folder) / f"xquad.{language}.json", root)
            for experiment in EXPERIMENTS:
                print(f"  {language} {experiment}", file=sys.stderr, flush=True)
                yield from ablated(root, language, experiment)


def ablated(root: Path, language: str, experiment: str) -> Iterator[Measure]:
    """Run one experiment and compare its variants."""
    command = ("assay", "ablate", "--root", root, "--experiment", experiment, "--no-report")
    program = Path(sys.executable).with_name("assay")
    subprocess.run([program, *command[1:]], check=True, capture_output=True)
    summary = json.loads((root / "experiments" / f"{experiment}.json").read_text())
    results = summary["results"]
    base = 1 - results["variants"][results["baseline"]]["gold_mrr"]
    effects = {
        effect["variant"]: effect for effect in results["effects"] if effect["metric"] == "gold_mrr"
    }
    for name, values in results["variants"].items():
        verdict = effects[name]["verdict"] if name in effects else "baseline"
        yield compared(
            f"{language} {experiment} {name} 1-MRR ({verdict})",
            [1 - values["gold_mrr"]],
            str(results["baseline"]),
            [base],
            unit="",
        )


def lay_out(source: Path, root: Path) -> None:
    """A workspace whose chunks are the passages and whose gold is the passage of the answer."""
    chunks, questions = [], []
    for article in json.loads(source.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            chunk = f"p{len(chunks):03d}"
            chunks.append({"id": chunk, "text": paragraph["context"], "source": article["title"]})
            questions += [
                {
                    "id": one["id"],
                    "question": one["question"],
                    "source": article["title"],
                    "bundle": [{"chunk_id": chunk}],
                }
                for one in paragraph["qas"]
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
