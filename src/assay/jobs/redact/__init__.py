"""Values that must not leak in files: listing them, masking a file, turning its tags back."""

from assay.jobs.redact.rewrite import masked_file, revealed_file
from assay.jobs.redact.scan import FoundValue, Scan, scan_files

__all__ = ["FoundValue", "Scan", "masked_file", "revealed_file", "scan_files"]
