"""The legal benchmark: facts, sets of evidence, and gaps that must not be filled in."""
