"""The kinds of questions that are drafted, and how many of them are wanted."""

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

Kind: TypeAlias = Literal[
    "fact", "number", "date", "multi_passage", "multi_document", "comparison", "yes_no",
    "unanswerable", "choice",
]  # fmt: skip

KINDS: Final[tuple[Kind, ...]] = tuple(kind for kind in get_args(Kind) if kind != "choice")
"""The kinds about a corpus, in the order in which they are told; ``choice`` is about a novel."""

COUNT: Final = 50
"""How many questions are drafted if the user does not say."""


class Wanted(Struct, frozen=True, kw_only=True):
    """How many questions, of which kinds; another seed drafts others."""

    count: int = COUNT
    kinds: tuple[Kind, ...] = KINDS
    seed: int = 0
