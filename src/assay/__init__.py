"""assay: measure question answering over documents, with numbers one can defend.

The package loads nothing when it is imported, so that ``import assay`` costs next to nothing.
Start from the layer you need: ``assay.records`` (the vocabulary), ``assay.systems``
(what can be asked), ``assay.runner`` (how cases are run and recorded).

These functions are public and stay as they are documented (docs/judge.md). Each is loaded when
it is first used:

- ``check_answer(expected, answer, question=None)``: whether an answer gives an expected value
- ``abstains(answer, question=None)``: whether an answer says that there is no answer
- ``assess_abstention(answer, question=None)``: the same, with the sentence that decides
- ``verify_quotation(quotation, source)``: whether a quotation stands in its source
- ``read_numbers(text)`` and ``read_dates(text)``: values with their places
"""

TYPE_CHECKING = False  # type checkers take it for true; importing it would cost more than the rest
if TYPE_CHECKING:
    from assay.checks import Check as Check
    from assay.checks import Verification as Verification
    from assay.checks import abstains as abstains
    from assay.checks import assess_abstention as assess_abstention
    from assay.checks import check_answer as check_answer
    from assay.checks import verify_quotation as verify_quotation
    from assay.text import dates as read_dates
    from assay.text import read_numbers as read_numbers

__version__ = "0.2.0"
__all__ = [
    "Check",
    "Verification",
    "abstains",
    "assess_abstention",
    "check_answer",
    "read_dates",
    "read_numbers",
    "verify_quotation",
]

_PLACES = {
    "Check": ("assay.checks", "Check"),
    "Verification": ("assay.checks", "Verification"),
    "abstains": ("assay.checks", "abstains"),
    "assess_abstention": ("assay.checks", "assess_abstention"),
    "check_answer": ("assay.checks", "check_answer"),
    "read_dates": ("assay.text", "dates"),
    "read_numbers": ("assay.text", "read_numbers"),
    "verify_quotation": ("assay.checks", "verify_quotation"),
}
"""The public names, each with the module that has it and its name there."""


def __getattr__(name: str) -> object:
    """A public name, imported when it is first used."""
    from importlib import import_module  # noqa: PLC0415 - only needed here

    if name not in _PLACES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    module, attribute = _PLACES[name]
    value: object = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
