"""How fast values are found that must not leak, in MB of UTF-8 text per second of one core.

    python bench/redact.py                     on the pages of docs, which are full of code
    python bench/redact.py --data FOLDER       prose from the .txt files of a folder (novels)

*prose* has few numbers. *numbers* are sentences of contracts, invoices, citations and tables with
several numbers in each line, none of which is a value; *values* have one or two values in each line
(tests/redact/labelled.py). Texts are searched in pages of about 2,000 characters, cut between
lines. The time is that of the processor, the best of five rounds.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from assay.redact import find_values  # noqa: E402
from tests.redact.labelled import LOOKALIKES, VALUES, draw  # noqa: E402

PAGE = 2000
MOST = 3_000_000
"""Characters of each text that are searched."""


def main() -> None:
    """Print a line for each kind of text."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--data", type=Path, help="a folder with prose")
    data = parser.parse_args().data
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
        measure(name, list(pages(text[:MOST])))


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
    size = sum(len(part.encode()) for part in parts)
    best, found = float("inf"), 0
    for _ in range(5):
        began = time.process_time()
        found = sum(len(find_values(part)) for part in parts)
        best = min(best, time.process_time() - began)
    print(f"{name:<8} {size / 1e6:6.2f} MB {found:>6} found {size / best / 1e6:7.1f} MB/s")


if __name__ == "__main__":
    main()
