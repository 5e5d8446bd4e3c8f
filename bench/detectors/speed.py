"""CPU time of judging an answer of about 150 words, with and without a refusal and the question.

To compare with another version, run this file with that version's ``src`` on ``PYTHONPATH``.
"""

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from assay.scorers.abstention import abstains
from detectors.table import LANGUAGES, Options, Row

NAME = "speed"
REFUSAL = {
    "en": " The passage does not mention the name of the owner.",
    "ru": " Имя владельца в тексте не указано.",
    "zh": "文中没有提到所有者的姓名。",
}
SHORTEST, LONGEST, MOST = 110, 200, 60


def rows(options: Options) -> list[Row]:
    """Print the medians; there is no share to put into a table."""
    if options.data is not None:
        for language in LANGUAGES:
            _show(language, options.data / "xquad" / f"xquad.{language}.json")
    return []


def _show(language: str, path: Path) -> None:
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    pairs = [
        (paragraph["context"], paragraph["qas"][0]["question"])
        for article in articles
        for paragraph in article["paragraphs"]
        if SHORTEST <= _word_count(paragraph["context"], language) <= LONGEST
    ][:MOST]
    ways: dict[str, Callable[[str, str], object]] = {
        "answer": lambda text, _: abstains(text),
        "answer and refusal": lambda text, _: abstains(text + REFUSAL[language]),
        "the same with the question": lambda text, q: abstains(text + REFUSAL[language], q),
    }
    for name, judge in ways.items():
        judge(*pairs[0])
        times = []
        for text, question in pairs:
            start = time.process_time()
            judge(text, question)
            times.append(time.process_time() - start)
        print(f"  {language}  {name:28} median {1000 * statistics.median(times):.2f} ms CPU")


def _word_count(text: str, language: str) -> int:
    return len(text) // 2 if language == "zh" else len(text.split())
