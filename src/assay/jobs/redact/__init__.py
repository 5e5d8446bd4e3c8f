"""Values that must not leak in files: listing them, masking a file, turning its tags back."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.redact.follow import follow_run
    from assay.jobs.redact.making import further_finders, key_path
    from assay.jobs.redact.recorded import Rewritten, rewrite_results
    from assay.jobs.redact.rewrite import masked_file, revealed_file
    from assay.jobs.redact.scan import FoundValue, Scan, scan_files
    from assay.jobs.redact.setting import (
        MODES,
        RedactOptions,
        applied,
        open_redaction,
        redact_settings,
        redacting,
    )
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "FoundValue": "scan",
            "MODES": "setting",
            "RedactOptions": "setting",
            "Rewritten": "recorded",
            "Scan": "scan",
            "applied": "setting",
            "follow_run": "follow",
            "further_finders": "making",
            "key_path": "making",
            "masked_file": "rewrite",
            "open_redaction": "setting",
            "redact_settings": "setting",
            "redacting": "setting",
            "revealed_file": "rewrite",
            "rewrite_results": "recorded",
            "scan_files": "scan",
        },
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
