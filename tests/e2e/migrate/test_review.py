"""The contract-risk reviewer: its repository as its owner has it, and its commands."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

TEXTS = {
    1: "争议由甲方所在地人民法院管辖。乙方不得提出异议。",
    2: "乙方不得要求支付加班费。",
    3: "押金在任何情况下概不退还。",
    4: "甲方可以调整乙方的工作岗位。",
    5: "双方应当友好协商。",
    6: "合同一式两份，双方各执一份。",
}
RISKS = {1: ("R001", "high"), 2: ("R002", "high"), 3: ("R003", "medium"), 4: ("R004", "medium")}

REVIEWER = '''
from assay.systems.protocol import Setting

SETTINGS = {"rules": Setting(kind=bool, default=True, description="use the rules")}
REPLIES = {
    "甲方所在地": """## 风险：管辖不利
- **等级**：高
- **编号**：R001
- **证据**：“争议由甲方所在地人民法院管辖。”
- **法条**：《劳动法》第三条
- **建议**：约定原告所在地法院。""",
    "加班费": """## 风险：加班
- **等级**：中
- **编号**：R009
- **证据**：“乙方不得要求支付加班费。”
- **法条**：《中华人民共和国劳动法》第九百条
- **建议**：删除。""",
    "押金": """## 风险：押金
- **等级**：中
- **编号**：R003
- **证据**：“押金在三年之后加倍归还给保证人并支付利息。”
- **建议**：写明退还条件。""",
    "工作岗位": "这个条款看起来不太好，建议再看看。",
    "友好协商": """## 风险：无
- **等级**：低
- **建议**：无""",
    "一式两份": """## 风险：份数
- **等级**：高
- **编号**：R001
- **建议**：写明份数。""",
}


def ask(question, settings):
    found = next(reply for word, reply in REPLIES.items() if word in question)
    return found if settings["rules"] else "没有意见。"
'''
CONFIG = """
experiments:
  - name: modes
    system: python:reviewer:ask
    variants:
      - {name: mode_1, rules: true}
      - {name: mode_2, rules: false}
"""


def write_repository(folder: Path) -> None:
    """The owner's files: a data set, rules and laws in the shapes of the first tool."""
    (folder / "data").mkdir()
    rows = [
        {
            "id": number,
            "contract_text": text,
            "expected_risks": [
                {
                    "risk_id": RISKS[number][0],
                    "risk_name": "风险",
                    "risk_type": "条款",
                    "contract_type": "劳动合同",
                    "risk_level": RISKS[number][1],
                    "laws": "《民事诉讼法》第三十五条",
                }
            ]
            if number in RISKS
            else [],
            "case_type": "positive" if number in RISKS else "negative",
            "source_domain": "labour",
        }
        for number, text in TEXTS.items()
    ]
    write_json(folder / "data/dataset.json", rows)
    rules = [
        {
            "risk_id": f"R00{number}",
            "contract_type": "劳动合同",
            "risk_name": f"风险{number}",
            "keywords": keywords,
            "risk_type": "条款",
            "analysis_logic": "看关键词",
            "law_tag": "劳动",
            "laws": "《劳动法》第三条",
        }
        for number, keywords in {1: ["甲方所在地"], 2: [], 3: ["概不退还"]}.items()
    ]
    write_json(folder / "data/rules.json", rules)
    with closing(sqlite3.connect(folder / "data/laws.db")) as database:
        database.execute("CREATE TABLE law_articles (id, law_name, article_id, content)")
        database.execute(
            "INSERT INTO law_articles VALUES (1, '中华人民共和国劳动法', '第三条', '劳动者享有平等就业的权利。')"
        )
        database.commit()


def write_json(path: Path, content: Any) -> None:
    """Write JSON as Chinese tools do."""
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8")


