"""The interface of a generator: the four roles that the pipeline uses."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

from assay.records import Passage
from assay.text.character import HAN
from assay.text.language import Language
from assay.text.search_term import words

Role: TypeAlias = Literal["expand", "hypothesise", "grade", "answer"]
ROLES: Final[tuple[Role, ...]] = ("expand", "hypothesise", "grade", "answer")
"""The four roles, in the order in which the pipeline calls them."""

_PAGE: Final[Mapping[Language, str]] = {"zh": "(第{}页)", "ru": "(стр. {})", "en": "(p. {})"}
_PIECE: Final = re.compile(rf"\s*(?:[{HAN}]|[^\s{HAN}]+)")


class GradesUnreadable(Exception):
    """The grades could not be read. The pipeline then keeps the order and records the reason."""


@runtime_checkable
class Generator(Protocol):
    """Rewrites questions, grades passages and answers from them.

    ``answer`` cites its n-th passage as ``[n]``, or by its page if the citation style is
    ``"page"`` and the passage has one.
    """

    @property
    def identity(self) -> str:
        """Identifies everything that affects the replies; it changes whenever they could."""
        ...

    @property
    def makes_calls(self) -> bool:
        """Whether it calls a model."""
        ...

    async def expand(self, question: str, count: int) -> list[str]:
        """Return at most ``count`` distinct other wordings of the question."""
        ...

    async def hypothesise(self, question: str, max_words: int) -> str:
        """Return a passage that could answer the question, to search with."""
        ...

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Return how much each passage helps to answer, from 0 to 1, in the order of the passages.

        Raises:
            GradesUnreadable: the model's reply does not contain a valid grade for each passage.
        """
        ...

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """Answer with citations and from the passages only, or return the no-mention answer."""
        ...

    def calls(self) -> Mapping[str, int]:
        """The number of model calls so far, for each role."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


def citation(number: int, page: int | None, style: str, language: Language) -> str:
    """The citation of the passage with this number and page.

    A passage without a page is cited by its number in both styles.

    >>> citation(2, 14, "index", "en"), citation(2, 14, "page", "ru"), citation(2, None, "page", "zh")
    ('[2]', '(стр. 14)', '[2]')
    """
    if style == "page" and page is not None:
        return _PAGE[language].format(page)
    return f"[{number}]"


def first_words(text: str, max_words: int) -> str:
    """The longest beginning of ``text`` that has at most ``max_words`` words.

    >>> first_words("Notice is thirty days.", 3), first_words("合同金额，违约金", 2)
    ('Notice is thirty', '合同金额，')
    """
    pieces = _PIECE.findall(text)
    fits, too_many = 0, len(pieces) + 1
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if len(words("".join(pieces[:middle]))) <= max_words:
            fits = middle
        else:
            too_many = middle
    return "".join(pieces[:fits]).strip()
