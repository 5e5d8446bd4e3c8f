"""How often the checks agree with people, by source and language.

    python bench/checks.py --data FOLDER

Reads every ``*.jsonl`` below the folder. Lines with ``expected``, ``answer`` and ``right`` measure the check
of answers, lines with ``text`` and ``abstains`` the check of abstention. The rows are distinguished by ``model`` or
``from`` and by ``lang`` (English if there is none). ``--half develop|report`` takes a fixed half of the
questions; rules are developed on one and reported on the other. Plain containment and a sketch of eighty
lines are beside the check of answers.
"""

import argparse
import hashlib
import json
import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from assay.checks.abstention import assess_abstention
from assay.checks.answer import check_answer
from assay.stats.interval import wilson


class Finding(NamedTuple):
    """What a check says of one answer: the way it leans, and whether it is sure."""

    leans: bool
    sure: bool = True


def contained(row: dict[str, Any]) -> Finding:
    """Plain containment after folding case, accents, width and punctuation."""
    answer = f" {_plain(row['answer'])} "
    return Finding(any(f" {_plain(text)} " in answer for text in row["expected"]))


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    folded = "".join(each for each in folded if not unicodedata.combining(each))
    return " ".join(re.findall(r"\w", folded) if _is_han(folded) else re.findall(r"\w+", folded))


def _is_han(text: str) -> bool:
    return any("\u3400" <= each <= "\u9fff" for each in text)


SMALL = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "by",
        "and",
        "or",
        "with",
        "from",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "его",
        "и",
        "в",
        "на",
        "с",
        "о",
    ]
)
NEGATIONS = frozenset(
    ["not", "no", "never", "neither", "nor", "without", "не", "нет", "без", "不", "没", "未", "非"]
)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
WORDS = {
    word: str(n)
    for n, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}


def sketch(row: dict[str, Any]) -> Finding:
    """Normalised words in one sentence, numbers by value, no negation in the clause before."""
    sentences = [
        [_stem(word) for word in _plain(part).split()]
        for part in re.split(r"(?<=[.!?。！？])\s*", row["answer"])
    ]
    for text in row["expected"]:
        wanted = [_stem(word) for word in _plain(text).split()]
        wanted = [word for word in wanted if word not in SMALL] or wanted
        if any(_has_all(wanted, sentence) for sentence in sentences):
            return Finding(True)
    return Finding(False)


def _stem(word: str) -> str:
    if NUMBER.fullmatch(word):
        return word.replace(",", "")
    word = WORDS.get(word, word)
    for ending in (
        "ing",
        "ed",
        "es",
        "s",
        "ами",
        "ого",
        "ому",
        "ой",
        "ов",
        "а",
        "у",
        "е",
        "ы",
        "и",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _has_all(wanted: Sequence[str], sentence: Sequence[str]) -> bool:
    if not wanted or not set(wanted) <= set(sentence):
        return False
    first = sentence.index(wanted[0])
    return NEGATIONS.isdisjoint(sentence[max(0, first - 4) : first])


def checked(row: dict[str, Any]) -> Finding:
    """The check of answers."""
    found = check_answer(row["expected"], row["answer"], row.get("question"))
    return Finding(found.leans_right, found.outcome != "unsure")


def abstained(row: dict[str, Any]) -> Finding:
    """The check of abstention."""
    found = assess_abstention(row["text"], row.get("question"))
    return Finding(found.leans_abstaining, found.outcome != "unsure")


def rows_of(folder: Path, half: str | None) -> Iterable[dict[str, Any]]:
    """The rows of all files, with the name of their source; those of one half of the questions."""
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if not {"expected", "answer", "right"} <= row.keys() and "abstains" not in row:
                break
            name = str(row.get("id") or row.get("text"))
            digest = int(hashlib.sha256(name.encode(errors="replace")).hexdigest(), 16)
            if half is None or (digest % 2 == 0) == (half == "develop"):
                source = row.get("model") or row.get("from") or ""
                yield {**row, "file": path.stem, "source": source, "lang": row.get("lang", "en")}


def shown(hits: int, n: int) -> str:
    """A share with its 95 % interval."""
    if n == 0:
        return "–"
    ends = wilson(hits, n)
    return f"{hits / n:.3f} [{ends.low:.3f}, {ends.high:.3f}]"


def report(
    title: str, rows: Sequence[dict[str, Any]], key: str, check: Callable[..., Finding]
) -> None:
    """One line of figures for these rows."""
    begun = time.process_time()
    found = [check(row) for row in rows]
    cost = (time.process_time() - begun) / max(1, len(rows)) * 1e3
    truth = [bool(row[key]) for row in rows]
    pairs = list(zip(found, truth, strict=True))
    sure = [(each, true) for each, true in pairs if each.sure]
    rate = sum(truth) / len(truth)
    low, high = (
        sum(each.leans if each.sure else end for each in found) / len(found) for end in (0, 1)
    )
    print(
        f"{title:<34} n={len(rows):<6} agree {shown(sum(e.leans == t for e, t in pairs), len(pairs))}"
        f"  kept {shown(sum(e.leans for e, t in pairs if t), sum(truth))}"
        f"  accepted {shown(sum(e.leans for e, t in pairs if not t), len(truth) - sum(truth))}"
        f"  unsure {1 - len(sure) / len(pairs):.3f}"
        f"  decided {shown(sum(e.leans == t for e, t in sure), len(sure))}"
        f"  people {rate:.3f} ours {sum(e.leans for e in found) / len(found):.3f} "
        f"band {low:.3f} to {high:.3f}{'' if low <= rate <= high else ' OUTSIDE'}  {cost:.2f} ms"
    )


def main() -> None:
    """Print the figures of all data."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", choices=("develop", "report"))
    options = parser.parse_args()
    rows = list(rows_of(options.data, options.half))
    answers = [row for row in rows if "right" in row]
    silences = [row for row in rows if "abstains" in row]
    if answers:
        for name, check in (("containment", contained), ("sketch", sketch), ("check", checked)):
            report(f"answers: {name}", answers, "right", check)
        for group in ("file", "lang", "source"):
            for name, members in grouped(answers, group):
                report(f"answers: {group} {name}", members, "right", checked)
    if silences:
        for group in ("file", "lang"):
            for name, members in grouped(silences, group):
                report(f"abstention: {group} {name}", members, "abstains", abstained)


def grouped(rows: Iterable[dict[str, Any]], key: str) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    """The rows by the value of a field."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[str(row[key])].append(row)
    return groups.items()


if __name__ == "__main__":
    main()
