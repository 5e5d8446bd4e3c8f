"""Judges of recorded answers: models with a rubric, people with labels, and how far each can be trusted."""
