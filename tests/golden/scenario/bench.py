"""The legal benchmark: hand-made files in three languages with a scripted system, and the sample."""

from typing import Any

from tests.golden.file import json_text
from tests.golden.step import Edit, Keep, Retime, Run, Scenario, Write

DOCUMENTS = {
    "sale.txt": "Record of a sale. Page 1 of 2\nOrla Finch sold the boat to Piers Lund.\n"
    "The price was £4,200 in all.\n\fRecord of a sale. Page 2 of 2\n"
    "Piers Lund paid on 2 June 2031.\nWho witnessed it I no longer remember.\n",
    "dogovor.txt": "Договор займа.\nШведов Олег Ильич занял 300 000 рублей 18 января 2031 года.\n"
    "Срок возврата не установлен.\n",
    "jiedai.txt": "借款笔录。\n林远舟向顾砚秋借款四万二千元。\n双方于2031年8月29日签字。\n"
    "是否约定利息，证人记不清。\n",
}
FACTS: list[dict[str, Any]] = [
    {"id": "fact-en", "question": "What was the price?", "expected": {"amount_total": 4200},
     "required_evidence": [{"page": 1, "must_include": "£4,200 in all", "is_critical": True}],
     "metadata": {"difficulty": "easy", "category": "monetary"}},
    {"id": "fact-en-2", "question": "Did Piers Lund pay?",
     "expected": {"boolean_answer": True, "date": "2031-06-02"},
     "metadata": {"difficulty": "medium", "category": "temporal"}},
    {"id": "fact-en-3", "question": "What is written on page 3?", "expected": {"count": 2},
     "metadata": {"difficulty": "medium", "category": "factual"}},
]  # fmt: skip
RUSSIAN_FACTS: list[dict[str, Any]] = [
    {"id": "fact-ru", "question": "Кто занял деньги?", "expected": {"entity": "Шведов Олег Ильич"},
     "metadata": {"difficulty": "easy", "category": "entity"}},
    {"id": "fact-ru-2", "question": "Сколько занято?", "expected": {"amount_total": 300000},
     "metadata": {"difficulty": "easy", "category": "monetary"}},
]  # fmt: skip
EVIDENCE: list[dict[str, Any]] = [
    {"id": "evidence-en", "question": "What shows that the sale was carried out?",
     "expected": {"key_points": ["She sold the boat", "He paid for it"]},
     "required_evidence": [{"page": 1, "must_include": "sold the boat to Piers Lund"},
                           {"page": 2, "must_include": "paid on 2 June 2031"}],
     "metadata": {"difficulty": "hard", "category": "evidence"}},
]  # fmt: skip
GAPS: list[dict[str, Any]] = [
    {"id": "gap-en", "question": "Who witnessed the sale?", "should_abstain": True,
     "hallucination_penalty": "high", "required_quote": "Who witnessed it I no longer remember",
     "evidence_location": {"page": 2}, "metadata": {"difficulty": "hard"}},
]  # fmt: skip
CHINESE_GAPS: list[dict[str, Any]] = [
    {"id": "gap-zh", "question": "利息是多少？", "should_abstain": True,
     "hallucination_penalty": "medium", "required_quote": "是否约定利息，证人记不清",
     "evidence_location": {"page": 1}, "metadata": {"difficulty": "medium"}},
    {"id": "gap-zh-2", "question": "借了多少钱？", "should_abstain": False,
     "hallucination_penalty": "low", "required_quote": "借款四万二千元",
     "evidence_location": {"page": 1}, "metadata": {"difficulty": "easy"}},
]  # fmt: skip
RAG = '''\
"""A system that is mostly right, invents a witness, and cannot read page 3."""

VERSION = "1"
SAID = {
    "What was the price?": ("£4,200", [(1, "The price was £4,200 in all.")]),
    "Did Piers Lund pay?": ("Yes, on 2 June 2031.", [(2, "Piers Lund paid on 2 June 2031.")]),
    "Кто занял деньги?": ("Деньги занял Шведов О. И.", [(1, "Шведов Олег Ильич занял")]),
    "Сколько занято?": ("310 000 рублей", []),
    "What shows that the sale was carried out?": (
        "It was sold, and paid for on 2 June 2031.",
        [(1, "Orla Finch sold the boat to Piers Lund."), (2, "Piers Lund paid on 2 June 2031.")],
    ),
    "Who witnessed the sale?": ("Marcus Hale did, on 7 July 2031.", []),
    "利息是多少？": ("笔录没有说明。", [(1, "是否约定利息，证人记不清。")]),
    "借了多少钱？": ("42000元", [(1, "林远舟向顾砚秋借款四万二千元。")]),
}


async def ask(question):
    if "page 3" in question:
        raise ValueError("there is no page 3")
    answer, cited = SAID[question]
    return {"answer": answer, "citations": [{"page": page, "text": text} for page, text in cited]}
'''


