"""Wrong use of every command: one line that says what to do, and exit code 2."""

from tests.golden.file import json_lines, pdf
from tests.golden.scenario.ablation import DESK_FILES, EXPERIMENTS
from tests.golden.step import ListFiles, Run, Scenario, Write

BROKEN_QUESTIONS = json_lines([
    {"id": "q1", "question": "What?", "must_includ": ["x"]},
    {"id": "q1", "question": "Again?", "weight": -1},
    {"id": "q3", "question": "Both?", "must_include": ["a"], "must_not_include": ["a"]},
])  # fmt: skip
WRONG = (
    "nonsense",
    "ablate",
    "ablate -e romms",
    "ablate -e rooms --limit -1",
    "ablate -e rooms --lang fr",
    "ablate -e rooms --system python:absent:ask",
    "ablate -e rooms --system python:desk:nothing",
    "ablate -e rooms --system morse:desk",
    "ablate -e rooms --root nowhere",
    "ablate -e rooms --config absent.yaml",
    "ablate -e misspelt --config misspelt.yaml",
    "ablate -e setting --config setting.yaml",
    "ablate -e twice --config twice.yaml",
    "ablate -e outside --config outside.yaml",
    "depth",
    "depth --sample --depth-mode fixed --context-length 1000",
    "depth --sample --depth-mode uniform --depth 50 --context-length 1000",
    "depth --sample --depth-mode fixed --depth 120 --context-length 1000",
    "depth --sample --depth-mode deep --context-length 1000",
    "depth --sample --context-length many",
    "depth --sample --context-length 20 --depth-mode uniform",
    "depth --novel absent.txt --questions absent.jsonl --context-length 1000 --model m",
    "quality",
    "quality --pdf absent.pdf --questions questions.jsonl",
    "quality --pdf note.pdf --questions broken.jsonl",
    "quality --pdf desk.py --questions questions.jsonl",
    "quality --pdf note.pdf --questions questions.jsonl --set fast_mode",
    "review",
    "review --data absent.jsonl",
    "review --sample --threshold 2",
    "review --data questions.jsonl --laws absent.jsonl",
    "bench",
    "bench nowhere",
    "bench --sample --type facts",
    "compare --base absent.json",
    "report absent",
    "report rooms --format word",
    "score absent",
    "heatmap",
    "heatmap absent",
    "heatmap desk.py --mode deep",
    "list --root nowhere",
    "doctor --root nowhere",
    "ingest nowhere",
    "init .",
)
MISSPELT = EXPERIMENTS.replace("ablation_variable: lookup", "ablation_varible: lookup", 1)
SETTING = EXPERIMENTS.replace("name: rooms", "name: setting").replace(
    "ablation_variable: lookup", "ablation_variable: lokup"
)
TWICE = EXPERIMENTS.replace("name: words", "name: twice").replace("style: long}", "style: short}")
OUTSIDE = EXPERIMENTS.replace("name: rooms", "name: outside").replace(
    "questions/questions.jsonl", "../questions.jsonl"
)

MISUSE = Scenario(
    "misuse",
    (
        *DESK_FILES,
        Write("misspelt.yaml", MISSPELT),
        Write("setting.yaml", SETTING),
        Write("twice.yaml", TWICE),
        Write("outside.yaml", OUTSIDE),
        Write("broken.jsonl", BROKEN_QUESTIONS),
        Write(
            "questions.jsonl",
            json_lines([{"id": "q1", "question": "What?", "require_citation": True}]),
        ),
        Write("note.pdf", pdf(("A short note.",))),
        *(Run(words, exit=2) for words in WRONG),
        ListFiles(),
    ),
)
SCENARIOS = (MISUSE,)
