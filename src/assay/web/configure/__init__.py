"""Configuring on the page: an experiment as a form and as text, with a dry run beside it."""

from assay.web.configure.calls import add_configure_calls

__all__ = ["add_configure_calls"]
