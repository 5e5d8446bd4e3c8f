"""The programs of the reporting benchmark, each run in a separate process.

Usage: ``reporting_task.py NAME JOURNAL …``.
"""

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

VARIANTS = ("full", "without_hyde", "without_rrf", "without_fusion", "without_drift", "bare")
DISTINCT = 2_000
"""The number of different answers; a new answer for each row would take longer than the benchmark."""
LINES = (
    "Thirty days from delivery, unless agreed otherwise [{}].",
    "三十日内，另有约定的除外[{}]。",
)


def make(path: Path, questions: int) -> None:
    """Write a journal and its summary in the format of ``assay ablate``, with 20 sources."""
    from assay.records import RunHeader, Variant  # noqa: PLC0415
    from assay.runs.summary import start_summary, write_summary  # noqa: PLC0415

    draw = random.Random(7)
    encode = msgspec.json.Encoder().encode
    ids = [f"{number:016x}" for number in range(500)]
    answers = [_scored_answer(draw, ids) for _ in range(DISTINCT)]
    with path.open("wb") as file:
        for number in range(questions):
            lines = []
            for variant in VARIANTS:
                row = {
                    "key": f"q{number}::{variant}::topk=10",
                    "question_id": f"q{number}",
                    "source": f"document {number % 20}",
                    "config": variant,
                    "fast_mode": False,
                    "dim": None,
                    "top_k": 10,
                    "question": f"How long may the buyer take to pay for lot {number}?",
                    **draw.choice(answers),
                    "evaluation": {"search": {"hits": [50, 50]}, "fusion": {"kept": 80}},
                    "stages": [{"name": "search", "elapsed_s": 0.01}],
                    "answerable": True,
                    "status": "scored",
                    "elapsed_s": draw.lognormvariate(0, 0.5),
                    "ts": 1.7e9 + number,
                    "fingerprint": "0b1f8c52-c3d1d4a0-5e0ec9f1",
                    "schema_version": 1,
                }
                lines.append(encode(row))
            file.write(b"\n".join(lines) + b"\n")
    header = RunHeader(
        job="ablation",
        name="long",
        system="bench",
        variants=tuple(Variant(name=name) for name in VARIANTS),
        total=questions * len(VARIANTS),
        extra={"baseline": "full"},
    )
    write_summary(path.with_suffix(".json"), start_summary(header))


def _scored_answer(draw: random.Random, ids: list[str]) -> dict[str, Any]:
    """An answer with its passages and its scores, as the ablation job writes them."""
    from assay.jobs.answers.handler import score_answer  # noqa: PLC0415
    from assay.records import Answer, Passage  # noqa: PLC0415

    gold = tuple(draw.sample(ids, draw.choice((1, 1, 2, 3))))
    hits = [chunk_id for chunk_id in gold if draw.random() < 0.8]
    passages = tuple(
        Passage(id=chunk_id, score=0.5, rank=rank)
        for rank, chunk_id in enumerate((*hits, *draw.sample(ids, 10 - len(hits))), 1)
    )
    text = draw.choice(LINES).format(draw.randint(1, 9))
    return {
        "answer": text,
        **score_answer(gold, True, Answer(text=text, passages=passages)),
        "passages": [{"id": hit.id, "score": hit.score, "rank": hit.rank} for hit in passages],
    }


def report(path: Path) -> None:
    """Do everything that ``assay report`` does, except charts."""
    from assay.study.analysis import analyse_run  # noqa: PLC0415
    from assay.study.page import write_report  # noqa: PLC0415

    began = time.process_time()
    write_report(analyse_run(path), charts=None)
    print(json.dumps({"cpu_s": time.process_time() - began}))


def read(path: Path, reader: str) -> None:
    """Decode every row and keep no row."""
    from assay.data.jsonl import read_blocks  # noqa: PLC0415

    began = time.process_time()
    if reader == "msgspec":
        for _ in read_blocks(path, dict):
            pass
    else:
        import orjson  # noqa: PLC0415 - optional, needed only for this reader

        with path.open("rb") as file:
            for line in file:
                orjson.loads(line)
    print(json.dumps({"cpu_s": time.process_time() - began}))


if __name__ == "__main__":
    task, path, *rest = sys.argv[1:]
    if task == "make":
        make(Path(path), int(rest[0]))
    elif task == "report":
        report(Path(path))
    else:
        read(Path(path), rest[0])
