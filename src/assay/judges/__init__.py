"""Judges: they decide about an answer by calling a model."""
