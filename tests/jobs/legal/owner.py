"""A repository as the owner of another runner keeps it: questions, a record, a RAG system.

The record is Markdown without page marks, while the questions name pages of the PDF it was made
from. The scores of ``REPLIES`` are computed by hand in ``SCORES``.
"""

import json
from pathlib import Path
from typing import Any

RECORD = """\
# 询问笔录
被询问人：罗小舟
问：陈大年一共给了你多少钱？有人说是50000元。
答：一共给了我38000元，分两次给的。第一次20000元，第二次18000元。
问：钱用到哪里了？
答：请人吃饭用掉了，具体请了谁都忘记了。
问：什么时候答应退款？
答：2030年5月6日我答应办不成就全部退给他。
问：谁介绍你们认识的？
答：赵敏说是她介绍的，钱立说是他介绍的，我也说不清。
"""
CONFIG = {
    "overall_pass_threshold": 0.7,
    "type_weights": {"fact_exact": 0.5, "evidence_set": 0.3, "conflict_gap": 0.2},
}
ROOT: dict[str, Any] = {
    "benchmark_name": "询问笔录问答",
    "version": "1.2.0",
    "description": "三类题目",
    "document": "询问笔录.pdf",
    "document_info": {"title": "询问笔录", "total_pages": 5, "language": "zh"},
    "scoring_config": CONFIG,
    "system_instructions": {"role": "只根据笔录回答", "rules": ["引用页码"]},
}
FACTS: list[dict[str, Any]] = [
    {
        "id": "fact_001",
        "type": "fact_exact",
        "question": "陈大年一共给了罗小舟多少钱？",
        "expected": {"amount_total": 38000},
        "required_evidence": [
            {"page": 2, "must_include": "38000元", "section": "qa_pair", "speaker": "answer",
             "is_critical": True}
        ],
        "scoring": {"numeric_exact": True, "citation_required": True, "weight": 2},
        "metadata": {"difficulty": "easy", "category": "monetary", "tags": ["金额"], "notes": "一"},
    },
    {
        "id": "fact_002",
        "question": "两次各给了多少钱？",
        "expected": {
            "amount_total": 38000,
            "amount_breakdown": [
                {"amount": 20000, "description": "第一次"},
                {"amount": 18000, "description": "第二次"},
            ],
        },
        "scoring": {"numeric_exact": True, "citation_required": False, "partial_credit": True},
        "metadata": {"difficulty": "medium", "category": "monetary"},
    },
]  # fmt: skip
EVIDENCE: list[dict[str, Any]] = [
    {
        "id": "evidence_001",
        "type": "evidence_set",
        "question": "有哪些证据表明罗小舟收了钱又答应退款？",
        "expected": {"evidence_count_min": 2, "key_points": ["赵敏和钱立都自称介绍人"]},
        "required_evidence": [
            {"page": 3, "must_include": "我答应办不成就全部退给他", "speaker": "answer"},
            {"page": 2, "must_include": "一共给了我38000元", "speaker": "answer"},
        ],
        "scoring": {
            "evidence_recall_min": 0.3,
            "evidence_precision_min": 0.7,
            "citation_required": True,
        },
        "metadata": {"difficulty": "medium", "category": "factual"},
    }
]
GAPS: list[dict[str, Any]] = [
    {
        "id": "conflict_gap_001",
        "question": "罗小舟具体请了谁吃饭？",
        "should_abstain": True,
        "hallucination_penalty": "high",
        "required_quote": "具体请了谁都忘记了",
        "additional_quotes": ["请人吃饭用掉了"],
        "evidence_location": {"page": 4, "lines": "6"},
        "expected_behavior": "必须拒绝给出姓名",
        "scoring": {
            "abstention_required": True,
            "hallucination_check": "must_not_invent_details",
            "quote_required": True,
        },
    },
    {
        "id": "conflict_gap_002",
        "question": "是谁介绍罗小舟和陈大年认识的？",
        "expected": {"should_abstain": False, "conflict_detected": True},
        "additional_evidence": [{"page": 5, "must_include": "我也说不清"}],
        "scoring": {
            "hallucination_check": "none",
            "hallucination_penalty": 0.5,
            "quote_required": False,
        },
    },
    {
        "id": "conflict_gap_003",
        "question": "吃饭一共花了多少钱？",
        "expected": {"should_abstain": True},
        "additional_quotes": ["请人吃饭用掉了", "具体请了谁都忘记了"],
        "scoring": {"hallucination_check": "none", "quote_required": True},
    },
]
CRITERIA: dict[str, dict[str, Any]] = {
    "fact_exact": {"passing_threshold": 0.8, "exact_match": "数字完全一致"},
    "evidence_set": {"passing_score": {"evidence_set": 0.6, "description": "召回"}},
    "conflict_gap": {"description": "不得编造"},
}
FILES = {"fact_exact": FACTS, "evidence_set": EVIDENCE, "conflict_gap": GAPS}

