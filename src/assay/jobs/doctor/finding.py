"""The findings of ``assay doctor``."""

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    """The result of one check, on one line; for a fault it says what to do.

    ``ok`` is None for a note: worth knowing, but not a fault.
    """

    ok: bool | None
    what: str
