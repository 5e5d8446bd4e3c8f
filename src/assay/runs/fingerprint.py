"""The fingerprint of a case: ``system-settings-question``, three short hashes of what is asked.

If the system has a configuration of its own, the hash of the whole configuration follows that of the
settings: ``system-settings.configuration-question``. Rows of earlier versions do not have it; such a
row is compared by what it has.
"""

from typing import Final

from assay.records import Variant, digest

CONFIGURED: Final = "."


def settings_mark(variant: Variant) -> str:
    """The middle part of the fingerprints of a variant.

    >>> on = Variant(name="on", settings={"x": 1})
    >>> whole = Variant(name="on", settings={"x": 1}, configuration={"x": 1, "k": 60})
    >>> settings_mark(whole).startswith(settings_mark(on) + ".")
    True
    """
    mark = digest(variant.settings)
    if not variant.configuration:
        return mark
    return f"{mark}{CONFIGURED}{digest(variant.configuration)}"


def in_scheme_of(recorded: str, fingerprint: str) -> str:
    """A fingerprint of today as the version that wrote ``recorded`` would have written it.

    >>> in_scheme_of("a1-b2-c3", "a1-b2.d4-c3"), in_scheme_of("a1-b2.d5-c3", "a1-b2.d4-c3")
    ('a1-b2-c3', 'a1-b2.d4-c3')
    """
    if CONFIGURED in recorded or CONFIGURED not in fingerprint:
        return fingerprint
    start, _, rest = fingerprint.partition(CONFIGURED)
    _, dash, question = rest.partition("-")
    return f"{start}{dash}{question}"


def is_same(recorded: str, fingerprint: str) -> bool:
    """Whether two fingerprints, or two middle parts of them, agree in what both have.

    >>> is_same("b2", "b2.d4"), is_same("b2.d5", "b2.d4")
    (True, False)
    """
    return in_scheme_of(recorded, fingerprint) == in_scheme_of(fingerprint, recorded)
