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

    @property
    def is_empty(self) -> bool:
        """Whether nothing is required, so that every answer has the full score.

        >>> Expectation().is_empty, Expectation(must_include=("900",)).is_empty
        (True, False)
        """
        return not (
            self.must_include
            or self.must_include_any
            or self.must_not_include
            or self.require_citation
        )
