"""What ``--on``, ``--workers``, ``--worker-cpus`` and ``--worker-gpus`` say."""

import re
from typing import Final, Literal, get_args

from msgspec import Struct

from assay.errors import UseError

Files = Literal["auto", "shared", "upload"]
"""How the workspace reaches the workers."""
_ADDRESS: Final = re.compile(r"ray://[\w.\-\[\]:]+:\d{1,5}")


class ClusterOptions(Struct, frozen=True, kw_only=True):
    """Where the system answers.

    ``address`` is that of a Ray client server; None is the cluster that ``RAY_ADDRESS`` names, or
    else one on this machine that lasts as long as the run. ``workers`` is None if it follows from
    the processors of the cluster.
    """

    address: str | None = None
    workers: int | None = None
    cpus: float = 1.0
    gpus: float = 0.0
    files: Files = "auto"


def read_cluster_options(
    on: str | None,
    *,
    workers: int | None = None,
    cpus: float | None = None,
    gpus: float | None = None,
    files: str | None = None,
) -> ClusterOptions | None:
    """The options of the command line; None if the system answers in this process.

    >>> read_cluster_options("ray", workers=2).workers
    2
    """
    if on is None:
        given = {
            "workers": workers,
            "worker-cpus": cpus,
            "worker-gpus": gpus,
            "worker-files": files,
        }
        for name, value in given.items():
            if value is not None:
                raise UseError(f"--{name} needs --on ray: without it there are no workers")
        return None
    if on != "ray" and not _ADDRESS.fullmatch(on):
        raise UseError(f"--on {on}: write ray for this machine, or ray://HOST:PORT for a cluster")
    if files is not None and files not in get_args(Files):
        raise UseError(f"--worker-files {files}: write auto, shared or upload")
    return ClusterOptions(
        address=None if on == "ray" else on,
        workers=workers,
        cpus=1.0 if cpus is None else cpus,
        gpus=gpus or 0.0,
        files=files or "auto",  # type: ignore[arg-type]
    )
