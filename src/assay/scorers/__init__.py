"""Scorers: pure functions of an answer and of what was wanted. No network, file or clock."""
