"""What users of ``assay`` write in programs and notebooks, held to ``mypy --strict``."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, assert_type

import assay
from assay.errors import RunStopped, UseError


def ask(question: str) -> dict[str, Any]:
    """A service as most people have one."""
    return {"answer": question, "passages": [{"id": "p1", "text": "…"}]}


async def ask_later(question: str, top_k: int) -> str:
    """An asynchronous one, with what it wants to know."""
    return question * top_k


class Service:
    """An object that is asked by its method."""

    def query(self, question: str) -> str:
        """Answer."""
        return question


def rows() -> Iterator[Mapping[str, Any]]:
    """Questions from a data base."""
    yield {"question": "How long?", "answer": "30 days"}


def measure(frame: Any) -> int:
    """A program that gates a change."""
    base = assay.run(ask, "questions.csv", name="base", limit=5, max_cost=1.0, progress=False)
    assert_type(base, assay.Run)
    both = assay.run({"old": ask, "new": ask_later}, rows(), settings={"k": 3}, runs=2)
    several = assay.run([Service(), "http://localhost:8000/ask"], ["Why?"], redact="outputs")
    assay.run(Service().query, frame, columns={"question": "Frage"}, root=Path("work"))
    assay.evaluate([{"question": "Why?", "answer": "Because."}], columns={"response": "answer"})
    one = assay.ablate("hyde", limit=10, resume="refresh")
    assert_type(one, assay.Run)
    all_of_them = assay.ablate(["hyde", "rerank"], ask, rows(), documents="sample")
    assert_type(all_of_them, list[assay.Run])
    assert_type(assay.ablate({"name": "mine", "variants": []}, ask), assay.Run)
    found = assay.compare(base, "candidate", margin=0.03, metric="answer_contained")
    assert_type(found, assay.Comparison)
    if found.interval is not None and found.p is not None:
        low, high = found.interval
        print(found.sentence, high - low, found.p)
    for case in found.changed:
        print(case["question"], case["gain"])
    print(both.table(by="language"), both.differences(metric="answer_f1"), several.rows(flat=False))
    print(assay.open("base").summary.tally.scored, base.cost, base.notes, base.variants)
    base.plot("profile").savefig("profile.png")
    base.to_parquet("rows.parquet")
    print(len(base.failures), base.wrong[:3].frame("polars"), base.unsure[0])
    return found.exit_code


def careful() -> assay.Run | None:
    """A program that handles how a run ends."""
    try:
        run = assay.run(ask, ["Why?"], max_minutes=5)
    except UseError as error:
        print(*error.lines)
        return None
    except RunStopped as stopped:
        print(stopped.exit_code)
        raise
    return run if run.stopped is None else None


@assay.scorer
def polite(answer: str, question: str) -> bool:
    """A scorer of one's own."""
    return "please" in answer and bool(question)


@assay.scorer(better="lower", unit="words", title="Length")
def length(answer: str) -> int:
    """One with what is declared of it; the function stays what it was."""
    return len(answer.split())


assert_type(length("two words"), int)


def score_with_functions() -> assay.Run:
    """Both are passed as they are, beside a place in a file."""
    return assay.run(ask, ["Why?"], scorers=[polite, length, "my_checks.py:other"])
