"""Depth: the sample, a hand-made novel with questions, and published results drawn as maps."""

from typing import Any

from tests.golden.file import json_lines
from tests.golden.step import Edit, Keep, ListFiles, Retime, Run, Scenario, Write

DEPTHS = ("0%", "25%", "50%", "75%", "100%")
ROWS = "sample.jsonl"
ASK = (
    "depth --sample --context-lengths 1000,2000 --limit 6 --system reader:1200 "
    "--concurrency 1 --depth-mode uniform --out sample.jsonl"
)

SAMPLE = Scenario(
    "depth_sample",
    (
        Run(f"{ASK} --dry-run"),
        Run(f"{ASK} --closed-book"),
        Keep(ROWS, "rows.jsonl"),
        Keep("sample.json", "summary.json"),
        Keep("sample.closed.jsonl", "closed.jsonl"),
        Run(f"{ASK} --closed-book", leaves=(ROWS, "sample.json")),
        Retime(ROWS),
        Run(f"heatmap {ROWS} --json", save="map.json"),
        Run(f"heatmap {ROWS} --json --exclude-known --parsed-only --mean questions", save="known.json"),
        Run(f"heatmap {ROWS} --lang ru"),
        Run(f"heatmap {ROWS} --out map.svg --palette safe"),
        Keep("map.svg"),
        Run(f"heatmap {ROWS} --mode accuracy --bins 8 --json", save="accuracy.json"),
        Run(f"report {ROWS} --charts none"),
        Keep("sample.md", "page.en.md"),
        Run(f"score {ROWS} --json", save="score.json", leaves=(ROWS,)),
        Run(f"compare --base {ROWS} --cand {ROWS}"),
        Run(f"{ASK} --padding-size 5", exit=2, leaves=(ROWS,)),
        Run("depth --sample --lang zh --context-length 800 --limit 3 --depth-mode fixed "
            "--depth 50 --concurrency 1 --system reader:500 --out zh.jsonl"),
        Keep("zh.jsonl"),
        Run("depth --sample --lang ru --context-length 800 --limit 3 --depth-mode legacy "
            "--concurrency 1 --seed 7 --out ru.jsonl"),
        Keep("ru.jsonl"),
    ),
)  # fmt: skip

# A novel of numbered days, in which every fifth day something happens.
EVENTS = {
    5: "On that day the ferryman Osric lost his brass lantern in the river.",
    10: "В тот день смотритель маяка Ефим нашёл серебряный компас.",
    15: "那一天，老钟表匠顾青收到了一封蓝色的信。",
    20: "On that day the baker Maud counted 42 loaves.",
}
NOVEL = "\n".join(
    f"Day {day} was quiet along the river. The boats went out and came back. "
    f"Nobody spoke of number {day * 7} again. {EVENTS.get(day, 'The evening was grey and mild.')}"
    for day in range(1, 41)
)
QUESTIONS: list[dict[str, Any]] = [
    {"metadata": {"novel_path": "novel.txt", "made_by": "hand", "api_key": "sk-0123456789"}},
    {"id": "lantern", "question": "What did the ferryman Osric lose?",
     "question_type": "single_choice",
     "choice": {"a": "a rope", "b": "his brass lantern", "c": "a bell", "d": "an oar"},
     "answer": ["b"], "evidence": EVENTS[5]},
    {"id": "compass", "question": "Что нашёл смотритель маяка Ефим?",
     "answer": ["серебряный компас"], "evidence": EVENTS[10]},
    {"id": "letter", "question": "老钟表匠顾青收到了什么？", "question_type": "multiple_choice",
     "choice": {"a": "一封信", "b": "蓝色的信", "c": "一只钟", "d": "一条船"},
     "answer": ["a", "b"], "evidence": EVENTS[15]},
    {"id": "loaves", "question": "How many loaves did the baker Maud count?",
     "answer": "42", "evidence": EVENTS[20]},
    {"id": "absent", "question": "Who sang?", "answer": "nobody",
     "evidence": "The choir of Ely sang."},
]  # fmt: skip
SINGER = '''\
"""A reader that looks for a word of each question in the prompt, and once says nothing."""

VERSION = "1"


async def ask(question):
    if "Maud" in question and "Day 5 was" in question:
        raise RuntimeError("the reader fell asleep")
    if "Osric lose" in question:
        return 'Answer: b' if "brass lantern in the river" in question else "I cannot tell."
    if "Ефим" in question:
        return '{"answer": "серебряный компас"}'
    if "顾青" in question:
        return '<think>甲还是乙</think>答案：A'
    return {"answer": "42 loaves", "usage": {"prompt_tokens": 10}, "finish_reason": "length"}
'''
NOVEL_FILES = (
    Write("novel.txt", NOVEL),
    Write("questions.jsonl", json_lines(QUESTIONS)),
    Write("singer.py", SINGER),
)
NOVEL_ASK = (
    "depth --novel novel.txt --questions questions.jsonl --system python:singer:ask "
    "--concurrency 1 --retries 0"
)
NOVEL_RUNS = Scenario(
    "depth_novel",
    (
        *NOVEL_FILES,
        Run(f"{NOVEL_ASK} --depth-mode uniform --context-lengths 300,900 --min-per-cell 1 "
            "--out uniform.jsonl", exit=1),
        Keep("uniform.jsonl"),
        Keep("uniform.json"),
        Edit("singer.py", lambda text: text.replace('"Day 5 was" in question', "False")),
        Run(f"{NOVEL_ASK} --depth-mode uniform --context-lengths 300,900 --min-per-cell 1 "
            "--out uniform.jsonl"),
        Run("list --json", save="list.json"),
        Run(f"{NOVEL_ASK} --depth-mode fixed --depth 50 --context_length 400 --out fixed.jsonl"),
        Keep("fixed.jsonl"),
        Run(f"{NOVEL_ASK} --depth-mode legacy --context-length 600 --out legacy.jsonl"),
        Keep("legacy.jsonl"),
        Run(f"{NOVEL_ASK} --tokenizer chars --depth-mode fixed --depth 0 --context-length 700 "
            "--out chars.jsonl"),
        Keep("chars.json"),
        Run("heatmap uniform.jsonl --json", save="map.json"),
        Run("heatmap uniform.jsonl fixed.jsonl --out both.html"),
        ListFiles(),
    ),
)  # fmt: skip


