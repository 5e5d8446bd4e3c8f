"""Embedders, which turn text into vectors, and the store that keeps vectors on disk."""
