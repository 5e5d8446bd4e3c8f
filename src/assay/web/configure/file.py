"""``experiments.yaml`` on disk: read with a hash of it, and written only if it is still the same."""

import hashlib
from contextlib import suppress
from pathlib import Path

from assay.config import ExperimentFile, Workspace, parse_document
from assay.data.replace_file import locked_folder, replace_file
from assay.errors import AssayError, UseError
from assay.web.configure.api import ConfigureStart
from assay.web.configure.trust import refuse_code


def read_file(workspace: Workspace) -> ConfigureStart:
    """The file as it is; an empty text if there is none."""
    path = workspace.experiments_file
    data = _bytes(path)
    try:
        text = (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise UseError(f"{path}: not UTF-8; save the file as UTF-8") from None
    return ConfigureStart(
        path=path.relative_to(workspace.root).as_posix(),
        text=text,
        version="" if data is None else hashlib.sha256(data).hexdigest(),
        experiments=_names(text, path),
    )


def save_file(workspace: Workspace, text: str, version: str) -> ConfigureStart:
    """Write a text, if the file is still the one that was opened and the text can be used.

    Raises:
        UseError: The file has changed since, the text is wrong, or it adds code.
    """
    path = workspace.experiments_file
    new = parse_document(text, ExperimentFile, path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked_folder(path.parent):
        now = read_file(workspace)
        if now.version != version:
            raise UseError(
                f"{now.path} has changed since you opened it, and is not overwritten; copy your "
                "text, load the page again, and put it in"
            )
        refuse_code(new.value, now.text, path)
        replace_file(path, text.encode())
        return read_file(workspace)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None


def _names(text: str, path: Path) -> tuple[str, ...]:
    with suppress(AssayError):
        file = parse_document(text, ExperimentFile, path).value
        return tuple(experiment.name for experiment in file.experiments)
    return ()
