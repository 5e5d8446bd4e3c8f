"""Three systems for a benchmark, and the scores that the formulas give them, computed by hand.

The first gives the expected answers, the second always abstains, the third invents. The scores
are computed from the benchmark files without any scorer.
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
    """The reply of a script to each question, by the text of the question."""
    return {question["question"]: script(question) for question in raw_questions(folder)}


def gold(question: Mapping[str, Any]) -> Reply:
    """Give the expected answer of the file and cite the evidence that it requires."""
    language = question["language"]
    citations = [
        {"page": item["page"], "text": item["must_include"]}
        for item in question.get("required_evidence", ())
    ]
    match question["type"]:
        case "fact_exact":
            text = ". ".join(
                _field_text(name, value, language) for name, value in question["expected"].items()
            )
        case "evidence_set":
            text = " ".join(question["expected"]["key_points"])
        case _:
            text = NOT_SAID[language] if question["should_abstain"] else question["required_quote"]
            page = question["evidence_location"]["page"]
            citations = [{"page": page, "text": question["required_quote"]}]
    return {"answer": text, "citations": citations}


def abstaining(question: Mapping[str, Any]) -> str:
    """Always say that the document does not mention it."""
    return NOT_SAID[question["language"]]


def inventing(question: Mapping[str, Any]) -> str:
    """Name a person, an amount and a day that no document contains."""
    return INVENTED[question["language"]]


def gold_score(question: Mapping[str, Any]) -> float:
    """The score if every term of the formula is met."""
    return {"fact_exact": 0.7 + 0.3, "evidence_set": 0.5 + 0.3 + 0.2}.get(
        question["type"], 0.4 + 0.4 + 0.2
    )


def abstaining_score(question: Mapping[str, Any]) -> float:
    """The score of an abstention without citations.

    Only terms that need no citation are met, and abstention itself if it is the right answer.
    """
    match question["type"]:
        case "fact_exact":
            return 0.0 if _is_required("citation_required", question) else 0.3
        case "evidence_set":
            return 0.0 if _is_required("citation_required", question) else 0.2
        case _:
            quote = 0.0 if _is_required("quote_required", question) else 0.2
            return 0.4 * question["should_abstain"] + 0.4 + quote


def inventing_score(question: Mapping[str, Any]) -> float:
    """The score of an invented answer.

    It differs from an abstention only for gaps: the answer does not abstain, and it invents.
    """
    if question["type"] != "conflict_gap":
        return abstaining_score(question)
    quote = 0.0 if _is_required("quote_required", question) else 0.2
    return 0.4 * (not question["should_abstain"]) + quote


def percentage(folder: Path, score: Callable[[Mapping[str, Any]], float]) -> float:
    """100 times the mean of the scores computed by hand."""
    scores = [score(question) for question in raw_questions(folder)]
    return 100 * sum(scores) / len(scores)


def _is_required(term: str, question: Mapping[str, Any]) -> bool:
    return bool(question.get("scoring", {}).get(term, True))


def _field_text(name: str, value: Any, language: str) -> str:
    if name == "boolean_answer":
        return YES_NO[language][0 if value else 1]
    if name == "date_range":
        return FROM_TO[language].format(value["start"], value["end"])
    if name == "amount_breakdown":
        return ", ".join(map(str, value))
    return str(value)