def _published(number: int, length: int, depth: str, score: float, **fields: Any) -> dict[str, Any]:
    unparsed = score < 0
    return {
        "question": f"What does the keeper of lamp {number} carry?",
        "question_type": "single_choice",
        "choice": {"a": "a rope", "b": f"lamp {number}", "c": "a bell", "d": "nothing"},
        "correct_answer": ["b"],
        "model_answer": [] if unparsed else ["b" if score == 1 else "a"],
        "parsing_status": "parsing_error" if unparsed else "success",
        "position": {"start_pos": 100 * number, "end_pos": 100 * number + 50},
        "score": max(score, 0.0),
        "metrics": {},
        "depth": int(depth.removesuffix("%")) / 100,
        "depth_bin": depth,
        "test_context_length": length,
        **fields,
    }


def _results(model: str, every: int) -> str:
    """A published file: longer contexts lose every so many answers, one is not parsed."""
    head = {"model_name": model, "question_set_path": "data/lamps.jsonl",
            "context_lengths": [4000, 16000], "depth_bins": list(DEPTHS)}  # fmt: skip
    rows = [{"metadata": head}]
    for length in (4000, 16000):
        for depth in DEPTHS:
            for turn in range(6):
                number = DEPTHS.index(depth) * 6 + turn
                lost = length == 16000 and number % every == 0
                score = -1.0 if lost and turn == 0 else 0.0 if lost else 1.0
                rows.append(_published(number, length, depth, score))
    return json_lines(rows)


OLDER = json_lines([
    {"metadata": {"model_name": "lamp/old", "context_length": 8000}},
    *({key: value for key, value in _published(number, 0, "0%", number % 2).items()
       if key not in {"depth", "depth_bin", "test_context_length"}} for number in range(8)),
])  # fmt: skip
PUBLISHED = Scenario(
    "depth_published",
    (
        Write("first.jsonl", _results("lamp/reader-1", 7)),
        Write("second.jsonl", _results("lamp/reader-2", 2)),
        Write("older.jsonl", OLDER),
        Run("heatmap first.jsonl --json", save="first.json"),
        Run("heatmap first.jsonl second.jsonl --json", save="both.json"),
        Run("heatmap first.jsonl --out first.html --title Lamps --lang zh"),
        Run("heatmap first.jsonl --mode coverage --bins 4 --json", save="coverage.json"),
        Run("heatmap first.jsonl --mode accuracy --bins 4 --json", save="accuracy.json"),
        Run("heatmap older.jsonl --mode coverage --bins 4 --json", save="older.json"),
        Run("heatmap older.jsonl", exit=2),
        Run("compare --base first.jsonl --cand second.jsonl", exit=2),
        Run("report first.jsonl --format markdown", exit=2),
        Run("heatmap absent.jsonl", exit=2),
    ),
)
SCENARIOS = (SAMPLE, NOVEL_RUNS, PUBLISHED)
