"""The gate: whether a candidate is as good as the base, or cannot be compared with it."""
