"""Rubrics: by what an answer is judged, and on which scale.

The prompts of a rubric are ``prompts/{zh,ru,en}/NAME.txt``. The text above the line ``---`` is the
system message, the text below it the user message.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, Literal, get_args

from msgspec import Struct

from assay.config import nearest
from assay.errors import UseError
from assay.records import digest
from assay.text import Language

Need = Literal["expected", "passages"]
SHARED: Final = ("repair", "passage", "expected")
"""Prompts that belong to every rubric."""


class Rubric(Struct, frozen=True, kw_only=True):
    """What is asked about an answer.

    ``scale`` gives the score of each verdict, from 0 to 1; it is empty if the score follows from
    claims. ``needs`` is what an answer must have to be judged: an expected answer, or the texts of
    its passages. ``reads`` is what of them the prompt contains. ``rules`` is the text of a user's
    own rubric.
    """

    name: str
    prompt: str
    scale: Mapping[str, float] = {}
    needs: tuple[Need, ...] = ()
    reads: tuple[Need, ...] = ("expected", "passages")
    rules: str = ""

    @property
    def identity(self) -> str:
        """The name, and a hash of everything that shapes the prompts: a changed one is new."""
        texts = [
            prompt(language, name)
            for language in get_args(Language)
            for name in (self.prompt, *SHARED)
        ]
        return f"{self.name}#{digest([texts, dict(self.scale), self.rules])}"


RUBRICS: Final[Mapping[str, Rubric]] = {
    rubric.name: rubric
    for rubric in (
        Rubric(
            name="correctness",
            prompt="correctness",
            scale={"right": 1.0, "wrong": 0.0},
            needs=("expected",),
            reads=("expected",),
        ),
        Rubric(
            name="faithfulness", prompt="faithfulness", needs=("passages",), reads=("passages",)
        ),
        Rubric(
            name="relevance",
            prompt="relevance",
            scale={"relevant": 1.0, "irrelevant": 0.0},
            reads=(),
        ),
        Rubric(
            name="abstention",
            prompt="abstention",
            scale={"abstains": 1.0, "answers": 0.0},
            reads=(),
        ),
    )
}
PREFERENCE: Final = Rubric(
    name="preference",
    prompt="preference",
    scale={"first": 1.0, "second": 0.0, "equal": 0.5},
)
"""The rubric of pairs: which of two answers is better."""


def rubric_named(name: str) -> Rubric:
    """A rubric of this package; raises ``UseError`` if there is none of this name."""
    if name not in RUBRICS:
        raise UseError(
            f"there is no rubric {name!r}{nearest(name, RUBRICS)}; use one of "
            f"{', '.join(RUBRICS)}, or the path of a Markdown file with your own"
        )
    return RUBRICS[name]


def reads_of(name: str) -> tuple[Need, ...]:
    """What the prompt of the rubric of this name contains; everything if it is a user's own."""
    return RUBRICS[name].reads if name in RUBRICS else PREFERENCE.reads


@cache
def prompt(language: Language, name: str) -> str:
    """The text of a prompt file."""
    path = files("assay.judges.rubric") / "prompts" / language / f"{name}.txt"
    return path.read_text(encoding="utf-8")
