"""Judges on the page: what they said about each answer, and how far they can be trusted."""
