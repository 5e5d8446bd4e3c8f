"""The corpus on the page: searching it, and making a found passage the gold of a question."""

from assay.web.corpus.calls import add_corpus_calls

__all__ = ["add_corpus_calls"]
