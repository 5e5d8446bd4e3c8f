"""A run that was redacted stays so: what is shown and said about it later is masked as well.

``--redact outputs`` of a run may not stand in the configuration, and the command that reads the run
later does not say it again.
"""

import threading
from pathlib import Path
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.mask import redactor, set_redactor
from assay.runs.redaction import RedactOptions, is_switched_off, redact_settings
from assay.runs.summary import read_summary
from assay.runs.write import summary_path

_starting: Final = threading.Lock()


def follow_run(journal: Path, *, is_needed: bool = False) -> None:
    """Redact from now on if the run of ``journal`` is redacted, unless ``--redact off`` was given.

    The key is that of the workspace if there is one; otherwise none is kept. ``is_needed`` raises
    ``UseError`` if the libraries are not installed: something is to be written about the run.
    """
    if redactor() is not None or is_switched_off():
        return
    summary = read_summary(summary_path(journal))
    if summary is None or summary.redact is UNSET:
        return
    from assay.runs.make_redaction import key_path, make_redaction  # noqa: PLC0415 - slow to import

    workspace = Workspace.find(start=journal.resolve().parent)
    try:
        settings = redact_settings(workspace, RedactOptions(mode=summary.redact))
        if not settings.no_key and not key_path(workspace, settings.key).is_file():
            settings = replace(settings, key=None, no_key=True)
        with _starting:
            if redactor() is None:
                set_redactor(make_redaction(workspace, settings))
    except UseError:
        if is_needed:
            raise
