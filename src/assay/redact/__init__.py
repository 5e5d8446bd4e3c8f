"""Values that must not leak: finding them, replacing them by stable tags, turning tags back."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.redact.cipher import Cipher
    from assay.redact.error_text import masked_error, masked_errors, without_secrets
    from assay.redact.find import find_values
    from assay.redact.finding import PRIORITY, Finder, Finding
    from assay.redact.key_form import has_key_form
    from assay.redact.mask import Masker
    from assay.redact.name import check_names, find_names
    from assay.redact.own import own_finder
    from assay.redact.pseudonym import TAG, Forgotten, KeyFile, Pseudonyms, default_key_path
    from assay.redact.redaction import Mode, Redaction
else:
    # the text of an error needs only the forms of secrets, which are read quickly
    __getattr__ = lazy_door(
        __name__,
        {
            "PRIORITY": "finding",
            "TAG": "pseudonym",
            "Cipher": "cipher",
            "Finder": "finding",
            "Finding": "finding",
            "Forgotten": "pseudonym",
            "KeyFile": "pseudonym",
            "Masker": "mask",
            "Mode": "redaction",
            "Pseudonyms": "pseudonym",
            "Redaction": "redaction",
            "check_names": "name",
            "default_key_path": "pseudonym",
            "find_names": "name",
            "find_values": "find",
            "has_key_form": "key_form",
            "masked_error": "error_text",
            "masked_errors": "error_text",
            "own_finder": "own",
            "without_secrets": "error_text",
        },
    )

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
    "find_values",
    "has_key_form",
    "masked_error",
    "masked_errors",
    "own_finder",
    "without_secrets",
]
