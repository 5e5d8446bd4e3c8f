"""assay: measure question answering over documents, with numbers one can defend.

Start from the layer you need: ``assay.records`` (the vocabulary), ``assay.systems``
(what can be asked), ``assay.runner`` (how cases are run and recorded).

The checks of single texts are here, and will stay: ``verify_quotation``, ``read_numbers`` and
``read_dates``. They are imported when they are first used, so that ``import assay`` costs next to
nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.judges.verifier import Verification, verify_quotation
    from assay.text import dates as read_dates
    from assay.text import numbers as read_numbers

__version__ = "0.1.0"
__all__ = [
    "Verification",
    "read_dates",
    "read_numbers",
    "verify_quotation",
]

_PLACES = {
    "Verification": ("assay.judges.verifier", "Verification"),
    "read_dates": ("assay.text", "dates"),
    "read_numbers": ("assay.text", "numbers"),
    "verify_quotation": ("assay.judges.verifier", "verify_quotation"),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _PLACES[name]
    value = globals()[name] = getattr(import_module(module), attribute)
    return value
