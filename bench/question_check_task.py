"""Write a set of N questions and its corpus, or check it: ``question_check_task.py write|check N``.

Five questions are about each passage. The words of passages and questions are drawn so that few
are frequent and many are rare, as in real texts. One question of fifty repeats another one with a
changed word. The answers are numbers, so that the readers of numbers have work to do.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

PER_PASSAGE = 5
PASSAGE_WORDS = 70
QUESTION_WORDS = 9
VOCABULARY = 50_000


def write(count: int, folder: Path) -> None:
    """Write ``questions.jsonl`` and ``chunks/corpus.jsonl``."""
    rng = np.random.default_rng(count)
    signs = np.array(list("bcdfgklmnprstvz"))
    vowels = np.array(list("aeiou"))
    spelled = np.empty((VOCABULARY, 6), dtype="<U1")
    spelled[:, ::2] = rng.choice(signs, (VOCABULARY, 3))
    spelled[:, 1::2] = rng.choice(vowels, (VOCABULARY, 3))
    words = np.array(["".join(row) for row in spelled])
    frequency = 1 / np.arange(1, VOCABULARY + 1) ** 0.9
    frequency /= frequency.sum()
    (folder / "chunks").mkdir(exist_ok=True)
    with (
        (folder / "questions.jsonl").open("w", encoding="utf-8") as questions,
        (folder / "chunks" / "corpus.jsonl").open("w", encoding="utf-8") as corpus,
    ):
        for passage in range(count // PER_PASSAGE):
            text = rng.choice(words, PASSAGE_WORDS, p=frequency)
            figures = rng.integers(1_000, 1_000_000, PER_PASSAGE)
            said = [f"{' '.join(part)} {figure:,}." for part, figure in zip(
                np.split(text, PER_PASSAGE), figures, strict=True)]  # fmt: skip
            source = f"document-{passage // 50}"
            row = {"id": f"c{passage}", "text": " ".join(said), "source": source}
            corpus.write(json.dumps(row) + "\n")
            line = ""
            for number in range(PER_PASSAGE):
                is_copy = number == 1 and passage % 10 == 0
                asked = " ".join(rng.choice(text, QUESTION_WORDS))
                line = f"{line} indeed" if is_copy else asked
                question = {
                    "id": f"q{passage}-{number}",
                    "question": f"What is {line}?",
                    "answer": str(figures[0 if is_copy else number]),
                    "source": source,
                    "gold": [f"c{passage}"],
                }
                questions.write(json.dumps(question) + "\n")


def check(folder: Path) -> None:
    """Check the set as the command does, and print the time of it."""
    from assay.data.corpus.chunk import load_corpus  # noqa: PLC0415 - not needed to write
    from assay.questions.check.check import check_questions  # noqa: PLC0415
    from assay.questions.check.report import as_json  # noqa: PLC0415

    started = time.process_time()
    found = check_questions(folder / "questions.jsonl", load_corpus(folder / "chunks").chunks)
    (folder / "check.json").write_text(as_json(found), encoding="utf-8")
    print(json.dumps({"cpu_s": time.process_time() - started}))
    print(f"{len(found.questions)} questions, {found.counts}", file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(int(sys.argv[2]), Path())
    else:
        check(Path())
