"""The programs of the benchmark of the page: make a large run, read it, open it and query it.

Usage: ``page_task.py make|read|open|export JOURNAL [QUESTIONS [VARIANTS]]``. With four variants or
fewer, the passages have texts, as in a run that is sent to others.
"""

import json
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from reporting_task import VARIANTS, _scored_answer

LETTERS = 500
"""The length of an answer in characters."""
WORDS = [
    "the",
    "buyer",
    "pays",
    "within",
    "thirty",
    "days",
    "of",
    "delivery",
    "unless",
    "both",
    "parties",
    "agree",
    "otherwise",
    "in",
    "writing",
    "and",
    "a",
    "late",
    "payment",
    "bears",
    "interest",
    "at",
    "the",
    "rate",
    "that",
    "the",
    "central",
    "bank",
    "publishes",
    "for",
    "each",
    "day",
    "买方应当在交付之日起三十日内付款",
    "покупатель",
    "платит",
    "в",
    "течение",
    "тридцати",
    "дней",
    "после",
    "поставки",
]
QUERIES: dict[str, dict[str, Any]] = {
    "filter: worse": {"show": "worse"},
    "sort: difference": {"sort": "difference"},
    "filter, threshold and sort": {"show": "different", "low": 0.5, "sort": "without_rrf"},
    "text: common": {"text": "delivery"},
    "text: rare": {"text": "Lot 99777?"},
    "text: absent": {"text": "no such text anywhere"},
    "regex: common": {"text": r"d[a-z]livery", "regex": True},
    "regex: rare with a word in it": {"text": r"lot 9977\d\?", "regex": True},
    "regex: absent with a word in it": {"text": r"bananas?", "regex": True},
}
COUNTS: dict[str, dict[str, Any]] = {
    "text: common": {"text": "days"},
    "regex: classes only": {"text": r"\d{5}\?$", "regex": True},
    "regex: alternatives": {"text": r"(buyer|покупатель|买方).*(rate|дней|付款)", "regex": True},
    "regex: nested repeats": {"text": r"(x+x+)+y", "regex": True},
    "regex: many states": {"text": r"(a|e|i).{12}(z|q)", "regex": True},
    "regex: nothing matches": {"text": r"[0-9]{9}", "regex": True},
}


def make(path: Path, questions: int, variants: int = 6) -> None:
    """Write a journal, its plan and its summary, as ``assay ablate`` does."""
    from assay.records import RunHeader, Variant  # noqa: PLC0415
    from assay.runs.plan_file import PlanHeader, write_plan  # noqa: PLC0415
    from assay.runs.summary import start_summary, write_summary  # noqa: PLC0415

    draw = random.Random(7)
    encode = msgspec.json.Encoder().encode
    ids = [f"{number:016x}" for number in range(500)]
    answers = [_scored_answer(draw, ids) for _ in range(2_000)]
    names = VARIANTS[:variants]
    if variants <= 4:
        texts = {name: " ".join(draw.choices(WORDS, k=120)) for name in ids}
        for answer in answers:
            for passage in answer["passages"]:
                passage["text"] = texts[passage["id"]]
    with path.open("wb") as file:
        for number in range(questions):
            lines = []
            for variant in names:
                words = " ".join(draw.choices(WORDS, k=90))
                row = {
                    "key": f"q{number}::{variant}::topk=10",
                    "question_id": f"q{number}",
                    "source": f"document {number % 20}",
                    "config": variant,
                    "question": f"How long may the buyer take to pay for lot {number}?",
                    **draw.choice(answers),
                    "answer": words[:LETTERS],
                    "stages": [{"name": "search", "elapsed_s": 0.01}],
                    "answerable": True,
                    "status": "scored",
                    "elapsed_s": draw.lognormvariate(0, 0.5),
                    "fingerprint": "0b1f8c52-c3d1d4a0-5e0ec9f1",
                    "schema_version": 2,
                }
                lines.append(encode(row))
            file.write(b"\n".join(lines) + b"\n")
    total = questions * len(names)
    header = RunHeader(
        job="ablation",
        name="large",
        system="bench",
        variants=tuple(Variant(name=name) for name in names),
        total=total,
        top_k=10,
        extra={"baseline": "full"},
    )
    write_summary(path.with_suffix(".json"), start_summary(header))
    plan = PlanHeader(
        made_of="",
        total=total,
        system="",
        variants=dict.fromkeys(names, ""),
        placements=("topk=10",),
    )
    write_plan(path, plan, ((f"q{number}", "") for number in range(questions)))


def read(path: Path) -> None:
    """Decode every row once and keep none."""
    from assay.data.jsonl import read_blocks  # noqa: PLC0415

    began, cpu = time.perf_counter(), time.process_time()
    for _ in read_blocks(path, dict):
        pass
    print(json.dumps({"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - began}))


def open_and_query(path: Path) -> None:
    """Open the run as the server does, and time every query."""
    from assay.web.item import item_view  # noqa: PLC0415
    from assay.web.item_api import ItemQuery  # noqa: PLC0415
    from assay.web.library import Library  # noqa: PLC0415
    from assay.web.query import item_count, item_page  # noqa: PLC0415
    from assay.web.run_view import run_view  # noqa: PLC0415

    library = Library(path.parent)
    times: dict[str, float] = {}
    cpu_times: dict[str, float] = {}
    sizes: dict[str, int] = {}
    cpu = time.process_time()

    def timed(name: str, work: Callable[[], Any]) -> Any:
        began, cpu = time.perf_counter(), time.process_time()
        value = work()
        times[name] = time.perf_counter() - began
        cpu_times[name] = time.process_time() - cpu
        sizes[name] = len(msgspec.json.encode(value)) if isinstance(value, msgspec.Struct) else 0
        return value

    index = timed("open", lambda: library.open(path.stem))
    cpu_s = time.process_time() - cpu
    card = timed("card", lambda: library.card(path.stem, path))
    timed("run view", lambda: run_view(index, card))
    timed("one item", lambda: item_view(index, 777))
    for name, words in QUERIES.items():
        query = ItemQuery(**words)
        timed(f"first page, {name}", lambda query=query: item_page(index, query, bool))
    for name, words in COUNTS.items():
        query = ItemQuery(**words)
        index.searches.clear()
        timed(f"count, {name}", lambda query=query: item_count(index, query, bool))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            {"cpu_s": cpu_s, "times": times, "cpu": cpu_times, "sizes": sizes, "peak_mb": peak}
        )
    )


def export(path: Path) -> None:
    """Write the run as one HTML file."""
    from assay.web.embedded import write_page  # noqa: PLC0415

    began, cpu = time.perf_counter(), time.process_time()
    page = write_page(path, path.with_suffix(".html"))
    figures = {"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - began}
    print(json.dumps({**figures, "file_mb": page.stat().st_size / 1e6}))


if __name__ == "__main__":
    task, name, *rest = sys.argv[1:]
    if task == "make":
        make(Path(name), *map(int, rest))
    elif task == "read":
        read(Path(name))
    elif task == "export":
        export(Path(name))
    else:
        open_and_query(Path(name))
