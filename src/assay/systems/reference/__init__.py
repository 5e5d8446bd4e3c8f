"""The reference pipeline as a system under test."""

from assay.systems.reference.load import load_reference

__all__ = [
    "load_reference",
]
