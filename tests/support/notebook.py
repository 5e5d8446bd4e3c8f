"""Executes a notebook in a kernel of this Python, in a process of its own: ``notebook.py NOTEBOOK``.

No kernel need be installed, and kernel and client talk through files, not over a network.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

KERNEL = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
SPEC = {"argv": KERNEL, "display_name": "Python 3", "language": "python"}


def executed(notebook: Mapping[str, Any], folder: Path, **variables: str) -> Any:
    """The notebook with the outputs of its cells, which run in ``folder``; it stops at an error."""
    path = folder / "executed.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="nb-") as place:  # a path of a socket must be short
        home = Path(place)
        spec = home / "kernels" / "python3" / "kernel.json"
        spec.parent.mkdir(parents=True)
        spec.write_text(json.dumps(SPEC))
        names = ("PATH", "DATA_DIR", "CONFIG_DIR", "RUNTIME_DIR")
        environment = {**os.environ, **{f"JUPYTER_{name}": place for name in names}}
        environment |= {"JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": place, "ASSAY_LANG": "en"}
        done = subprocess.run(
            [sys.executable, "-m", "tests.support.notebook", str(path), place],
            cwd=Path(__file__).parents[2],
            env={**environment, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return json.loads(path.read_text(encoding="utf-8"))


def shown(cell: Any, kind: str) -> list[str]:
    """What the outputs of a cell have of a kind, such as ``text/html``."""
    found = [each["data"][kind] for each in cell["outputs"] if kind in each.get("data", {})]
    return ["".join(each) for each in found]


def execute(path: Path, place: Path) -> None:
    """Execute the notebook and write it with its outputs."""
    import nbformat  # noqa: PLC0415 - only this process needs them
    from jupyter_client.manager import AsyncKernelManager  # noqa: PLC0415
    from nbclient import NotebookClient  # noqa: PLC0415

    notebook = nbformat.read(path, as_version=4)
    manager = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=str(place / "k"))
    resources = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, km=manager, timeout=300, resources=resources).execute()
    nbformat.write(notebook, path)


if __name__ == "__main__":
    execute(Path(sys.argv[1]), Path(sys.argv[2]))
