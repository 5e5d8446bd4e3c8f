"""A study: the variants of a run compared on the same questions, for every job."""
