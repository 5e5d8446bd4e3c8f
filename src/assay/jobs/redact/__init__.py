"""Values that must not leak in files: listing them, masking a file, turning its tags back."""

from assay.jobs.redact.follow import follow_run
from assay.jobs.redact.recorded import Rewritten, rewrite_results
from assay.jobs.redact.rewrite import masked_file, revealed_file
from assay.jobs.redact.scan import FoundValue, Scan, scan_files
from assay.jobs.redact.setting import (
    MODES,
    RedactOptions,
    applied,
    further_finders,
    key_path,
    open_redaction,
    redact_settings,
    redacting,
)

__all__ = [
    "MODES",
    "FoundValue",
    "RedactOptions",
    "Rewritten",
    "Scan",
    "applied",
    "follow_run",
    "further_finders",
    "key_path",
    "masked_file",
    "open_redaction",
    "redact_settings",
    "redacting",
    "revealed_file",
    "rewrite_results",
    "scan_files",
]
