"""How folders of the package are filled: no folder that is missing."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from tools.check.repository import Finding, Repository

MOST = 3
"""So many files of a folder may share a prefix."""
FLAT = "src/assay/checks/catalogue"
"""Has no folders: each of its files is named after its scorer, which the registry finds by this name."""


def prefixes(repository: Repository) -> Iterator[Finding]:
    """At most three files of a folder share a prefix; more than that is a folder that is missing."""
    paths = sorted(module.path for module in repository.modules.values())
    for folder, files in groupby(paths, key=lambda path: path.parent):
        if repository.where(folder) == FLAT:
            continue
        stems = [path.stem for path in files if not path.stem.startswith("_")]
        for prefix, count in Counter(stem.split("_")[0] for stem in stems).items():
            if count > MOST:
                where = repository.where(folder)
                text = f"{count} files begin with {prefix}; make the folder {prefix}"
                yield Finding(where, 1, text)
