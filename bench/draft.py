"""Drafts without a model on the XQuAD passages: how many, how unique, how fast.

The data set is not part of the project: put the ``xquad.LANG.json`` files into a folder and set
``XQUAD`` to its path. With ``DRAFT_SAMPLE`` set to a folder, a sample of each language is written
there for a reader who rates it: whether each question can be answered from its evidence, and whether
it is unique. ``DRAFT_OTHER_THAN`` names the folder of an earlier sample, whose passages are left out, so
that a second sample is about others. The figures are in docs/evidence/questions.md.
"""

import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from measure import Measure, compared

from assay.data.corpus.chunk import Chunk
from assay.questions.draft.draft import Draft, Wanted
from assay.questions.draft.template import draft_by_template
from assay.text.normalise import normalised

COUNT = 25
"""Prose gives few drafts: about one for ten passages."""
TARGET_SECONDS = 10.0
"""For a thousand passages."""


def measures() -> Iterator[Measure]:
    """Measure what is missing, repeated or slow; lower is better."""
    folder = os.environ.get("XQUAD")
    if not folder:
        print("  XQUAD does not name a folder; nothing is measured")
        return
    for language in ("en", "ru", "zh"):
        chunks = load(Path(folder) / f"xquad.{language}.json")
        if earlier := os.environ.get("DRAFT_OTHER_THAN"):
            chunks = others(chunks, Path(earlier) / f"{language}.jsonl")
        began = time.process_time()
        drafts = draft_by_template(chunks, Wanted(count=COUNT)).selection.drafts
        seconds = (time.process_time() - began) / len(chunks) * 1000
        yield _share(f"{language} missing of {COUNT}", 1 - len(drafts) / COUNT, 0.0)
        yield _share(f"{language} answer not in evidence", _unlocated(drafts), 0.10)
        yield _share(f"{language} repeated", _repeated(drafts), 0.05)
        yield compared(
            f"{language} 1,000 passages",
            [seconds],
            "target",
            [TARGET_SECONDS],
            unit="s",
            target=TARGET_SECONDS,
            bounded="value",
        )
        if sample := os.environ.get("DRAFT_SAMPLE"):
            write_sample(Path(sample) / f"{language}.jsonl", drafts, chunks)


def _share(name: str, value: float, target: float) -> Measure:
    return compared(name, [value], "all", [1.0], unit="", target=target, bounded="value")


def _unlocated(drafts: Sequence[Draft]) -> float:
    """The share of drafts for one part of a sentence whose answer the evidence does not have."""
    single = [draft for draft in drafts if draft.kind in {"fact", "number", "date"}]
    lost = [draft for draft in single if draft.answers[0] not in draft.evidence[0].text]
    return len(lost) / max(1, len(single))


def _repeated(drafts: Sequence[Draft]) -> float:
    distinct = {normalised(draft.question, fold_case=True) for draft in drafts}
    return 1 - len(distinct) / max(1, len(drafts))


def others(chunks: Sequence[Chunk], sample: Path) -> list[Chunk]:
    """The passages that an earlier sample is not about."""
    lines = sample.read_text(encoding="utf-8").splitlines()
    seen = "\n".join(json.loads(line)["passage"] for line in lines)
    return [chunk for chunk in chunks if chunk.text not in seen]


def load(path: Path) -> list[Chunk]:
    """The passages as chunks; an article is a document."""
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    chunks = []
    for article in articles:
        start = 0
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            end = start + len(text)
            place = f"{article['title']}-{start}"
            chunks.append(Chunk(id=place, text=text, source=article["title"], start=start, end=end))
            start = end + 2
    return chunks


def write_sample(path: Path, drafts: Sequence[Draft], chunks: Sequence[Chunk]) -> None:
    """Write what a reader needs to rate the drafts, one JSON object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps(_rated(number, draft, chunks), ensure_ascii=False)
        for number, draft in enumerate(drafts, 1)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _rated(number: int, draft: Draft, chunks: Sequence[Chunk]) -> dict[str, Any]:
    passages = [
        chunk.text
        for chunk in chunks
        if any(item.source == chunk.source and item.text in chunk.text for item in draft.evidence)
    ]
    return {
        "number": number,
        "kind": draft.kind,
        "question": draft.question,
        "answer": list(draft.answers) if draft.kind != "unanswerable" else None,
        "evidence": [item.text for item in draft.evidence],
        "passage": "\n\n".join(passages),
    }
