"""Values that must not leak: finding them, replacing them by stable tags, turning tags back."""

from assay.redact.find import find_values
from assay.redact.finding import PRIORITY, Finder, Finding
from assay.redact.mask import Masker
from assay.redact.pseudonym import TAG, Forgotten, KeyFile, Pseudonyms, default_key_path
from assay.redact.secret import find_secrets

__all__ = [
    "PRIORITY",
    "TAG",
    "Finder",
    "Finding",
    "Forgotten",
    "KeyFile",
    "Masker",
    "Pseudonyms",
    "default_key_path",
    "find_secrets",
    "find_values",
]
