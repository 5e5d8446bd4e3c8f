"""A run: its plan, what is asked and when, and the journal that records it."""
