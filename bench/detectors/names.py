"""Names: quotations with a swapped name that are refused, and copies in other formats that are kept.

``quotation.py`` says where the quotations come from. Recall is the share of swapped names that are
refused; precision is the share of swapped names among all that is refused. The figures are in
docs/verify.md. ``name_classes.jsonl`` has sentences written for classes of names; ``name_…_author.jsonl`` have quotations
of readers who had not seen the rules.
"""

import json
from collections import Counter

from assay import verify_quotation
from detectors.author import DATA, written
from detectors.quotation import kept, swapped
from detectors.table import LANGUAGES, Options, Row

NAME = "names"
CLASSES = DATA / "name_classes.jsonl"


def rows(options: Options) -> list[Row]:
    """A row for each source, language and part, and one for each kind of swap and format."""
    counts: Counter[tuple[str, str, str, str, bool, bool]] = Counter()
    classes = map(json.loads, CLASSES.read_text(encoding="utf-8").splitlines())
    for author, row in (*written("name"), *(("classes", row) for row in classes)):
        is_valid = verify_quotation(row["quotation"], row["source"]).valid
        counts[row["set"], author, row["lang"], "all", row["valid"], is_valid] += 1
    for language in LANGUAGES if options.data is not None else ():
        for make in (swapped, kept):
            for item in make(options.data, language):
                check = verify_quotation(item.quotation, item.text)
                for kind in ("all", item.kind):
                    key = item.part, item.source, language, kind, item.valid, check.valid
                    counts[key] += 1
                if options.failures and item.part == "tuned" and check.valid != item.valid:
                    print("  ", item.kind, item.quotation, *check.reasons, sep=" | ")
    return [
        Row(
            set=part,
            source=source if kind == "all" else f"{source}: {kind}",
            language=language,
            first=(
                "swaps refused",
                counts[part, source, language, kind, False, False],
                sum(counts[part, source, language, kind, False, valid] for valid in (True, False)),
            ),
            second=(
                "copies kept",
                counts[part, source, language, kind, True, True],
                sum(counts[part, source, language, kind, True, valid] for valid in (True, False)),
            ),
        )
        for part, source, language, kind in sorted({key[:4] for key in counts})
    ]
