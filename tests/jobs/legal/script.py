"""Three systems for a benchmark, and what the formulas give each of them, worked out by hand.

One answers everything from the gold, one always abstains, one invents. The totals are made
from the files alone: none of the scorers has a part in them.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Reply = dict[str, Any]

NOT_SAID = {
    "en": "The document does not say.",
    "ru": "В документе об этом не сказано.",
    "zh": "文档中没有提到。",
}
INVENTED = {
    "en": "Quentin Vossberg paid £918,273 on 4 May 1997.",
    "ru": "Аристарх Вельяминов заплатил 918 273 рубля 4 мая 1997 года.",
    "zh": "欧阳振国于1997年5月4日支付了918273元。",
}
YES_NO = {"en": ("Yes", "No"), "ru": ("Да", "Нет"), "zh": ("是", "否")}
FROM_TO = {"en": "from {} to {}", "ru": "с {} по {}", "zh": "{}至{}"}


def raw_questions(folder: Path) -> list[dict[str, Any]]:
    """Every question of the benchmark files, as plain JSON, with ``type`` and ``language``."""
    return [
        {"type": content["benchmark_type"], "language": path.parent.name, **question}
        for path in sorted(folder.rglob("*.json"))
        for content in [json.loads(path.read_text(encoding="utf-8"))]
        if "benchmark_type" in content
        for question in content["questions"]
    ]


def replies(folder: Path, script: Callable[[Mapping[str, Any]], Any]) -> dict[str, Any]:
    """What a script says to each question, by the question's text."""
    return {one["question"]: script(one) for one in raw_questions(folder)}


def gold(question: Mapping[str, Any]) -> Reply:
    """Answer with what the file says is right, and cite what it says is the evidence."""
    tongue = question["language"]
    cited = [
        {"page": one["page"], "text": one["must_include"]}
        for one in question.get("required_evidence", ())
    ]
    match question["type"]:
        case "fact_exact":
            text = ". ".join(_said(name, it, tongue) for name, it in question["expected"].items())
        case "evidence_set":
            text = " ".join(question["expected"]["key_points"])
        case _:
            text = NOT_SAID[tongue] if question["should_abstain"] else question["required_quote"]
            page = question["evidence_location"]["page"]
            cited = [{"page": page, "text": question["required_quote"]}]
    return {"answer": text, "citations": cited}


def abstaining(question: Mapping[str, Any]) -> str:
    """Say every time that it is not said."""
    return NOT_SAID[question["language"]]


def inventing(question: Mapping[str, Any]) -> str:
    """Name somebody, an amount and a day that are in no document."""
    return INVENTED[question["language"]]


def gold_score(question: Mapping[str, Any]) -> float:
    """Every term is met."""
    return {"fact_exact": 0.7 + 0.3, "evidence_set": 0.5 + 0.3 + 0.2}.get(
        question["type"], 0.4 + 0.4 + 0.2
    )


def abstaining_score(question: Mapping[str, Any]) -> float:
    """Nothing found, nothing cited: only what needs no citation, and silence where it is due."""
    match question["type"]:
        case "fact_exact":
            return 0.0 if _asks("citation_required", question) else 0.3
        case "evidence_set":
            return 0.0 if _asks("citation_required", question) else 0.2
        case _:
            quoted = 0.0 if _asks("quote_required", question) else 0.2
            return 0.4 * question["should_abstain"] + 0.4 + quoted


def inventing_score(question: Mapping[str, Any]) -> float:
    """As silence, but where silence is due it is broken, and what breaks it is invented."""
    if question["type"] != "conflict_gap":
        return abstaining_score(question)
    quoted = 0.0 if _asks("quote_required", question) else 0.2
    return 0.4 * (not question["should_abstain"]) + quoted


def percentage(folder: Path, score: Callable[[Mapping[str, Any]], float]) -> float:
    """The mean of the scores by hand, times a hundred."""
    scores = [score(one) for one in raw_questions(folder)]
    return 100 * sum(scores) / len(scores)


def _asks(term: str, question: Mapping[str, Any]) -> bool:
    return bool(question.get("scoring", {}).get(term, True))


def _said(name: str, value: Any, tongue: str) -> str:
    if name == "boolean_answer":
        return YES_NO[tongue][0 if value else 1]
    if name == "date_range":
        return FROM_TO[tongue].format(value["start"], value["end"])
    if name == "amount_breakdown":
        return ", ".join(map(str, value))
    return str(value)
