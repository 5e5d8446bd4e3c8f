"""Values that must not leak: finding them, replacing them by stable tags, turning tags back."""

from assay.redact.cipher import Cipher
from assay.redact.find import find_values
from assay.redact.finding import PRIORITY, Finder, Finding
from assay.redact.mask import Masker
from assay.redact.name import check_names, find_names
from assay.redact.own import own_finder
from assay.redact.pseudonym import TAG, Forgotten, KeyFile, Pseudonyms, default_key_path
from assay.redact.redaction import Mode, Redaction
from assay.redact.secret import find_secrets

__all__ = [
    "PRIORITY",
    "TAG",
    "Cipher",
    "Finder",
    "Finding",
    "Forgotten",
    "KeyFile",
    "Masker",
    "Mode",
    "Pseudonyms",
    "Redaction",
    "check_names",
    "default_key_path",
    "find_names",
    "find_secrets",
    "find_values",
    "own_finder",
]
