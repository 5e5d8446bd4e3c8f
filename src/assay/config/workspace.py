"""The workspace: one folder that holds questions, chunks, embeddings and experiments.

The root is, in this order: what ``--root`` says; the nearest folder at or above the current
one with an ``experiments/experiments.yaml``; ``Research Files/rag_eval`` below the current
folder where that exists; the current folder.
"""

from pathlib import Path

from msgspec import Struct

from assay.config.document import Document, load_document
from assay.config.file import ExperimentFile
from assay.errors import UseError

EXPERIMENTS_FILE = Path("experiments", "experiments.yaml")
SEED_LAYOUT = Path("Research Files", "rag_eval")


class Workspace(Struct, frozen=True, kw_only=True):
    """A root folder and the rule that configured paths stay inside it."""

    root: Path
    allow_outside_root: bool = False

    @classmethod
    def find(
        cls,
        root: Path | None = None,
        *,
        start: Path | None = None,
        allow_outside_root: bool = False,
    ) -> "Workspace":
        """The workspace for ``root``, or the one around ``start`` (default: current folder)."""
        if root is not None:
            if not root.is_dir():
                raise UseError(f"--root {root}: no such folder")
            return cls(root=root.resolve(), allow_outside_root=allow_outside_root)
        here = (start or Path.cwd()).resolve()
        for folder in (here, *here.parents):
            if (folder / EXPERIMENTS_FILE).is_file():
                return cls(root=folder, allow_outside_root=allow_outside_root)
        if (here / SEED_LAYOUT).is_dir():
            return cls(root=here / SEED_LAYOUT, allow_outside_root=allow_outside_root)
        return cls(root=here, allow_outside_root=allow_outside_root)

    @property
    def experiments_dir(self) -> Path:
        """Where results are stored."""
        return self.root / "experiments"

    @property
    def experiments_file(self) -> Path:
        """The configuration, whether it exists or not."""
        return self.root / EXPERIMENTS_FILE

    @property
    def call_cache(self) -> Path:
        """Where model calls are recorded."""
        return self.root / ".assay" / "calls.sqlite"

    def load_experiments(self, path: Path | None = None) -> Document[ExperimentFile]:
        """The configuration at ``path``, or the workspace's own."""
        return load_document(path or self.experiments_file, ExperimentFile)

    def resolve(self, configured: str, where: str) -> Path:
        """A configured path as an absolute one; refuse it if it leaves the root.

        ``where`` (``file:line``) names the place in the message.
        """
        path = (self.root / configured).resolve()
        if not self.allow_outside_root and not path.is_relative_to(self.root):
            raise UseError(
                f"{where}: {configured!r} lies outside {self.root}; "
                "move it inside or pass --allow-outside-root"
            )
        return path
