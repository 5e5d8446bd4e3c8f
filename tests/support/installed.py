"""Packages with entry points for tests: what an installation leaves on the import path."""

from pathlib import Path

import pytest


def install_package(
    monkeypatch: pytest.MonkeyPatch,
    site: Path,
    *,
    name: str = "acme",
    entry_points: str = "",
    modules: dict[str, str] | None = None,
) -> None:
    """Put a package with these entry points and modules on the import path of the test.

    ``modules`` maps names of modules to their source. A module's name must be unique in the
    process, because Python keeps what it has imported.
    """
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    for module, source in (modules or {}).items():
        (site / f"{module}.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(site)
