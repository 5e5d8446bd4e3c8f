"""A workspace with documents, chunks and a file of drafted questions."""

import json
from pathlib import Path
from typing import Any

from assay.data.corpus.chunk import Chunk

TEXTS = {
    "lease.md": (
        "The tenant pays 900 crowns on the first day of each month.",
        "The deposit of 1,800 crowns is returned thirty days after the keys.",
    ),
    "аренда.md": ("Договор подписан 4 мая 2021 года в Верхнелуцке.",),
    "租约.md": ("违约金为四万二千元，由承租人支付。",),
}


def draft_rows() -> list[dict[str, Any]]:
    """Four drafts in three languages; the third one has a wrong answer."""
    return [
        _row("d1", "How much does the tenant pay every month?", "900 crowns", "lease.md", 0),
        _row("d2", "When does the tenant get the deposit back?", "thirty days", "lease.md", 1),
        _row("d3", "Когда подписали договор?", "5 мая 2021 года", "аренда.md", 0),
        _row("d4", "违约金是多少？", "42000元", "租约.md", 0),
    ]


def _row(name: str, question: str, answer: str, source: str, number: int) -> dict[str, Any]:
    text = TEXTS[source][number]
    start = sum(len(each) + 1 for each in TEXTS[source][:number])
    place = {"start": start, "end": start + len(text)}
    return {
        "id": name,
        "question": question,
        "answer": answer,
        "source": source,
        "gold": [{"source": source, "text": text, **place}],
        "draft": {"by": "template", "kind": "fact", "document": source, **place},
    }


def write_drafts(root: Path, name: str = "law") -> Path:
    """Write ``chunks`` and ``questions/NAME.draft.jsonl``; returns the file of drafts."""
    (root / "chunks").mkdir(parents=True)
    (root / "questions").mkdir()
    with (root / "chunks" / "corpus.jsonl").open("w", encoding="utf-8") as file:
        for source, texts in TEXTS.items():
            start = 0
            ids = [f"{source}-{number}" for number in range(len(texts))]
            for number, text in enumerate(texts):
                chunk = Chunk(
                    id=ids[number],
                    text=text,
                    source=source,
                    start=start,
                    end=start + len(text),
                    prev=ids[number - 1] if number else None,
                    next=ids[number + 1] if number + 1 < len(texts) else None,
                )
                row = {field: getattr(chunk, field) for field in chunk.__struct_fields__}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                start += len(text) + 1
    path = root / "questions" / f"{name}.draft.jsonl"
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in draft_rows())
    path.write_text("".join(lines), encoding="utf-8")
    return path
