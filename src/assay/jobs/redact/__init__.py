"""Values that must not leak in files: listing them, masking a file, turning its tags back."""

from assay.jobs.redact.follow import follow_run
from assay.jobs.redact.recorded import Rewritten, rewrite_results
from assay.jobs.redact.rewrite import masked_file, revealed_file
from assay.jobs.redact.scan import FoundValue, Scan, scan_files
from assay.jobs.redact.setting import (
    RedactOptions,
    further_finders,
    key_path,
    redact_settings,
    redacting,
)

__all__ = [
    "FoundValue",
    "RedactOptions",
    "Rewritten",
    "Scan",
    "follow_run",
    "further_finders",
    "key_path",
    "masked_file",
    "redact_settings",
    "redacting",
    "revealed_file",
    "rewrite_results",
    "scan_files",
]
