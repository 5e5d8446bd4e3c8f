"""Scorers: pure functions that score an answer. They use no network, file or clock."""
