"""Checks of answers: pure, offline, and honest about what they cannot tell."""
