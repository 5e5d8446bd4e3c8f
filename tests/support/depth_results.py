"""Files of depth results written by hand, in the published shape and in our own."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PERFECT = 11
SHORT = (4000, 8000, 16000, 32000)
LENGTHS = (*SHORT, 64000, 128000, 163840)
BINS = ("0%", "25%", "50%", "75%", "100%")
UNPARSED = -1.0
"""Stands for an answer that could not be read, which scores nothing."""

FALLEN: dict[tuple[int, str], tuple[float, ...]] = {
    (4000, "75%"): (0.8, 0.0),
    (8000, "75%"): (0.8, 0.0),
    (8000, "100%"): (0.8, UNPARSED),
    (16000, "50%"): (0.8,),
    (32000, "25%"): (0.8,),
    (32000, "50%"): (0.8,),
    (32000, "75%"): (6 / 7,),
    (32000, "100%"): (2 / 3,),
    (64000, "75%"): (0.0,),
    (128000, "0%"): (0.0,),
    (128000, "25%"): (0.0, 0.0),
    (128000, "50%"): (0.0, 0.0, 0.0, 0.0),
    (128000, "75%"): (0.0, 0.8, 0.0),
    (128000, "100%"): (0.0,),
    (163840, "25%"): (0.0, 0.0),
    (163840, "50%"): (2 / 3, 0.0),
    (163840, "75%"): (0.0,),
    (163840, "100%"): (0.0, 0.0, 0.0),
}
"""The scores below 1 in each cell of a published test; all other answers there are right."""


def published_row(
    number: int, length: int, depth_bin: str, score: float, **fields: Any
) -> dict[str, Any]:
    """A row under the published names, of an invented question."""
    unparsed = score == UNPARSED
    return {
        "question": f"What does the keeper of lamp {number} carry?",
        "question_type": "single_choice",
        "choice": {"a": "a rope", "b": f"lamp {number}", "c": "a bell", "d": "nothing"},
        "correct_answer": ["b"],
        "model_answer": [] if unparsed else ["b" if score == 1 else "a"],
        "parsing_status": "parsing_error" if unparsed else "success",
        "position": {"start_pos": 1000 * number, "end_pos": 1000 * number + 500},
        "score": 0.0 if unparsed else score,
        "metrics": {},
        "depth": float(depth_bin.removesuffix("%")) / 100,
        "depth_bin": depth_bin,
        "test_context_length": length,
        **fields,
    }


def published_rows() -> list[dict[str, Any]]:
    """All cells of a published test, 369 answers, with invented questions."""
    rows: list[dict[str, Any]] = []
    for length in LENGTHS:
        for label in BINS:
            full = length in SHORT and (length, label) != (32000, "100%")
            fallen = FALLEN.get((length, label), ())
            scores = [1.0] * (PERFECT - (not full) - len(fallen)) + list(fallen)
            rows += [
                published_row(len(rows) + place, length, label, score)
                for place, score in enumerate(scores)
            ]
    return rows


def write_results(
    path: Path, rows: Iterable[dict[str, Any]], model: str = "lamp/reader-1", **metadata: Any
) -> Path:
    """The metadata and the rows, a line each."""
    head = {
        "model_name": model,
        "question_set_path": "data/lamps.jsonl",
        "context_lengths": list(LENGTHS),
        "depth_bins": list(BINS),
        **metadata,
    }
    lines = [{"metadata": head}, *rows]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def small(path: Path, rows: Iterable[dict[str, Any]], **metadata: Any) -> Path:
    """As ``write_results`` with one length and two depths planned."""
    planned = {"context_lengths": [1000], "depth_bins": ["0%", "100%"]}
    return write_results(path, rows, **{**planned, **metadata})
