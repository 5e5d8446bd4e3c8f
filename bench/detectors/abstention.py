"""Abstention: recall and precision by language and source, with and without the question.

``dev.jsonl`` of the public data counts as tuned: its classes of behaviour were looked at. The
sentences of the XQuAD passages are answers that do not abstain; they count for precision with
every set of their language.

``abstention_…_author.jsonl`` were written by readers who had not seen the rules. The figures of each
when it was judged for the first time are in docs/detectors.md; later the rules were mended on them, so
most are tuned now. All are judged with the question where it is known.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from assay import abstains
from assay.text import sentences
from detectors.author import DATA, written
from detectors.table import LANGUAGES, Options, Row

NAME = "abstention"
OWN = tuple(
    DATA / f"abstention{part}.jsonl"
    for part in (
        "",
        "_classes",
        "_ordinary",
        "_plain",
        "_declined",
        "_examples",
        "_background",
        "_wordings",
    )
)


def rows(options: Options) -> list[Row]:
    """A row for each source and language, without the question and, where it is known, with it."""
    result = []
    for with_question in (False, True):
        counts: Counter[tuple[str, str, str, bool, bool]] = Counter()
        for item in _items(options):
            question = item.get("question")
            if with_question and not question:
                continue
            verdict = abstains(item["text"], question if with_question else None)
            counts[item["set"], item["from"], item["lang"], item["abstains"], verdict] += 1
            if options.failures and item["set"] == "tuned" and verdict is not item["abstains"]:
                print("  ", "missed:" if item["abstains"] else "wrong:", item["text"][:160])
        suffix = ", with the question" if with_question else ""
        for part, source, language in sorted({key[:3] for key in counts}):
            hits = counts[part, source, language, True, True]
            missed = counts[part, source, language, True, False]
            wrong = counts[part, source, language, False, True]
            result.append(
                Row(
                    set=part,
                    source=source + suffix,
                    language=language,
                    first=("recall", hits, hits + missed),
                    second=("precision", hits, hits + wrong),
                )
            )
    return [*result, *_other_authors(options), *_passages(options)]


def _other_authors(options: Options) -> list[Row]:
    """A row for each author, language and half, and one for each kind of answer if it is known."""
    counts: Counter[tuple[str, str, str, bool, bool]] = Counter()
    for _, item in written("abstention"):
        verdict = abstains(item["text"], item.get("question"))
        kinds = (f"{item['from']}: {item['kind']}",) if "kind" in item else ()
        for source in (item["from"], *kinds):
            counts[item["set"], source, item["lang"], item["abstains"], verdict] += 1
        if options.failures and item["set"] == "tuned" and verdict is not item["abstains"]:
            print("  ", "missed:" if item["abstains"] else "wrong:", item["text"][:160])
    return [
        Row(
            set=part,
            source=source,
            language=language,
            first=("recall", (hits := counts[part, source, language, True, True]), hits + missed),
            second=("precision", hits, hits + counts[part, source, language, False, True]),
        )
        for part, source, language in sorted({key[:3] for key in counts})
        for missed in (counts[part, source, language, True, False],)
    ]


def _items(options: Options) -> Iterator[dict[str, Any]]:
    paths = [*OWN, *options.more]
    for path in paths:
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())
    if options.data is not None:
        lines = (options.data / "abstention" / "dev.jsonl").read_text(encoding="utf-8").splitlines()
        for line in lines:
            yield {**json.loads(line), "set": "tuned"}


def _passages(options: Options) -> Iterator[Row]:
    """How many sentences of the XQuAD passages are rightly no abstention."""
    if options.data is None:
        return
    for language in LANGUAGES:
        path = options.data / "xquad" / f"xquad.{language}.json"
        articles = json.loads(path.read_text(encoding="utf-8"))["data"]
        texts = [part["context"] for article in articles for part in article["paragraphs"]]
        spans = [span.of(text) for text in texts for span in sentences(text)]
        kept = sum(not abstains(sentence) for sentence in spans)
        yield Row(
            set="tuned",
            source="sentences of XQuAD passages, none abstains",
            language=language,
            first=("kept", kept, len(spans)),
            second=("whole passages kept", sum(not abstains(t) for t in texts), len(texts)),
        )
