"""What the pipeline asks of a generator: four roles behind one Protocol."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

from assay.records import Passage
from assay.text import HAN, Language, words

Role: TypeAlias = Literal["expand", "hypothesise", "grade", "answer"]
ROLES: Final[tuple[Role, ...]] = ("expand", "hypothesise", "grade", "answer")
"""The four roles, in the order in which the pipeline calls them."""

_PAGE: Final[Mapping[Language, str]] = {"zh": "(第{}页)", "ru": "(стр. {})", "en": "(p. {})"}
_PIECE: Final = re.compile(rf"\s*(?:[{HAN}]|[^\s{HAN}]+)")


class GradesUnreadable(Exception):
    """The grades could not be read: the order stays as given, and the stage says why."""


@runtime_checkable
class Generator(Protocol):
    """Rewrites questions, grades passages and answers from them.

    The n-th passage given to ``answer`` is cited ``[n]``, or by its page where the style is
    ``"page"`` and it has one.
    """

    @property
    def identity(self) -> str:
        """What shapes its replies: changes whenever they might."""
        ...

    @property
    def makes_calls(self) -> bool:
        """Whether its roles cost model calls."""
        ...

    async def expand(self, question: str, count: int) -> list[str]:
        """Other wordings of the question: at most ``count``, distinct, never itself."""
        ...

    async def hypothesise(self, question: str, max_words: int) -> str:
        """A passage such as might answer the question, to search by."""
        ...

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """How far each passage helps to answer, 0..1, in the order of the passages.

        Raises:
            GradesUnreadable: there is no order to be had from what the model said.
        """
        ...

    async def answer(self, question: str, passages: Sequence[Passage], citation_style: str) -> str:
        """An answer from the passages alone, with citations, or the strict no-mention answer."""
        ...

    def calls(self) -> Mapping[str, int]:
        """Model calls made so far, per role."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def citation(number: int, page: int | None, style: str, language: Language) -> str:
    """The mark that cites the passage with this number and page.

    A passage without a page is cited by its number in either style.

    >>> citation(2, 14, "index", "en"), citation(2, 14, "page", "ru"), citation(2, None, "page", "zh")
    ('[2]', '(стр. 14)', '[2]')
    """
    if style == "page" and page is not None:
        return _PAGE[language].format(page)
    return f"[{number}]"


def shortened(text: str, max_words: int) -> str:
    """The longest beginning of ``text`` that has no more words than this.

    >>> shortened("Notice is thirty days.", 3), shortened("合同金额，违约金", 2)
    ('Notice is thirty', '合同金额，')
    """
    pieces = _PIECE.findall(text)
    fitting, too_many = 0, len(pieces) + 1
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if len(words("".join(pieces[:middle]))) <= max_words:
            fitting = middle
        else:
            too_many = middle
    return "".join(pieces[:fitting]).strip()
