"""Values that must not leak in files: listing them, masking a file, turning its tags back."""

from assay.jobs.redact.recorded import Rewritten, rewrite_results
from assay.jobs.redact.rewrite import masked_file, revealed_file
from assay.jobs.redact.scan import FoundValue, Scan, scan_files
from assay.jobs.redact.setting import further_finders, key_path, make_redaction

__all__ = [
    "FoundValue",
    "Rewritten",
    "Scan",
    "further_finders",
    "key_path",
    "make_redaction",
    "masked_file",
    "revealed_file",
    "rewrite_results",
    "scan_files",
]