def _file(kind: str, document: str, questions: list[dict[str, Any]]) -> str:
    return json_text({
        "schema_version": "1.0.0",
        "benchmark_type": kind,
        "document": document,
        "evaluation_criteria": {"min_score": 0.6},
        "questions": questions,
    })  # fmt: skip


FILES = (
    *(Write(f"legal/{name}", text) for name, text in DOCUMENTS.items()),
    Write("legal/fact_en.json", _file("fact_exact", "sale.txt", FACTS)),
    Write("legal/fact_ru.json", _file("fact_exact", "dogovor.txt", RUSSIAN_FACTS)),
    Write("legal/evidence_en.json", _file("evidence_set", "sale.txt", EVIDENCE)),
    Write("legal/gap_en.json", _file("conflict_gap", "sale.txt", GAPS)),
    Write("legal/gap_zh.json", _file("conflict_gap", "jiedai.txt", CHINESE_GAPS)),
    Write("rag.py", RAG),
)
ASK = "bench legal --system python:rag:ask --concurrency 1 --retries 0"
ROWS = "experiments/bench-legal.jsonl"

LEGAL = Scenario(
    "bench_legal",
    (
        *FILES,
        Run("bench validate legal"),
        Run(f"{ASK} --dry-run"),
        Run(f"{ASK} --no-report", exit=1),
        Keep(ROWS, "rows.jsonl"),
        Keep("experiments/bench-legal.json", "summary.json"),
        Retime(ROWS),
        Run(f"{ASK} --no-report --json", exit=1, save="told.json"),
        Run("report bench-legal --charts svg --lang ru"),
        Keep("experiments/bench-legal.md", "page.ru.md"),
        Keep("experiments/bench-legal/charts/profile.svg", "profile.svg"),
        Run("report bench-legal --format latex", save="page.en.tex"),
        Run("score bench-legal --json", save="score.json", leaves=(ROWS,)),
        Run("bench run --type conflict_gap legal --system python:rag:ask --no-report --name base"),
        Edit("rag.py", lambda text: text.replace("Marcus Hale did, on 7 July 2031.", "It is unknown.")
             .replace("笔录没有说明。", "利息为百分之八。")),
        Run("bench run --type conflict_gap legal --system python:rag:ask --no-report --name base"),
        Run("bench run --type conflict_gap legal --system python:rag:ask --no-report --name cand"),
        Run("compare --base experiments/base.jsonl --cand experiments/cand.jsonl", exit=1),
        Run("compare --base experiments/base.jsonl --cand experiments/cand.jsonl --format json",
            exit=1, save="compare.json"),
        Edit("legal/gap_zh.json", lambda text: text.replace('"should_abstain": true',
                                                            '"should_abstain": false')),
        Run("bench run --type conflict_gap legal --system python:rag:ask --no-report --name cand"),
        Keep("experiments/cand.json", "corrected.json"),
        Edit("legal/dogovor.txt", lambda text: text.replace("300 000", "305 000")),
        Run("score bench-legal", exit=2, leaves=(ROWS,)),
        Edit("legal/fact_en.json", lambda text: text.replace("amount_total", "amount_totl")
             .replace('"easy"', '"odd"').replace("2031-06-02", "2031-06-32")),
        Run("bench validate legal", exit=2),
        Run("bench validate legal --json", exit=2, save="problems.json"),
        Run(ASK, exit=2, leaves=(ROWS,)),
    ),
)  # fmt: skip
SAMPLE = Scenario(
    "bench_sample",
    (
        Run("bench --sample --type evidence_set --no-report --concurrency 1"),
        Keep("experiments/bench-sample-evidence_set.jsonl", "rows.jsonl"),
        Keep("experiments/bench-sample-evidence_set.json", "summary.json"),
        Run("bench validate nowhere", exit=2),
    ),
)
SCENARIOS = (LEGAL, SAMPLE)
