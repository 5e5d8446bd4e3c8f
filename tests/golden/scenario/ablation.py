"""Ablations: a scripted desk with failures, a workspace of the first tool's shape, the samples."""

from typing import Any

from tests.golden.file import json_lines, json_text
from tests.golden.step import Edit, Keep, ListFiles, Retime, Run, Scenario, Write

# The desk: 24 questions in three languages about the rooms of a guest house. Without the price
# list it is right about every other room; rooms 9 and 10 fail while a file "closed" is there.

DESK = '''\
"""A desk that knows what a room costs."""

import re
from pathlib import Path

VERSION = "1"
SETTINGS = {"lookup": bool, "style": ("short", "long")}


async def ask(question, settings, top_k):
    room = int(re.search(r"\\d+", question).group())
    if Path("closed").exists() and room in (9, 10):
        raise RuntimeError(f"room {room} is being painted")
    if room > 20:
        answer = "The document does not mention it." if settings.get("lookup") else "It is free [1]."
        return {"answer": answer, "passages": [{"id": "hours", "text": "Open by day."}]}
    is_right = settings.get("lookup") or room % 2 == 1
    fee = 40 + room * 37 % 60
    passages = [
        {"id": f"fee-{room if is_right else 0}", "text": f"Room {room}: {fee}", "score": 0.9},
        {"id": "hours", "text": "The house is open by day.", "score": 0.4},
        {"id": f"fee-{room + 1}", "text": f"Room {room + 1}", "score": 0.2},
    ]
    short = f"{fee if is_right else fee + 5} a night"
    answer = short if settings.get("style") != "long" else f"A room like this one costs {short}"
    return {
        "answer": f"{answer} [{1 if room != 8 else 9}].",
        "passages": passages[:top_k],
        "usage": {"prompt_tokens": 100 + room, "completion_tokens": 10, "cost": 0.001 * room},
        "finish_reason": "stop",
        "extra": {"room": room},
    }
'''
EXPERIMENTS = """\
defaults:
  questions_path: questions/questions.jsonl
  top_k: 3
  system: "python:desk:ask"
  run: {concurrency: 1, retries: 0}

baselines:
  plain: {lookup: true, style: short}

experiments:
  - name: rooms
    description: Does the price list help?
    baseline: plain
    ablation_variable: lookup
    values: [true, false]
  - name: words
    baseline: plain
    ablation_variable: style
    variants:
      - {name: brief, style: short}
      - {name: polite, style: long}
    compare_to: polite
    question_limit: 8
  - name: both
    description: Two switches together.
    baseline: plain
    design: factorial
    components: {lookup: [false, true], style: [short, long]}
"""
WORDS = (
    "What does room {} cost a night?",
    "Сколько стоит номер {} за ночь?",
    "{}号房间每晚多少钱？",
)


def _question(room: int) -> dict[str, Any]:
    question = {
        "id": f"room-{room:02d}",
        "question": WORDS[room % 3].format(room),
        "source": f"floor {room % 7}",
    }
    if room > 20:
        return {**question, "answerable": False}
    if room == 20:
        return question
    gold = [f"fee-{room}", f"fee-{room + 1}"] if room % 5 == 0 else [f"fee-{room}"]
    if room % 2:
        return {**question, "bundle": [{"chunk_id": chunk} for chunk in gold]}
    return {**question, "gold_chunk_ids": gold}


QUESTIONS = [_question(room) for room in range(1, 25)]
CORRECTED = [
    {**question, "gold_chunk_ids": ["hours"]} if question["id"] == "room-02" else question
    for question in QUESTIONS
]
DESK_FILES = (
    Write("desk.py", DESK),
    Write("experiments/experiments.yaml", EXPERIMENTS),
    Write("questions/questions.jsonl", json_lines(QUESTIONS)),
)
ROOMS = "experiments/rooms.jsonl"


