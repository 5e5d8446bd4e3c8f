"""Configuring on the page: an experiment as a form and as text, with a dry run beside it."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.web.configure.calls import add_configure_calls
else:
    __getattr__ = lazy_door(__name__, {"add_configure_calls": "calls"})

__all__ = ["add_configure_calls"]
