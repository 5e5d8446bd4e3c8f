"""Values that must not leak in files: listing them, masking a file, turning its tags back."""

from assay.jobs.redact.rewrite import masked_file, revealed_file
from assay.jobs.redact.scan import FoundValue, Scan, scan_files
from assay.jobs.redact.setting import RedactOptions, key_path, redacting

__all__ = [
    "FoundValue",
    "RedactOptions",
    "Scan",
    "key_path",
    "masked_file",
    "redacting",
    "revealed_file",
    "scan_files",
]
