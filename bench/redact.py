"""How fast values are found that must not leak, in MB of UTF-8 text per second of one core.

    python bench/redact.py                     on the pages of docs, which are full of code
    python bench/redact.py --data FOLDER       prose from the .txt files of a folder (novels)
    python bench/redact.py --presidio PYTHON   the same with Presidio, installed for that Python

*prose* has few numbers. *numbers* are sentences of contracts, invoices, citations and tables with
several numbers in each line, none of which is a value; *values* have one or two values in each line
(tests/redact/labelled.py). Texts are searched in pages of about 2,000 characters, cut between
lines. The time is that of the processor, the best of five rounds.

The last lines count how many values of the labelled sentences are found (their place, whatever the
kind), and in how many sentences without a value something is found. With ``--presidio`` its pattern
recognisers search the same texts in the same run, without a model for names. It knows the forms of
the USA and of some other countries, so its recall on Chinese and Russian values says little.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from assay.redact.find import find_values  # noqa: E402
from assay.redact.name import find_names  # noqa: E402
from tests.redact.labelled import LOOKALIKES, VALUES, draw  # noqa: E402
from tests.redact.named import named  # noqa: E402

PAGE = 2000
MOST = 3_000_000
"""Characters of each text that are searched."""


def main() -> None:
    """Print a line for each kind of text."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--data", type=Path, help="a folder with prose")
    parser.add_argument("--presidio", type=Path, help="a Python that has presidio-analyzer")
    options = parser.parse_args()
    data = options.data
    folder = data or ROOT / "docs"
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".txt", ".md"})
    texts = {
        "prose" if data else "docs": "\n".join(
            path.read_text(encoding="utf-8")[: MOST // 2] for path in files
        ),
        "numbers": "\n".join(text for text, _ in draw(LOOKALIKES, 200, 1)),
        "values": "\n".join(text for text, _ in draw(VALUES, 60, 2)),
    }
    for name, text in texts.items():
        parts = list(pages(text[:MOST]))
        measure(name, parts)
        if options.presidio:
            part = parts[: max(1, len(parts) // 10)]
            answer = ask_presidio(options.presidio, part, [])
            show(f"{name}*", part, answer["found"], answer["seconds"])
    compare(options.presidio)
    for language in ("en", "zh", "ru"):
        measure_names(language)
    if options.presidio:
        print("* Presidio, on a tenth of the text")


def compare(presidio: Path | None) -> None:
    """Print recall and false alarms on the labelled sentences."""
    labelled = list(draw(VALUES, 6, 3))
    harmless = [text for text, _ in draw(LOOKALIKES, 6, 4)]
    sentences = [*(text for text, _ in labelled), *harmless]
    results = {"assay": [[(f.start, f.end) for f in find_values(text)] for text in sentences]}
    if presidio:
        results["Presidio"] = ask_presidio(presidio, [], sentences)["places"]
    total = sum(len(values) for _, values in labelled)
    for name, places in results.items():
        hits = sum(
            any(start < end_ and start_ < end for start, end in found)
            for (_, values), found in zip(labelled, places, strict=False)
            for _, start_, end_ in values
        )
        alarms = sum(map(bool, places[len(labelled) :]))
        print(f"{name:<9} {hits} of {total} values, {alarms} of {len(harmless)} harmless sentences")


def measure_names(language: str) -> None:
    """Print how many of the marked names are found, and how many findings are names."""
    hits = total = right = found = 0
    for text, names in named(language):
        places = [(each.start, each.end) for each in find_names(text)]
        total += len(names)
        found += len(set(places))
        hits += sum(any(a < end and start < b for a, b in places) for _, start, end in names)
        right += sum(any(a < end and start < b for _, start, end in names) for a, b in set(places))
    print(f"names {language:<3} {hits} of {total} found, {right} of {found} findings are names")


def ask_presidio(python: Path, parts: list[str], sentences: list[str]) -> Any:
    """What the other environment found, and how long it took."""
    script = ROOT / "bench" / "peers" / "find_presidio.py"
    asked = json.dumps({"pages": parts, "rounds": 3, "sentences": sentences})
    ended = subprocess.run(
        [python, script], input=asked, text=True, capture_output=True, check=True
    )
    return json.loads(ended.stdout)


def pages(text: str) -> Iterator[str]:
    """The text in parts of about ``PAGE`` characters, cut between lines."""
    page: list[str] = []
    for line in text.splitlines(keepends=True):
        page.append(line)
        if sum(map(len, page)) >= PAGE:
            yield "".join(page)
            page.clear()
    yield "".join(page)


def measure(name: str, parts: list[str]) -> None:
    """Search all parts five times and print the best speed."""
    best, found = float("inf"), 0
    for _ in range(5):
        began = time.process_time()
        found = sum(len(find_values(part)) for part in parts)
        best = min(best, time.process_time() - began)
    show(name, parts, found, best)


def show(name: str, parts: list[str], found: int, seconds: float) -> None:
    """Print one line."""
    size = sum(len(part.encode()) for part in parts)
    print(f"{name:<9} {size / 1e6:6.2f} MB {found:>6} found {size / seconds / 1e6:8.3f} MB/s")


if __name__ == "__main__":
    main()
