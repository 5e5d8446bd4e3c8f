"""The kinds of questions that are drafted."""

from typing import Final, Literal, TypeAlias, get_args

Kind: TypeAlias = Literal[
    "fact", "number", "date", "multi_passage", "multi_document", "comparison", "yes_no",
    "unanswerable", "choice",
]  # fmt: skip

KINDS: Final[tuple[Kind, ...]] = tuple(kind for kind in get_args(Kind) if kind != "choice")
"""The kinds about a corpus, in the order in which they are told; ``choice`` is about a novel."""
