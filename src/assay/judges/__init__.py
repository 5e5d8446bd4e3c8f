"""Judges: they judge an answer by calling a model."""
