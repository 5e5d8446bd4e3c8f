"""The workspace: one folder that contains questions, chunks, embeddings and experiments.

The root folder is the first of these that exists: the folder given by ``--root``; the current
folder or its nearest parent that contains ``experiments/experiments.yaml``;
``Research Files/rag_eval`` in the current folder or its nearest parent; the current folder itself.
If the folder that ``--root`` names contains ``Research Files/rag_eval`` and no
``experiments/experiments.yaml``, the former is the root. Below ``Research Files``, paths may also
start at the folder that contains it.
"""

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct, to_builtins

from assay.config.document import ConfigDocument, ExperimentFile, load_document
from assay.config.literal_secret import literal_secrets
from assay.errors import ConfigError, UseError
from assay.mask import OWN_FOLDER, add_secrets

_MAY_HAVE_SECRET: Final = re.compile(
    rb"(?i)\b(?:headers|env)['\"]?\s*:|://[^\s/]*@|[?&][\w-]*(?:key|token|sig|secret|auth)\w*="
    rb"|(?:key|token|secret|passw\w*|pwd|credentials?|auth|bearer|jwt)['\"]?\s*:\s*['\"]?[^\s$]"
)
EXPERIMENTS_FILE = Path("experiments", "experiments.yaml")
SEED_LAYOUT = Path("Research Files", "rag_eval")


def make_folder(folder: Path) -> None:
    """Create a folder; if it lies in ``.assay``, git is told to leave all of that alone.

    It has recorded calls and the texts of documents, and a folder without ``assay init`` has no
    ``.gitignore`` that names it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if OWN_FOLDER in folder.parts:
        at = folder.parts.index(OWN_FOLDER) + 1
        ignored = Path(*folder.parts[:at], ".gitignore")
        if not ignored.exists():
            with suppress(OSError):
                ignored.write_text("*\n", encoding="utf-8")


class Workspace(Struct, frozen=True, kw_only=True):
    """A root folder, and the rule that configured paths must stay inside it or its repository."""

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
        """Find the workspace at ``root``, or from ``start`` upwards (default: current folder)."""
        if root is not None:
            if not root.is_dir():
                raise UseError(f"--root {root}: no such folder")
            given = root.resolve()
            if not (given / EXPERIMENTS_FILE).is_file() and (given / SEED_LAYOUT).is_dir():
                given /= SEED_LAYOUT
            return cls(root=given, allow_outside_root=allow_outside_root)
        start_dir = (start or Path.cwd()).resolve()
        for folder in (start_dir, *start_dir.parents):
            if (folder / EXPERIMENTS_FILE).is_file():
                return cls(root=folder, allow_outside_root=allow_outside_root)
        for folder in (start_dir, *start_dir.parents):
            if (folder / SEED_LAYOUT).is_dir():
                return cls(root=folder / SEED_LAYOUT, allow_outside_root=allow_outside_root)
        return cls(root=start_dir, allow_outside_root=allow_outside_root)

    @property
    def experiments_dir(self) -> Path:
        """The folder in which results are stored."""
        return self.root / "experiments"

    @property
    def experiments_file(self) -> Path:
        """The path of the configuration file; the file may not exist."""
        return self.root / EXPERIMENTS_FILE

    @property
    def call_cache(self) -> Path:
        """The path of the database in which model calls are recorded."""
        return self.root / ".assay" / "calls.sqlite"

    def load_experiments(self, path: Path | None = None) -> ConfigDocument[ExperimentFile]:
        """Load the configuration from ``path``, or from the file of the workspace."""
        document = load_document(path or self.experiments_file, ExperimentFile)
        add_secrets(literal_secrets(to_builtins(document.value)))
        return document

    def load_configuration(self, path: Path | None = None) -> ConfigDocument[ExperimentFile] | None:
        """Like ``load_experiments``, but ``None`` if the workspace has no configuration."""
        if path is None and not self.experiments_file.exists():
            return None
        return self.load_experiments(path)

    def know_secrets(self, path: Path | None = None) -> None:
        """Mask from now on the keys that stand in the configuration, also if it is wrong.

        A command that shows results need not read the configuration otherwise; most files have no
        such key, and are then not parsed, which would take longer than a whole ``assay list``.
        """
        file = path or self.experiments_file
        try:
            data = file.read_bytes()
            if not _MAY_HAVE_SECRET.search(data):
                return
            from assay.config.yaml_tree import parse_yaml  # noqa: PLC0415 - PyYAML is slow to import

            add_secrets(literal_secrets(parse_yaml(data.decode("utf-8-sig"), file)[0]))
        except (OSError, UnicodeDecodeError, ConfigError):
            return

    @property
    def bounds(self) -> Path | None:
        """The folder that files named by data must lie in; ``None`` if they may lie anywhere."""
        return None if self.allow_outside_root else self.root

    def resolve(self, configured: str, where: str) -> Path:
        """The absolute path of a configured path; ``UseError`` if it is outside the root.

        ``where`` (``file:line``) is the position of the setting, for the message.
        """
        path = (self._base(configured) / configured).resolve()
        within = self.repository or self.root
        if not self.allow_outside_root and not path.is_relative_to(within):
            raise UseError(
                f"{where}: {configured!r} lies outside {within}; "
                "move it inside or pass --allow-outside-root"
            )
        return path

    @property
    def repository(self) -> Path | None:
        """The folder that holds ``Research Files``, if the root lies inside it; else None."""
        top = SEED_LAYOUT.parts[0]
        folders = (self.root, *self.root.parents)
        return next((folder.parent for folder in folders if folder.name == top), None)

    def _base(self, configured: str) -> Path:
        """The folder at which a configured path starts: the root, or the repository around it.

        The owners of such a repository write paths from its top.
        """
        repository = self.repository
        if repository is None or (self.root / configured).exists():
            return self.root
        is_from_top = Path(configured).parts[:1] == SEED_LAYOUT.parts[:1]
        return repository if is_from_top or (repository / configured).exists() else self.root
