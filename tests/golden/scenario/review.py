"""Reviews of contracts: hand-made clauses with a scripted reviewer, and the sample."""

from tests.golden.file import json_lines, json_text
from tests.golden.step import Edit, Keep, Retime, Run, Scenario, Write

CLAUSES = [
    {"id": "penalty", "source": "lease",
     "text": "The Tenant pays a penalty of 5% of the rent for each day of delay.",
     "ground_truth": {"risk_level": "high", "rules": ["R1"], "risk_id": "R1",
                      "laws": ["Harbour Act, section 22"], "reason_keywords": ["5%"]}},
    {"id": "end", "source": "lease", "text": "The Landlord may end the lease at any time.",
     "ground_truth": {"risk_level": "высокий", "rules": ["R2"], "risk_id": "R2"}},
    {"id": "renewal", "source": "lease", "contract_text": "合同到期后自动续期一年。",
     "expected_risks": [{"risk_id": "R3", "risk_level": "中", "laws": []}]},
    {"id": "keys", "source": "deed", "contract_text": "Ключи возвращаются в последний день.",
     "expected_risks": []},
    {"id": "garden", "source": "deed", "text": "The garden is kept by the Landlord.",
     "ground_truth": {"risk_level": "低"}},
    {"id": "noise", "source": "deed", "text": "Quiet is kept after ten in the evening.",
     "ground_truth": {"risk_level": "low"}},
]  # fmt: skip
LAW = "A court may reduce a penalty that exceeds the loss."
LAWS = [
    {"name": "Harbour Act", "article": 22, "text": LAW, "aliases": ["HA"]},
    {"name": "民法典", "article": "三十五", "text": "续期应当书面同意。"},
]
RULES = """\
rules:
  - risk_id: R1
    name: {en: Excessive penalty, ru: Чрезмерная неустойка, zh: 违约金过高}
    level: high
    keywords: {en: [penalty], ru: [неустойка], zh: [违约金]}
    laws: {en: ["Harbour Act, section 22"], ru: [], zh: []}
    suggestion: {en: Cap it., ru: Ограничить., zh: 设定上限。}
  - risk_id: R3
    name: {en: Silent renewal, ru: Автопродление, zh: 自动续期}
    level: medium
    keywords: {en: [renews automatically], ru: [автоматически продлевается], zh: [自动续期]}
    suggestion: {en: Ask for notice., ru: Требовать уведомления., zh: 约定提前通知。}
"""
REVIEWER = '''\
"""A reviewer who is honest or not."""

import json

VERSION = "1"
SETTINGS = {"honest": bool}
LAW = "A court may reduce a penalty that exceeds the loss."


def _reply(level, rule, quoted, law=None):
    lines = [f"## Risk: {rule}", f"- **Level**: {level}", f"- **Evidence**: “{quoted}”"]
    lines += [f"- **Laws**: {law}"] if law else []
    text = "\\n".join([*lines, "- **Suggestion**: Strike it."])
    return {"answer": text, "extra": {"rules": [rule]}}


async def ask(question, settings):
    honest = settings.get("honest", True)
    if "penalty" in question:
        if honest:
            quoted = "The Tenant pays a penalty of 5% of the rent for each day of delay."
            return _reply("high", "R1", quoted, f"Harbour Act, section 22: “{LAW}”")
        return _reply("high", "R1", "The Tenant pays a penalty of 9% of the rent", "Moon Act, section 1")
    if "end the lease" in question:
        if honest:
            return _reply("high", "R2", "The Landlord may end the lease at any time.")
        return _reply("medium", "R9", "The Landlord may end it at any moment", "Harbour Act, section 23")
    if "续期" in question:
        law = "《民法典》第三十五条" if honest else "《民法典》第三十六条"
        return {
            "answer": f"## 风险：自动续期\\n- **等级**：中\\n- **证据**：“自动续期一年”\\n- **法条**：{law}\\n- **建议**：约定通知。",
            "extra": {"rules": ["R3"]},
        }
    if "Ключи" in question:
        return {"answer": json.dumps({"risk_level": "low", "suggestion": "Оставить."}), "extra": {}}
    if "garden" in question:
        return "Nothing about this clause worries me."
    if not honest:
        raise RuntimeError("the reviewer has gone home")
    return _reply("低", "R7", "Quiet is kept after ten")
'''
CONFIG = """\
defaults:
  system: "python:reviewer:ask"
  run: {concurrency: 1, retries: 0}
experiments:
  - name: honesty
    description: Does honesty help?
    ablation_variable: honest
    values: [true, false]
"""
ASK = "review --data clauses.json --config review.yaml --laws laws.jsonl"
ROWS = "experiments/honesty.jsonl"

CLAUSE_RUNS = Scenario(
    "review_clauses",
    (
        Write("clauses.json", json_text(CLAUSES)),
        Write("laws.jsonl", json_lines(LAWS)),
        Write("rules.yaml", RULES),
        Write("reviewer.py", REVIEWER),
        Write("review.yaml", CONFIG),
        Run(f"{ASK} --dry-run"),
        Run(f"{ASK} --no-report --limit 2"),
        Run(f"{ASK} --no-report", exit=1),
        Keep(ROWS, "rows.jsonl"),
        Keep("experiments/honesty.json", "summary.json"),
        Retime(ROWS),
        Run("report honesty --charts svg"),
        Keep("experiments/honesty/charts/confusion-honest_on.svg", "confusion.svg"),
        Run("report honesty --format markdown --lang zh", save="page.zh.md"),
        Run(f"{ASK} --no-report --threshold 0.9", exit=1),
        Keep("experiments/honesty.json", "threshold.json"),
        Write("costs.yaml", "high: {high: 1.0, medium: 0.2, low: 0.0}\n"
              "medium: {high: 0.5, medium: 1.0, low: 0.2}\nlow: {high: 0.1, medium: 0.6, low: 1.0}\n"),
        Run(f"{ASK} --no-report --costs costs.yaml", exit=1),
        Keep("experiments/honesty.json", "costs.json"),
        Run("score honesty --json", save="score.json", leaves=(ROWS,)),
        Edit("clauses.json", lambda text: text.replace("at any time.", "whenever it likes.")),
        Run(f"{ASK} --no-report", exit=2, leaves=(ROWS,)),
        Run("review --data clauses.json --rules rules.yaml --laws laws.jsonl --no-report "
            "--system reviewer --concurrency 1 --limit 3"),
        Keep("experiments/review.jsonl", "reference.jsonl"),
    ),
)  # fmt: skip
SAMPLE = Scenario(
    "review_sample",
    (
        Run("review --sample --verifier magic", exit=2),
        Run("review --sample --limit 8 --no-report --concurrency 1"),
        Retime("experiments/review_sample.jsonl"),
        Run("score review_sample --in-place"),
        Keep("experiments/review_sample.json", "summary.json", timed=True),
        Run("compare --base experiments/review_sample.json --cand experiments/review_sample.json "
            "--base-variant full --variant raw_prompt --format markdown", exit=1,
            save="compare.md"),
        Run("review --sample --limit 3 --no-report --out small --concurrency 1"),
        Keep("small/review_sample.jsonl", "rows.jsonl"),
    ),
)  # fmt: skip
SCENARIOS = (CLAUSE_RUNS, SAMPLE)
