"""Depth: where in a long context a model stops finding what it was given."""
