"""The words of a statement, and where they are in the answer."""

from functools import cached_property
from typing import NamedTuple

from assay.scorers.abstention import context
from assay.scorers.abstention.part import is_fragment, pauses
from assay.scorers.abstention.sentence import Sentence
from assay.scorers.abstention.stretch import Stretch
from assay.text import Span


class Part(NamedTuple):
    """A part of a statement that claims something beside a refusal."""

    text: str
    span: Span


class Wording:
    """The words of a statement. All spans are offsets in the answer.

    Args:
        answer: the whole answer.
        sentence: the sentence of the statement.
        stretch: where the statement is in it.
    """

    def __init__(self, answer: str, sentence: Sentence, stretch: Stretch) -> None:
        self.answer = answer
        self.sentence = sentence
        self._stretch = stretch
        self.text = sentence.cased[stretch.start : stretch.end]
        self.form = sentence.text[stretch.start : stretch.end]
        """The text in lower case."""

    @cached_property
    def span(self) -> Span:
        """Where the statement is."""
        return self.sentence.span(*self._stretch)

    @cached_property
    def segment(self) -> str:
        """The statement as the answer has it, with its quotations."""
        return self.answer[self.span.start : self.span.end]

    @cached_property
    def parts(self) -> list[str]:
        """The parts between commas, in lower case."""
        text = self.sentence.text
        return [text[start:end] for start, end in pauses(text, *self._stretch)]

    def begins_with_fragment(self, part: str) -> bool:
        """Whether ``part`` is such a fragment at the beginning of the statement."""
        return self.text.startswith(part) and is_fragment(part.lower())

    @cached_property
    def is_guess(self) -> bool:
        """Whether the statement guesses."""
        return context.HEDGE.search(self.form) is not None

    @cached_property
    def is_attributed(self) -> bool:
        """Whether the statement names the text as its source."""
        return context.ATTRIBUTION.match(self.form) is not None
