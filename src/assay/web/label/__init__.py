"""Labelling on the page: answers to judge, agreement of people."""

from assay.web.label.calls import add_label_calls

__all__ = ["add_label_calls"]
