"""Write ``rag/embed/common_terms.txt``: frequent terms, counted in our own sample texts.

For each language, the file lists all words and n-grams that occur in at least a twentieth of
the sample sections, with the share of these sections. The hashed embedder gives such terms
less weight.
"""

import re
from collections import Counter
from pathlib import Path

from assay.text.search_term import search_terms

SOURCE = Path(__file__).parent.parent / "src" / "assay"
SECTION = re.compile(r"\n(?=#|第[〇零一二三四五六七八九十百]+条)")
LEAST_SHARE = 0.05


def main() -> None:
    """Count the terms and write the file."""
    lines = ["# Made by tools/common_terms.py: per mille of sections that hold the term, the term."]
    for language in ("en", "ru", "zh"):
        folder = SOURCE / "data" / "samples" / language
        texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.md"))]
        sections = [part for text in texts for part in SECTION.split(text) if len(part) > 40]
        counts = Counter(term for part in sections for term in set(search_terms(part)))
        common = [
            (count, term)
            for term, count in counts.items()
            if count >= LEAST_SHARE * len(sections) and not re.search(r"\d", term)
        ]
        for count, term in sorted(common, key=lambda pair: (-pair[0], pair[1])):
            lines.append(f"{round(1000 * count / len(sections))}\t{term}")
    target = SOURCE / "rag" / "embed" / "common_terms.txt"
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines) - 1} terms")


if __name__ == "__main__":
    main()
