"""Check how the repository is written, and name everything that is to be repaired.

    python -m tools.check_repository [CHECK...]

prints a line ``path:line: what is wrong; what to do`` for each finding, and ends with 1 if there is
one. ``make check`` runs all checks; CHECK is the name of a function in ``CHECKS``.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools.check import (
    architecture,
    example,
    folder,
    message,
    package_name,
    page,
)
from tools.check.repository import Finding, Repository

ROOT = Path(__file__).parent.parent
CHECKS: tuple[Callable[[Repository], Iterator[Finding]], ...] = (
    folder.prefixes,
    architecture.layers,
    architecture.screen,
    page.links,
    page.index,
    page.translated_readmes,
    page.pictures,
    page.dependencies,
    example.excuses,
    example.marks,
    example.data,
    example.commands,
    message.missing_texts,
    message.translations,
    message.unused_texts,
    message.english_sentences,
    message.printing,
    package_name.other_package,
    package_name.written_hints,
)
"""Every check: its findings in a repository."""


def main(root: Path, names: Sequence[str] = ()) -> int:
    """Print the findings of all checks, or of those that are named; return the exit code."""
    unknown = set(names) - {check.__name__ for check in CHECKS}
    if unknown:
        print(f"no such check: {', '.join(sorted(unknown))}")
        return 2
    gc.disable()  # almost nothing is garbage: to look for it would take half of the time
    repository = Repository(root)
    checks = [check for check in CHECKS if not names or check.__name__ in names]
    findings = [finding for check in checks for finding in check(repository)]
    for finding in sorted(findings):
        print(finding)
    print(f"{len(checks)} checks of the repository, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(ROOT, sys.argv[1:]))
