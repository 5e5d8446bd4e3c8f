"""The long-context benchmark: its repository as its owner has it, and its commands."""

import json
from bisect import bisect_right
from pathlib import Path
from typing import Any

from assay.jobs.depth.chronicle.story import chronicle
from assay.text.tokenizer import load_tokenizer

STORY = chronicle("zh", tokens=16_000, seed=11, questions=20)
DEPTHS = ("0%", "25%", "50%", "75%", "100%")

SYSTEM = '''
import json, pathlib

NEEDLES = json.loads(pathlib.Path("needles.json").read_text(encoding="utf-8"))


def ask(question):
    """Right if the evidence is in the first 60 % of the prompt, which a pattern must extract."""
    needle = next(needle for text, needle in NEEDLES.items() if text in question)
    at = question.find(needle)
    return "答案：B" if 0 <= at <= 0.6 * len(question) else "答案：A"
'''


def write_repository(folder: Path) -> None:
    """The owner's files: a novel, a validated question file with cl100k positions, a model."""
    data = folder / "data"
    data.mkdir()
    (data / "novel.txt").write_text(STORY.text, encoding="utf-8")
    starts = load_tokenizer("cl100k").starts(STORY.text)
    lines: list[dict[str, Any]] = [
        {
            "metadata": {
                "validated_at": "2025-12-21T14:42:37",
                "novel_path": "data/novel.txt",
                "total_tokens": len(starts),
                "config": {"api_key": "sk-0123456789abcdef"},
            }
        }
    ]
    needles = {}
    for number, question in enumerate(STORY.questions):
        span = question.evidence
        assert span is not None
        needle = span.of(STORY.text)
        needles[question.text] = needle
        lines.append(
            {
                "question": question.text,
                "question_type": "single_choice",
                "choice": {"a": "甲", "b": "乙", "c": "丙", "d": "丁"},
                "answer": ["b"],
                "position": {
                    "start_pos": bisect_right(starts, span.start) - 1,
                    "end_pos": bisect_right(starts, span.end - 1),
                },
                "validation": {
                    "is_valid": True,
                    "evidence": needle,
                    "evidence_found": True,
                    "evidence_similarity": 1.0,
                    "confidence": 0.9,
                }
                if number % 2
                else None,
                "chunk_index": number,
            }
        )
    other = {**lines[1], "question": "宝玉写了什么？"}
    other["validation"] = {"is_valid": True, "evidence": "贾宝玉在大观园里题了一首长诗。"}
    lines.append(other)
    needles["宝玉写了什么？"] = "贾宝玉"
    write_lines(data / "questions_validated.jsonl", lines)
    (folder / "needles.json").write_text(json.dumps(needles), encoding="utf-8")


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    """Write JSON lines."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def test_the_owners_commands_give_the_table_computed_by_hand(assay: Any):
    """Evidence up to 50 % is found and the rest lost, at both lengths; the maps say the same."""
    write_repository(assay.folder)
    system = assay.write_system("model", SYSTEM)
    ran = assay.run(
        "depth", "--novel", "data/novel.txt", "--data_set", "data/questions_validated.jsonl",
        "--system", system, "--depth_mode", "uniform", "--context-lengths", "4000,8000",
        "--min-per-cell", "0", "--output", "results.jsonl", "--concurrency", "1",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    said = ran.stdout + ran.stderr
    assert "positions are cl100k tokens" in said
    assert "ignored 1 field: chunk_index" in said
    assert "1 of 21 questions has no evidence in the novel" in said
    assert "500 tokens of padding" in said

    first, *rows = assay.rows("results.jsonl")
    assert first["metadata"]["tokenizer"] == "cl100k"
    assert first["metadata"]["padding_size"] == 500
    assert "sk-0123456789" not in (assay.folder / "results.jsonl").read_text(encoding="utf-8")
    assert all(row["context_length"] == row["test_context_length"] for row in rows)
    skipped = [row for row in rows if row["status"] == "skipped"]
    assert {row["question"] for row in skipped} == {"宝玉写了什么？"}

    shown = assay.run("heatmap", "--results", "results.jsonl", "--mode", "depth", "--json")
    cells = {
        (cell["context_length"], cell["depth_bin"]): (cell["accuracy"], cell["n"])
        for cell in json.loads(shown.stdout)["cells"]
    }
    # 20 questions at each length, 4 in each of the five cells; 50 % is the last depth found
    assert cells == {
        (length, depth): (1.0 if depth in DEPTHS[:3] else 0.0, 4)
        for length in (4000, 8000)
        for depth in DEPTHS
    }

    covered = assay.run(
        "heatmap", "--mode", "coverage", "--questions", "data/questions_validated.jsonl",
        "--bins", "1", "--json",
    )  # fmt: skip
    assert json.loads(covered.stdout)["stretches"][0]["questions"] == 21
    page = assay.run(
        "heatmap", "--results", "results.jsonl", "--mode", "combined_depth",
        "--questions", "data/questions_validated.jsonl", "--output", "maps.html",
    )  # fmt: skip
    assert page.returncode == 0, page.stderr


def test_the_owners_older_results_are_drawn_along_the_novel(assay: Any):
    """Published results of both forms give the counts and the accuracy computed by hand."""
    statuses = ["success", "success", "regex_extracted", "parsing_error", "timeout", "error"]
    rows = [
        {
            "question": f"问题{number}？",
            "question_type": "single_choice",
            "choice": {"a": "甲", "b": "乙"},
            "correct_answer": ["b"],
            "model_answer": ["b"] if status in {"success", "regex_extracted"} else [],
            "parsing_status": status,
            "position": {"start_pos": 100 * number, "end_pos": 100 * number + 50},
            "score": 1.0 if number in {0, 2} else 0.0,
            "metrics": {},
        }
        for number, status in enumerate(statuses)
    ]
    header = {
        "model_name": "m",
        "context_length": 8000,
        "config": {"api_key": "sk-or-v1-0123456789abcdef"},
    }
    write_lines(assay.folder / "old.jsonl", [{"metadata": header}, *rows])
    shown = assay.run(
        "heatmap", "--results", "old.jsonl", "--mode", "accuracy", "--bins=1", "--json"
    )
    data = json.loads(shown.stdout)
    # six rows: two failed, four answers of which two are right and one could not be parsed
    assert (data["answers"], data["failed"], data["unparsed"]) == (4, 2, 1)
    assert data["stretches"][0]["accuracy"] == 0.5
    parsed = assay.run(
        "heatmap", "old.jsonl", "--mode", "accuracy", "--bins=1", "--json", "--parsed-only"
    )
    assert json.loads(parsed.stdout)["stretches"][0]["accuracy"] == 2 / 3
    refused = assay.run("heatmap", "--results", "old.jsonl", "--mode", "depth")
    assert refused.returncode == 2
    assert "holds no depths" in refused.stderr
    assert "sk-or-v1" not in refused.stderr + shown.stdout + shown.stderr
