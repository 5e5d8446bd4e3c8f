"""The system of the recorded runs: it notes what it answers, and is partly away while `down` exists."""

from pathlib import Path
from typing import Any

AWAY = ("witnessed", "lamp 50", "lamp 70")
TENANT = "The Tenant pays a penalty of 5% of the rent for each day of delay."


def reply(text: str, **more: Any) -> dict[str, Any]:
    """An answer, of which a line is kept."""
    with Path("asked.txt").open("a") as asked:
        asked.write("one\n")
    return {"answer": text, **more}


def ask(question: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Answer a question of any of the five jobs."""
    if Path("down").exists() and any(part in question for part in AWAY):
        raise ConnectionError("the clerk is away")
    if question.startswith("What does berth"):
        number = question.split()[3] if settings.get("lookup", True) else "0"
        return reply("57 crowns a night [1].", passages=[{"id": f"fee-{number}", "text": "57"}])
    if "price" in question:
        quoted = {"page": 1, "text": "The price was £4,200 in all."}
        return reply("£4,200 (page 1)", citations=[quoted])
    if "penalty" in question:
        return reply(f"## Risk: R1\n- **Level**: high\n- **Evidence**: “{TENANT}”")
    if "oil of lamp" in question:
        return reply('{"answer": ["b"]}')
    return reply("The record does not say.")


ask.SETTINGS = {"lookup": bool}
