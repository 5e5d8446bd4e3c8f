"""Quotations with swapped names, and copies in other formats: how many are refused and kept.

    XQUAD=folder NOVELS=folder python bench/detect/names.py

``quotation.py`` says where the quotations come from. The figures are in docs/verify.md.
"""

from collections import defaultdict
from collections.abc import Iterable

from quotation import Quotation, kept, swapped

from assay import verify_quotation
from assay.stats import wilson

LANGUAGES = ("zh", "ru", "en")


def shares(quotations: Iterable[Quotation]) -> dict[tuple[str, ...], list[bool]]:
    """Whether each quotation is judged rightly, by language, source, part and kind.

    The kind ``all`` has all kinds together.
    """
    right: dict[tuple[str, ...], list[bool]] = defaultdict(list)
    for item in quotations:
        is_right = verify_quotation(item.quotation, item.text).valid == item.valid
        for kind in (item.kind, "all"):
            right[item.language, item.source, item.part, kind].append(is_right)
    return right


def lines() -> Iterable[str]:
    """The table, line by line."""
    yield "| task | language | source | part | kind | right | share | 95 % |"
    yield "|---|---|---|---|---|---|---|---|"
    for task, make in (("refused", swapped), ("kept", kept)):
        for language in LANGUAGES:
            for (_, source, part, kind), right in sorted(shares(make(language)).items()):
                interval = wilson(sum(right), len(right))
                bounds = f"{interval.low:.3f} to {interval.high:.3f}" if interval else ""
                yield (
                    f"| {task} | {language} | {source} | {part} | {kind} | {sum(right)} of {len(right)}"
                    f" | {sum(right) / len(right):.3f} | {bounds} |"
                )


if __name__ == "__main__":
    for line in lines():
        print(line)
