"""The PDF answer gate: its repository as its owner has it, and its commands."""

import json
from pathlib import Path
from typing import Any

from assay.data.samples.sample import sample_document_bytes

QUESTIONS = [
    {
        "id": "q001",
        "question": "Какая прибыль?",
        "must_include": ["миллион", ">1234.5"],
        "require_citation": True,
        "weight": 1.0,
    },
    {
        "id": "q002",
        "question": "Где выручка?",
        "must_include": ["отчёт", "2023"],
        "must_not_include": ["XX", "??"],
        "weight": 3.0,
        "topic": "revenue",
    },
    {
        "id": "q003",
        "question": "Прошёл ли аудит?",
        "must_include_any": [["да", "верно"]],
        "require_citation": True,
    },
]
SYSTEM = """
def ask(question):
    if "прибыль" in question:
        return "Свыше 1 234,5 миллиона рублей (стр. 1)."
    return "В отчёте за 2022 год." if "выручка" in question else "{audit}"
"""
# q001 1.0; q002 0.7 · 1/2 + 0.3 = 0.65; q003 0.3 − 0.2 = 0.1, then 1.0 − 0.2 = 0.8
BASE = (1.0 * 1 + 0.65 * 3 + 0.1 * 1) / 5
CANDIDATE = (1.0 * 1 + 0.65 * 3 + 0.8 * 1) / 5


def write_repository(assay: Any) -> tuple[str, str]:
    """The owner's files, and two systems; returns how they are named."""
    data = assay.folder / "eval/data"
    data.mkdir(parents=True)
    (data / "source.pdf").write_bytes(sample_document_bytes("ru/report.pdf"))
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in QUESTIONS)
    (assay.folder / "eval/questions.jsonl").write_text(lines, encoding="utf-8")
    benchmark = assay.folder / "eval/benchmark"
    benchmark.mkdir()
    data_set = {
        "kind": "report",
        "pdf": "eval/data/source.pdf",
        "questions": "eval/questions.jsonl",
    }
    config = {
        "name": "benchmark-v1",
        "datasets": [
            {"id": "first", **data_set, "weight": 2.0},
            {"id": "second", **data_set, "weight": 1.0},
        ],
    }
    (benchmark / "config.v1.json").write_text(json.dumps(config), encoding="utf-8")
    return (
        assay.write_system("before", SYSTEM.format(audit="Нет.")),
        assay.write_system("after", SYSTEM.format(audit="Верно.")),
    )


def summary_of(folder: Path, name: str) -> dict[str, Any]:
    """The summary of a results file."""
    content = json.loads((folder / f"eval/runs/{name}.json").read_text(encoding="utf-8"))
    summary: dict[str, Any] = content["summary"]
    return summary


def test_the_owners_commands_give_the_scores_computed_by_hand(assay: Any):
    """Baseline, candidate, gate and benchmark give the weighted scores of the seed's formula."""
    before, after = write_repository(assay)
    for name, system in (("baseline", before), ("candidate", after)):
        ran = assay.run(
            "quality", "--pdf", "eval/data/source.pdf", "--questions", "eval/questions.jsonl",
            "--out", f"eval/runs/{name}.json", "--system", system,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        assert "ignored 1 field: topic" in ran.stdout + ran.stderr
    assert round(summary_of(assay.folder, "baseline")["weighted_score"], 9) == round(BASE, 9)
    assert round(summary_of(assay.folder, "candidate")["weighted_score"], 9) == round(CANDIDATE, 9)

    gate = ("compare", "--min-delta", "0.0", "--max-regressions", "0", "--strict-hashes")
    files = ("eval/runs/baseline.json", "eval/runs/candidate.json")
    passed = assay.run(*gate, "--base", files[0], "--cand", files[1])
    assert passed.returncode == 0, passed.stdout
    assert f"{BASE:.4f} → {CANDIDATE:.4f}" in passed.stdout
    failed = assay.run(*gate, "--base", files[1], "--cand", files[0])
    assert failed.returncode == 1
    content = json.loads((assay.folder / files[1]).read_text(encoding="utf-8"))
    content["summary"]["pdf_sha256"] = "0" * 64
    (assay.folder / "other.json").write_text(json.dumps(content), encoding="utf-8")
    assert assay.run(*gate, "--base", files[0], "--cand", "other.json").returncode == 2

    ran = assay.run(
        "quality", "--config", "eval/benchmark/config.v1.json", "--system", before,
        "--out", "eval/runs/benchmark.json",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert round(summary_of(assay.folder, "benchmark")["weighted_score"], 9) == round(BASE, 9)


def test_the_exact_form_gives_the_older_scores(assay: Any):
    """With ``--exact-form`` inflected words and comparators in words are not found."""
    before, _ = write_repository(assay)
    ran = assay.run(
        "quality", "--pdf", "eval/data/source.pdf", "--questions", "eval/questions.jsonl",
        "--out", "eval/runs/exact.json", "--system", before, "--exact-form",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    # q001 and q002 have no required phrase in its exact form: 0.3 each; q003 0.1
    expected = (0.3 * 1 + 0.3 * 3 + 0.1 * 1) / 5
    assert round(summary_of(assay.folder, "exact")["weighted_score"], 9) == round(expected, 9)


def test_summaries_of_several_runs_pass_or_fail_by_their_means_and_spread(assay: Any):
    """Two multi-run summaries are compared: 0 for better, 1 for a drop or too wide a spread."""

    def write(name: str, *scores: float) -> None:
        mean = sum(scores) / len(scores)
        spread = (sum((score - mean) ** 2 for score in scores) / len(scores)) ** 0.5
        figure = {"mean": mean, "std": spread, "min": min(scores), "max": max(scores)}
        runs = [
            {
                "path": f"eval/runs/{name}-{number}.json",
                "weighted_score": score,
                "question_weighted_score": score,
                "policy_variant": "default",
            }
            for number, score in enumerate(scores)
        ]
        content = {
            "label": name,
            "n": len(scores),
            "weighted_score": figure,
            "question_weighted_score": figure,
            "runs": runs,
        }
        (assay.folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")

    write("base", 0.6, 0.62)
    write("cand", 0.6, 0.7)
    files = ("--base", "base.json", "--cand", "cand.json")
    assert assay.run("compare", *files).returncode == 0
    # the population's deviation of 0.6 and 0.7 is 0.05
    assert assay.run("compare", *files, "--max-std", "0.05").returncode == 0
    assert assay.run("compare", *files, "--max-std", "0.04").returncode == 1
    assert assay.run("compare", *files, "--min-delta", "0.05").returncode == 1
    assert assay.run("compare", "--base", "cand.json", "--cand", "base.json").returncode == 1