REPLIES: dict[str, dict[str, Any]] = {
    "陈大年一共给了罗小舟多少钱？": {
        "answer": "一共38000元。",
        "amount": 38000,
        "date": None,
        "citation": "第2页：一共给了我38000元",
        "evidence": [],
        "abstained": False,
    },
    "两次各给了多少钱？": {"answer": "20000元和15000元。", "amount": 38000.0, "citation": None},
    "有哪些证据表明罗小舟收了钱又答应退款？": {
        "answer": "见笔录。",
        "citation": "第3页",
        "evidence": [
            {"page": 3, "text": "2030年5月6日我答应办不成就全部退给他。"},
            {"page": 2, "text": "一共给了我50000元"},
        ],
    },
    "罗小舟具体请了谁吃饭？": {
        "answer": "无法确定，笔录里说“具体请了谁都忘记了”。",
        "abstained": True,
    },
    "是谁介绍罗小舟和陈大年认识的？": {
        "answer": "赵敏说是她介绍的，钱立说是他介绍的，两人说法不一致。"
    },
    "吃饭一共花了多少钱？": {
        "answer": "花了9000元。",
        "evidence": [{"page": 4, "text": "请人吃饭用掉了"}],
        "abstained": False,
    },
}
"""The replies of the owner's system, by the text of the question."""

SCORES = {
    "fact_001": 0.7 + 0.3,
    "fact_002": 0.7 * 1 / 2 + 0.3,  # the total is right, the breakdown is not
    "evidence_001": 0.5 + 0 + 0.2,  # recall 1/3 of at least 0.3, precision 1/2 of at least 0.7
    "conflict_gap_001": 0.4 + 0.4 + 0.2,
    "conflict_gap_002": (0.4 + 0.2) / 0.6,
    "conflict_gap_003": (0 + 0.2) / 0.6,  # answers, and quotes one of the additional quotes
}
BY_TYPE = {
    "fact_exact": 100 * (2 * 1.0 + 1 * 0.65) / 3,
    "evidence_set": 100 * 0.7,
    "conflict_gap": 100 * (1.0 + 1.0 + 1 / 3) / 3,
}
OVERALL = (
    0.5 * BY_TYPE["fact_exact"] + 0.3 * BY_TYPE["evidence_set"] + 0.2 * BY_TYPE["conflict_gap"]
)
PASSED = {"fact_001", "evidence_001", "conflict_gap_001", "conflict_gap_002"}

SYSTEM = '''\
"""The owner's RAG system."""

VERSION = "1"
REPLIES = {replies!r}


class LegalRag:
    def query(self, question):
        return REPLIES[question]
'''


def write_owner(folder: Path, *, record: bool = True, **replies: Any) -> Path:
    """Write the repository and return its benchmark folder; ``replies`` replaces some replies."""
    questions = folder / "benchmark" / "questions"
    questions.mkdir(parents=True)
    if record:
        documents = folder / "benchmark" / "documents"
        documents.mkdir()
        (documents / "询问笔录.md").write_text(RECORD, encoding="utf-8")
    for kind, content in FILES.items():
        raw = {"benchmark_type": kind, **ROOT, "questions": content}
        raw["evaluation_criteria"] = CRITERIA[kind]
        text = json.dumps(raw, ensure_ascii=False, indent=2)
        (questions / f"{kind}.json").write_text(text, encoding="utf-8")
    (folder / "benchmark" / "schema.json").write_text(
        '{"$schema": "https://json-schema.org/draft-07/schema#"}', encoding="utf-8"
    )
    source = SYSTEM.format(replies={**REPLIES, **replies})
    (folder / "legal_rag.py").write_text(source, encoding="utf-8")
    return folder / "benchmark"
