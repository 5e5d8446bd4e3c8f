"""What a question about a PDF requires of its answer, without the rules that score it."""

from msgspec import UNSET, Struct, UnsetType


class Expectation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a question requires of its answer.

    Each item of ``must_include_any`` is a group of alternatives; one of them is enough. With
    ``exact``, required phrases must have the same form as in the question, as forbidden ones.
    """

    must_include: tuple[str, ...] = ()
    must_include_any: tuple[tuple[str, ...], ...] = ()
    must_not_include: tuple[str, ...] = ()
    require_citation: bool = False
    exact: bool | UnsetType = UNSET
