"""Checking a set of questions: ``assay questions check``."""
