"""Statistics as pure functions: no files, no clock, and random numbers only from a seed."""