def test_the_owners_files_give_the_table_computed_by_hand(assay: Any):
    """Replies written for the test have the metrics that the seed's formulas give by hand."""
    write_repository(assay.folder)
    (assay.folder / "reviewer.py").write_text(REVIEWER, encoding="utf-8")
    (assay.folder / "review.yaml").write_text(CONFIG, encoding="utf-8")
    ran = assay.run(
        "review", "--data", "data/dataset.json", "--laws", "data/laws.db",
        "--config", "review.yaml", "--concurrency", "1",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    summary = json.loads((assay.folder / "experiments/modes.json").read_text(encoding="utf-8"))
    figures = summary["results"]["variants"]["mode_1"]
    # rows high, medium, low; columns high, medium, low, unparsed
    assert figures["conf_matrix"] == [[1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    expected = {
        "accuracy": 3 / 6,
        "weighted_accuracy": (1 + 0.4 + 1 + 0 + 1 + 0.5) / 6,
        "linear_weighted_kappa": 1 - 3 / (23 / 5),  # over the five replies with a level
        "high_risk_f2": 5 / (5 + 4 + 1),
        "macro_precision": (1 / 2 + 1 / 2 + 1) / 3,
        "macro_recall": (1 / 2 + 1 / 2 + 1 / 2) / 3,
        "macro_f1": (1 / 2 + 1 / 2 + 2 / 3) / 3,
        "clause_hallucination_rate": 1 / 3,
        "law_hallucination_rate": 1 / 2,
        "hallucination_rate": 2 / 5,
        "rule_recall": 2 / 4,
        "rule_precision": 2 / 4,
        "risk_id_accuracy": 2 / 4,
        "task_success_rate": 2 / 6,  # the first clause, and the low one with nothing to suggest
        "parse_rate": 5 / 6,
    }
    assert {name: figures[name] for name in expected} == pytest.approx(expected)
    assert figures["kappa_clauses"] == 5
    page = (assay.folder / "experiments/modes.md").read_text(encoding="utf-8")
    assert "Quotations are checked in two stages: embedding recall by hashed-2" in page
    assert page.index("Macro F1") < page.index("Macro F1, defined levels")


def test_the_owners_rules_get_the_levels_of_the_data_set(assay: Any):
    """The reference reviewer applies rules without a level as the data set grades them."""
    write_repository(assay.folder)
    ran = assay.run(
        "review", "--data", "data/dataset.json", "--rules", "data/rules.json",
        "--laws", "data/laws.db", "--no-report",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    rows = {
        int(row["question_id"]): row["risk_level"]
        for row in assay.rows("experiments/review.jsonl")
        if row["config"] == "full"
    }
    # R001 is high and R003 medium in the data set; R002 has no keywords, R004 is no rule
    assert rows == {1: "high", 2: "low", 3: "medium", 4: "low", 5: "low", 6: "low"}


def owner_results(correct: int) -> dict[str, Any]:
    """Results as the owner's script writes them: ``correct`` of four predictions are right."""
    truths = ["high", "high", "medium", "low"]
    results = [
        {
            "id": number,
            "prediction": truth if number < correct else "medium" if truth != "medium" else "low",
            "ground_truth": truth,
            "correct_risk": number < correct,
            "evidence_valid": number != 0,
        }
        for number, truth in enumerate(truths)
    ]
    return {
        "mode_1": {
            "mode": 1,
            "mode_name": "完整系统",
            "metrics": {"accuracy": correct / 4, "avg_latency": 1.25},
            "results": results,
        }
    }


def test_the_owners_own_results_are_reported_and_compared(assay: Any):
    """`report` shows recorded and computed figures, `compare` pairs clauses and gates them."""
    write_json(assay.folder / "before.json", owner_results(2))
    write_json(assay.folder / "after.json", owner_results(3))
    shown = assay.run("report", "before.json", "--format", "json")
    assert shown.returncode == 0, shown.stderr
    tables = json.loads(shown.stdout)
    text = json.dumps(tables, ensure_ascii=False)
    assert "完整系统" in text
    assert "avg_latency" in text
    better = assay.run("compare", "--base", "before.json", "--cand", "after.json")
    assert better.returncode == 0, better.stdout + better.stderr
    # weighted accuracy: right ones 1; low said for medium 0.4, medium for low 0.8
    assert f"{(2 + 0.4 + 0.8) / 4:.4f} → {(3 + 0.8) / 4:.4f}" in better.stdout
    worse = assay.run("compare", "--base", "after.json", "--cand", "before.json")
    assert worse.returncode == 1
    matrix = [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    write_json(assay.folder / "m.json", {"mode_1": {"metrics": {"conf_matrix": matrix}}})
    metrics_only = assay.run("report", "m.json", "--format", "markdown")
    # accuracy 3/4; weighted (1 + 0.4 + 1 + 1) / 4
    assert "0.750" in metrics_only.stdout
    assert "0.850" in metrics_only.stdout
    gate = assay.run("compare", "--base", "m.json", "--cand", "m.json", "--format", "json")
    assert gate.returncode == 0, gate.stderr
    assert json.loads(gate.stdout)["figures"][0]["candidate"]["value"] == pytest.approx(0.85)
    mixed = assay.run("compare", "--base", "m.json", "--cand", "after.json")
    assert mixed.returncode == 2
