"""Drafts of questions: from templates, without a model, or written by one and checked against the passages."""
