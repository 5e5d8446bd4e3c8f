"""What a machine of the cluster has. Sent to the machine as it is, so it needs nothing of assay.

What ``machine_facts`` needs there must come from the standard library: the machine may lack
everything that it asks about.
"""

import platform
import socket
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from assay.registry import DISTRIBUTION, install_command

FileStamp = tuple[str, int, int]
"""The path of a file, its size, and when it was changed."""


def machine_facts(files: Sequence[FileStamp]) -> dict[str, object]:
    """The versions on this machine, and whether it sees these files as the driver does."""
    return {
        "host": socket.gethostname(),
        "python": ".".join(platform.python_version_tuple()[:2]),
        "ray": _version("ray"),
        "assay": _version(DISTRIBUTION),
        "sees_files": all(_is_same(file) for file in files),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _is_same(file: FileStamp) -> bool:
    name, size, changed_ns = file
    try:
        found = Path(name).stat()
    except OSError:
        return False
    return (found.st_size, found.st_mtime_ns) == (size, changed_ns)


def file_stamps(folders: Sequence[Path], most: int = 40) -> list[FileStamp]:
    """Some files of these folders and of the folders in them, by which one recognises them."""
    found: list[FileStamp] = []
    for folder in folders:
        for path in sorted((*folder.glob("*"), *folder.glob("*/*"))):
            if len(found) < most and path.is_file() and not path.name.startswith("."):
                stat = path.stat()
                found.append((str(path), stat.st_size, stat.st_mtime_ns))
    return found


def difference(driver: dict[str, object], machine: dict[str, object]) -> str:
    """What must be changed on a machine before it can work; empty if nothing must.

    >>> same = {"host": "a", "python": "3.11", "ray": "2.60.0", "assay": "0.5.0"}
    >>> print(difference(same, {**same, "host": "b", "assay": None}))
    b has no assay: install it there (pip ...)
    """
    for name in ("python", "ray", "assay"):
        here, there = driver[name], machine[name]
        if here == there:
            continue
        has = f"has {name} {there}" if there else f"has no {name}"
        if name == "python":
            return f"{machine['host']} {has}, the driver {here}: use the same Python on both"
        remedy = (
            install_command("ray", version=str(here))
            if name == "assay"
            else f"pip install ray=={here}"
        )
        rest = f", the driver {here}" if there else ""
        return f"{machine['host']} {has}{rest}: install it there ({remedy})"
    return ""
