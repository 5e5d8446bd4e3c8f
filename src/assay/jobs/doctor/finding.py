"""What a check-up says: one line a finding, with what to do where something is wrong."""

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    """One thing looked at. ``ok`` is ``None`` for what is worth knowing but no fault."""

    ok: bool | None
    what: str
