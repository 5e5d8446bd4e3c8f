"""Short answers: right ones kept and wrong ones accepted, for ``text_answer`` and ``entity``.

The items are made from XQuAD. Right: the answer itself, the answer in a short sentence, the
sentence of the passage that has it. Wrong: other answers to the same passage, other sentences of
it, its sentence with another answer put in, and the answer with "not". Every second article was
looked at while the rules were written; the others are untouched.

``short_answer_second_author.jsonl`` and the files of the other authors have answers of readers who had not
seen the rules. Each of them became tuned once its failures had been read; ``set`` says whether it is.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from assay.scorers.legal.entity import entity_verdict
from assay.scorers.legal.field import text_verdict
from assay.text import find_phrase, sentences, words
from detectors.author import written
from detectors.table import LANGUAGES, Options, Row

NAME = "short answers"
FRAME = {"en": "The answer is {}.", "ru": "Ответ: {}.", "zh": "答案是{}。"}
DENIED = {"en": "Not {}", "ru": "Не {}", "zh": "不是{}"}
PERSON = {"en": r"\bwho\b", "ru": r"\bкто\b", "zh": "谁|哪位"}
LONGEST = 300


class Item(NamedTuple):
    """A question, its answer, an answer to judge, and whether that one is right."""

    question: str
    gold: str
    answer: str
    is_right: bool


def rows(options: Options) -> list[Row]:
    """A row for each field, language and half of the articles."""
    counts: Counter[tuple[str, str, str, bool, bool]] = Counter()
    for author, item in written("short_answer"):
        judge = text_verdict if item["field"] == "text_answer" else entity_verdict
        verdict = judge(item["answer"], item["gold"], question=item["question"]).holds
        for source in (author, *_how(author, item)):
            counts[item["set"], source, item["lang"], item["right"], verdict] += 1
    for language in LANGUAGES if options.data is not None else ():
        path = options.data / "xquad" / f"xquad.{language}.json"
        for index, article in enumerate(json.loads(path.read_text(encoding="utf-8"))["data"]):
            part = "untouched" if index % 2 else "tuned"
            for paragraph in article["paragraphs"]:
                for item in _items(paragraph, language):
                    for field, verdict in _verdicts(item, paragraph["context"], language):
                        counts[part, field, language, item.is_right, verdict] += 1
                        if options.failures and part == "tuned" and verdict is not item.is_right:
                            print("  ", field, item.is_right, "|", item.gold, "|", item.answer)
    return [
        Row(
            set=part,
            source=field,
            language=language,
            first=(
                "right kept",
                counts[part, field, language, True, True],
                sum(counts[part, field, language, True, verdict] for verdict in (True, False)),
            ),
            second=(
                "wrong accepted",
                counts[part, field, language, False, True],
                sum(counts[part, field, language, False, verdict] for verdict in (True, False)),
            ),
        )
        for part, field, language in sorted({key[:3] for key in counts})
    ]


def _how(author: str, item: dict) -> tuple[str, ...]:  # type: ignore[type-arg]
    """Where it is known how an answer is wrong: as usual, or hidden, with the expected words in it."""
    if "how" not in item:
        return ()
    ways = ("usual", "hidden") if item["right"] else (item["how"],)
    return tuple(f"{author}, {way}" for way in ways)


def _verdicts(item: Item, context: str, language: str) -> Iterator[tuple[str, bool]]:
    yield (
        "text_answer",
        text_verdict(item.answer, item.gold, question=item.question).holds,
    )
    if re.search(PERSON[language], item.question, re.IGNORECASE):
        verdict = entity_verdict(item.answer, item.gold, [context], question=item.question)
        yield "entity", verdict.holds


def _items(paragraph: dict, language: str) -> Iterator[Item]:  # type: ignore[type-arg]
    context = paragraph["context"]
    spans = sentences(context)
    golds = {question["answers"][0]["text"] for question in paragraph["qas"]}
    for entry in paragraph["qas"]:
        question, gold = entry["question"], entry["answers"][0]["text"]
        start = entry["answers"][0]["answer_start"]
        own = next((s.of(context) for s in spans if s.start <= start < s.end), "")
        others = sorted(other for other in golds if not set(words(other)) & set(words(gold)))
        yield Item(question, gold, gold, is_right=True)
        yield Item(question, gold, FRAME[language].format(gold), is_right=True)
        if gold in own and len(own) < LONGEST:
            yield Item(question, gold, own, is_right=True)
        for other in others[:3]:
            yield Item(question, gold, other, is_right=False)
        if others and own.count(gold) == 1:
            yield Item(question, gold, own.replace(gold, others[0]), is_right=False)
        foreign = [
            sentence
            for sentence in (span.of(context) for span in spans)
            if find_phrase(gold, sentence) is None and not set(words(gold)) <= set(words(sentence))
        ]
        for sentence in foreign[:2]:
            yield Item(question, gold, sentence, is_right=False)
        yield Item(question, gold, DENIED[language].format(gold), is_right=False)