DESK_RUNS = Scenario(
    "ablation_desk",
    (
        *DESK_FILES,
        Run("ablate -e rooms --dry-run"),
        Run("ablate -e rooms --limit 6 --no-report"),
        Write("closed", ""),
        Run("ablate -e rooms --no-report", exit=1),
        Keep("experiments/rooms.json", "rooms.failed.json"),
        Run("list --json", save="list.failed.json"),
        Run("list"),
        Run("compare --base experiments/rooms.json --cand experiments/rooms.json "
            "--variant lookup_on", exit=2),
        Edit("closed", lambda text: f"{text}no longer read"),
        Edit("desk.py", lambda text: text.replace('Path("closed")', 'Path("shut")')),
        Run("ablate -e rooms --no-report --log-lines"),
        Keep(ROOMS, "rooms.jsonl"),
        Keep("experiments/rooms.json", "rooms.json"),
        Run("ablate -e rooms --no-report", leaves=(ROOMS, "experiments/rooms.json")),
        Retime(ROOMS),
        Run("ablate -e rooms --limit 6 --no-report", leaves=(ROOMS,)),
        Run("ablate -e rooms --no-report", leaves=(ROOMS,)),  # the reports are of all questions
        Run("ablate -e rooms --dry-run", leaves=(ROOMS,)),
        Run("report rooms --charts svg"),
        Keep("experiments/rooms.md", "rooms.md"),
        Keep("experiments/rooms/charts/effect-avg_gold_coverage.svg", "rooms.effect.svg"),
        Run("report rooms --format csv --lang zh", save="rooms.csv"),
        Run("score rooms", leaves=(ROOMS, "experiments/rooms.json")),
        Write("corrected.jsonl", json_lines(CORRECTED)),
        Run("score rooms --questions corrected.jsonl --json", save="score.json", leaves=(ROOMS,)),
        Keep("experiments/rooms.rescored.json", timed=True),
        Run("compare --base experiments/rooms.jsonl --cand experiments/rooms.rescored.jsonl "
            "--variant lookup_on", exit=2),
        Run("compare --base experiments/rooms.jsonl --cand experiments/rooms.jsonl "
            "--base-variant lookup_on --variant lookup_off --format json", exit=1,
            save="compare.json", timed=True),
        Run("score rooms --questions corrected.jsonl --in-place"),
        ListFiles("experiments"),
    ),
)  # fmt: skip

STALE = Scenario(
    "ablation_stale",
    (
        *DESK_FILES,
        Run("ablate -e words --no-report"),
        ListFiles("experiments"),
        Edit("desk.py", lambda text: text.replace('VERSION = "1"', 'VERSION = "2"')),
        Run("ablate -e words --no-report", exit=2, leaves=("experiments/words.jsonl",)),
        Run("ablate -e words --no-report --resume keep", leaves=("experiments/words.jsonl",)),
        Run("ablate -e words --no-report --resume fresh"),
        Keep("experiments/words.jsonl"),
        Edit("questions/questions.jsonl", lambda text: text.replace("Сколько стоит", "Почём")),
        Run("ablate -e words --no-report", exit=2, leaves=("experiments/words.jsonl",)),
        Edit("experiments/experiments.yaml", lambda text: text.replace("top_k: 3", "top_k: 2")),
        Run("ablate -e words --no-report --out other"),
        Run("ablate -e both --limit 12 --no-report --max-cost 0.05", exit=1),
        Run("ablate -e both --limit 12 --no-report --concurrency 4", quiet=True),
        Retime("experiments/both.jsonl"),
        Run("ablate -e both --limit 12 --no-report", leaves=("experiments/both.jsonl",)),
        Run("score both"),
        Keep("experiments/both.rescored.json", "both.json", timed=True),
        Run("doctor --system python:desk:ask --question 'What does room 3 cost?'"),
        Run("ablate --all --dry-run"),
    ),
)

# A workspace in the place and of the shape the first tool had, searched by the reference
# pipeline: chunks of a lease in three languages, settings of its fast and its normal mode.

