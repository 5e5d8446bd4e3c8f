"""A lease of five clauses, a law, and a reviewer that is honest or lies, for the review's tests.

The honest reviewer is right, except that it states no level for the last clause. The lying
reviewer changes a number, cites a law, an article and a text that do not exist, calls a high
risk medium, and changes the words of one quotation.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.systems.protocol import Setting

LIAR = "python:tests.jobs.contract.liar:ask"
SETTINGS = {"honest": Setting(kind=bool, default=True, description="say what is so")}
VERSION = 1
asked: list[str] = []

PENALTY = "The Tenant pays a penalty of 5% of the rent for each day of delay."
END = "The Landlord may end the lease at any time."
RENEWAL = "The lease renews automatically for a year."
KEYS = "The Tenant returns the keys on the last day."
GARDEN = "The garden is kept by the Landlord."
LAW = "A court may reduce a penalty that exceeds the loss."

CLAUSES: list[dict[str, Any]] = [
    {
        "id": "penalty",
        "text": f"{PENALTY} The rent is due on the first day of the month.",
        "ground_truth": {"risk_level": "high", "rules": ["R1"], "risk_id": "R1"},
    },
    {
        "id": "end",
        "text": END,
        "ground_truth": {"risk_level": "high", "rules": ["R2"], "risk_id": "R2"},
    },
    {"id": "renewal", "text": RENEWAL, "expected_risks": [{"risk_id": "R3", "risk_level": "中"}]},
    {"id": "keys", "text": KEYS, "expected_risks": []},
    {"id": "garden", "text": GARDEN, "ground_truth": {"risk_level": "низкий"}},
]
LAWS = [{"name": "Harbour Act", "article": 22, "text": LAW}]

CONFIG = f"""\
defaults:
  system: {LIAR}
experiments:
  - name: lease
    description: Does honesty help?
    ablation_variable: honest
    values: [true, false]
"""


def reply(level: str, rule: str, quoted: str, law: str = "") -> dict[str, Any]:
    """A reply of the reviewer with one risk."""
    lines = [f"## Risk: {rule}", f"- **Level**: {level}", f"- **Evidence**: “{quoted}”"]
    lines += [f"- **Laws**: {law}"] if law else []
    return {
        "answer": "\n".join([*lines, "- **Suggestion**: Strike it."]),
        "extra": {"rules": [rule]},
    }


HONEST = {
    PENALTY: reply("high", "R1", PENALTY, f"Harbour Act, section 22: “{LAW}”"),
    END: reply("high", "R2", END, "Harbour Act, section 22"),
    RENEWAL: reply("medium", "R3", RENEWAL),
    KEYS: {"answer": json.dumps({"risk_level": "low", "suggestion": "Keep it."}), "extra": {}},
    GARDEN: {"answer": "Nothing about this clause worries me.", "extra": {"rules": []}},
}
LYING = {
    PENALTY: reply("high", "R1", PENALTY.replace("5%", "9%"), "Moon Act, section 1"),
    END: reply("medium", "R9", "The Landlord may end the lease at any moment"),
    RENEWAL: reply("medium", "R3", RENEWAL, "Harbour Act, section 23"),
    KEYS: reply("low", "R3", KEYS, "Harbour Act, section 22: “Cheese is free on Mondays.”"),
    GARDEN: {"answer": "Low risk clauses like this one are common.", "extra": {"rules": []}},
}


async def ask(question: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The reply to a clause, chosen by the sentence that the clause contains."""
    asked.append(question)
    replies = HONEST if settings.get("honest", True) else LYING
    return next(review for sentence, review in replies.items() if sentence in question)


def write_lease(root: Path, *, clauses: list[dict[str, Any]] | None = None) -> list[str]:
    """Write clauses, laws and variants to ``root``; returns the command that reviews them."""
    lines = (json.dumps(clause, ensure_ascii=False) + "\n" for clause in clauses or CLAUSES)
    (root / "clauses.jsonl").write_text("".join(lines), encoding="utf-8")
    (root / "laws.jsonl").write_text("".join(json.dumps(law) + "\n" for law in LAWS))
    (root / "review.yaml").write_text(CONFIG)
    return [
        "review",
        "--root", str(root),
        "--data", str(root / "clauses.jsonl"),
        "--laws", str(root / "laws.jsonl"),
        "--config", str(root / "review.yaml"),
    ]  # fmt: skip
