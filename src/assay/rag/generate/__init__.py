"""The generators of the reference pipeline, which have four roles and share one protocol."""
