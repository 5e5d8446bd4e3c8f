"""Configuring on the page: an experiment as a form and as text, with a dry run beside it."""
