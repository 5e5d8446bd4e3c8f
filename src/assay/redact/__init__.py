"""Values that must not leak: finding them, replacing them by stable tags, turning tags back."""

from assay.redact.find import find_values
from assay.redact.finding import PRIORITY, Finder, Finding

__all__ = ["PRIORITY", "Finder", "Finding", "find_values"]