SEED = "Research Files/rag_eval"
SEED_EXPERIMENTS = """\
defaults:
  questions_path: "questions/questions_clean_allow_meta_100.jsonl"
  chunks_manifest: "chunks/manifest.json"
  embedding_cache_dir: "embeddings"
  top_k: 4
experiments:
  - name: "mrl_dimension_ablation"
    description: "Compare MRL dimensions in Fast mode"
    baseline: "fast"
    ablation_variable: "search_dim"
    variants:
      - { dim: 128, name: "fast_dim_128" }
      - { dim: 512, name: "fast_dim_512" }
      - { dim: 2048, name: "fast_dim_2048" }
    include_normal_baseline: true
    question_limit: 100
  - name: "drift_filter_ablation"
    baseline: "normal"
    ablation_variable: "drift_filter_enabled"
    variants:
      - { drift_filter_enabled: true, name: "drift_on" }
      - { drift_filter_enabled: false, name: "drift_off" }
"""
CHUNKS = {
    "lease_en": (
        "Section 1. The Landlord lets the flat at 17 Mill Lane to the Tenant for two years.",
        "Section 2. The rent is 900 crowns a month and falls due on the fifth day.",
        "Section 3. Either party may end the lease with thirty days' notice in writing.",
        "Section 4. The deposit is two months' rent and is returned within three weeks.",
    ),
    "lease_ru": (
        "Статья 1. Арендодатель передаёт квартиру по адресу Мельничный переулок, 17 на два года.",
        "Статья 2. Арендная плата составляет 900 крон в месяц и вносится до пятого числа.",
        "Статья 3. Любая сторона вправе расторгнуть договор, предупредив за тридцать дней.",
        "Статья 4. Залог равен двум месячным платежам и возвращается в течение трёх недель.",
    ),
    "lease_zh": (
        "第一条 甲方将磨坊巷17号房屋出租给乙方，租期两年。",
        "第二条 每月租金为九百元，于每月五日前支付。",
        "第三条 任何一方可以提前三十日书面通知对方解除合同。",
        "第四条 押金为两个月租金，租期届满后三周内退还。",
    ),
}
SEED_QUESTIONS = [
    {"id": "en-1", "question": "How much notice ends the lease?", "source": "lease_en",
     "bundle": [{"chunk_id": "lease_en-3"}]},
    {"id": "en-2", "question": "What is the rent and how large is the deposit?",
     "source": "lease_en", "bundle": [{"chunk_id": "lease_en-2"}, {"chunk_id": "lease_en-4"}]},
    {"id": "ru-1", "question": "За сколько дней надо предупредить о расторжении договора?",
     "source": "lease_ru", "bundle": [{"chunk_id": "lease_ru-3"}]},
    {"id": "ru-2", "question": "Какой сорт сыра любит арендодатель?", "source": "lease_ru",
     "bundle": [], "answerable": False},
    {"id": "zh-1", "question": "每月租金是多少？", "source": "lease_zh",
     "bundle": [{"chunk_id": "lease_zh-2"}]},
    {"id": "zh-2", "question": "押金什么时候退还？", "source": "lease_zh",
     "bundle": [{"chunk_id": "lease_zh-4"}]},
]  # fmt: skip


def _chunk_files() -> tuple[Write, ...]:
    files = []
    for source, texts in CHUNKS.items():
        chunks = [
            {"id": f"{source}-{place}", "text": text, "source": source, "page": 1 + place // 3}
            for place, text in enumerate(texts, start=1)
        ]
        files.append(Write(f"{SEED}/chunks/{source}.jsonl", json_lines(chunks)))
    sources = [
        {"file": f"{source}.jsonl", "source": source, "chunks": len(texts)}
        for source, texts in CHUNKS.items()
    ]
    manifest = json_text({"schema_version": 1, "sources": sources})
    return (*files, Write(f"{SEED}/chunks/manifest.json", manifest))


MRL = f"{SEED}/experiments/mrl_dimension_ablation"
SEED_SHAPE = Scenario(
    "ablation_seed_shape",
    (
        *_chunk_files(),
        Write(f"{SEED}/experiments/experiments.yaml", SEED_EXPERIMENTS),
        Write(f"{SEED}/questions/questions_clean_allow_meta_100.jsonl", json_lines(SEED_QUESTIONS)),
        Run("doctor"),
        Run("ablate --all --no-report --concurrency 1"),
        Keep(f"{SEED}/experiments/drift_filter_ablation.jsonl", "drift.jsonl"),
        Retime(f"{MRL}.jsonl"),
        Run(
            "ablate -e mrl_dimension_ablation --no-report --concurrency 1",
            leaves=(f"{MRL}.jsonl",),
        ),
        Keep(f"{MRL}.jsonl", "mrl.jsonl", timed=True),
        Keep(f"{MRL}.json", "mrl.json"),
        Run("report mrl_dimension_ablation --charts svg --metric gold_mrr"),
        Keep(f"{MRL}/charts/line-gold_mrr.svg", "mrl.line.svg"),
        Run("list --json", save="list.json", timed=True),
    ),
)
SAMPLE = Scenario(
    "ablation_sample",
    (
        Run("init desk"),
        Run("ablate --root desk -e leave_one_out --limit 3 --no-report --concurrency 1"),
        Keep("desk/experiments/leave_one_out.jsonl", "rows.jsonl"),
        ListFiles("desk/experiments"),
    ),
)
SCENARIOS = (DESK_RUNS, STALE, SEED_SHAPE, SAMPLE)
