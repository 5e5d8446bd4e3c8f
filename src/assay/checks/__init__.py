"""Checks of answers: pure, offline, and honest about what they cannot tell."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.checks.quotation import (
        THRESHOLD,
        Candidate,
        Difference,
        Verification,
        verify_quotation,
    )
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "THRESHOLD": "quotation",
            "Candidate": "quotation",
            "Difference": "quotation",
            "Verification": "quotation",
            "verify_quotation": "quotation",
        },
    )

__all__ = [
    "THRESHOLD",
    "Candidate",
    "Difference",
    "Verification",
    "verify_quotation",
]
