"""assay: measure question answering over documents, with numbers one can defend.

The package loads nothing when it is imported, so that ``import assay`` costs next to nothing.
Start from the layer you need: ``assay.records`` (the vocabulary), ``assay.systems``
(what can be asked), ``assay.runner`` (how cases are run and recorded).

These functions are public and stay as they are documented (docs/library.md). Each is loaded when
it is first used:

- ``abstains(answer, question=None)``: whether an answer says that there is no answer
- ``assess_abstention(answer, question=None)``: the same, with the statements that decided
"""

TYPE_CHECKING = False  # type checkers take it for true; importing it would cost more than the rest
if TYPE_CHECKING:
    from assay.scorers.abstention import abstains as abstains
    from assay.scorers.abstention import assess_abstention as assess_abstention

__version__ = "0.1.0"

_PUBLIC = {
    "abstains": "assay.scorers.abstention",
    "assess_abstention": "assay.scorers.abstention",
}
"""The public functions, each with the module that has it."""


def __getattr__(name: str) -> object:
    """A public function, imported when it is first used."""
    from importlib import import_module  # noqa: PLC0415 - only needed here

    if name not in _PUBLIC:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    function: object = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
