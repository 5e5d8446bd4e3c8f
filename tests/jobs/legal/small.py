"""A benchmark small enough to score by hand: one document of two pages and three questions."""

import json
from pathlib import Path
from typing import Any

DOCUMENT = """\
Record of a sale. Page 1 of 2
Orla Finch sold the boat to Piers Lund.
The price was £4,200 in all.
\fRecord of a sale. Page 2 of 2
Piers Lund paid on 2 June 2031.
Who witnessed it I no longer remember.
"""
RIGHT = {
    "What was the price?": {
        "answer": "£4,200",
        "citations": [{"page": 1, "text": "The price was £4,200 in all."}],
    },
    "What shows that the sale was carried out?": {
        "answer": "It was sold, and paid for on 2 June 2031.",
        "citations": [
            {"page": 1, "text": "Orla Finch sold the boat to Piers Lund."},
            {"page": 2, "text": "Piers Lund paid on 2 June 2031."},
        ],
    },
    "Who witnessed the sale?": {
        "answer": "The record does not say.",
        "citations": [{"page": 2, "text": "Who witnessed it I no longer remember."}],
    },
}
"""Replies that get the full score, by the text of the question."""

FACT = {
    "id": "fact",
    "question": "What was the price?",
    "expected": {"amount_total": 4200},
    "required_evidence": [{"page": 1, "must_include": "£4,200 in all", "is_critical": True}],
    "metadata": {"difficulty": "easy", "category": "monetary"},
}
EVIDENCE = {
    "id": "evidence",
    "question": "What shows that the sale was carried out?",
    "expected": {"key_points": ["She sold the boat", "He paid for it"]},
    "required_evidence": [
        {"page": 1, "must_include": "sold the boat to Piers Lund"},
        {"page": 2, "must_include": "paid on 2 June 2031"},
    ],
    "metadata": {"difficulty": "hard", "category": "evidence"},
}
GAP = {
    "id": "gap",
    "question": "Who witnessed the sale?",
    "should_abstain": True,
    "hallucination_penalty": "high",
    "required_quote": "Who witnessed it I no longer remember",
    "evidence_location": {"page": 2},
    "metadata": {"difficulty": "hard"},
}
FILES = {"fact_exact": FACT, "evidence_set": EVIDENCE, "conflict_gap": GAP}


def write_small(folder: Path, *, min_score: float | None = 0.6, **changed: Any) -> Path:
    """Write the document and a file for each type; ``changed`` replaces fields of the fact."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sale.txt").write_text(DOCUMENT, encoding="utf-8")
    for kind, question in FILES.items():
        content = {
            "schema_version": "1.0.0",
            "benchmark_type": kind,
            "document": "sale.txt",
            "questions": [{**question, **(changed if kind == "fact_exact" else {})}],
        }
        if min_score is not None:
            content["evaluation_criteria"] = {"min_score": min_score}
        (folder / f"{kind}.json").write_text(json.dumps(content, indent=2), encoding="utf-8")
    return folder
