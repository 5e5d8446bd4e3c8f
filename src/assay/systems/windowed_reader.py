"""An offline reader with a limited window, which drops the middle of a prompt that is longer.

It stands in for a long-context model where there is none, and shows what a depth map is for:
many servers cut a prompt that does not fit in just this way, and say nothing. What is left
it reads honestly. It knows no answers; it looks for the sentences most like the question
(shared words, rare ones counting more), and answers with the choices that stand in the best
of them, or with the sentence itself. If no sentence is like the question, it says so with an
empty answer.

It expects the prompts of ``assay depth``: the text, a line that closes it (``</…>``), then
the question behind a label, and choices as ``a. text``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.errors import SystemFailed, SystemLoadError
from assay.records import Answer, Question, Usage
from assay.systems.protocol import Setting
from assay.text import HAN, find_phrase, sentences, stem
from assay.text.tokenizer import load_tokenizer

WINDOW: Final = 12_000
"""Tokens it can take in unless it is told otherwise."""

LEAST_LIKE: Final = 0.4
"""A sentence is about the question where it holds this share of what the question says."""

_TOKENIZER: Final = "o200k"
_OPENING: Final = re.compile(r"^<[\w-]+>\n", re.MULTILINE)
_CLOSING: Final = re.compile(r"^</[\w-]+>$", re.MULTILINE)
_QUESTION: Final = re.compile(r"^[^:：\n]{1,20}[:：]\s*(?P<question>\S.*)$", re.MULTILINE)
_CHOICE: Final = re.compile(r"^(?P<letter>[a-z])\. (?P<text>.+)$", re.MULTILINE)
_TERM: Final = re.compile(rf"(?P<han>[{HAN}]+)|[^\W_{HAN}]+")


class _Asked(Struct, frozen=True, kw_only=True):
    """A prompt taken apart."""

    text: str
    question: str
    choices: Mapping[str, str]


class WindowedReader:
    """Reads the first and the last half of its window, whatever the prompt's length."""

    def __init__(self, window: int = WINDOW) -> None:
        self._window = window
        self._tokenizer = load_tokenizer(_TOKENIZER)

    @property
    def identity(self) -> str:
        """Its name and window."""
        return f"reader:{self._window}"

    @property
    def tokenizer_name(self) -> str:
        """The tokenizer that its window and its usage are counted in."""
        return self._tokenizer.name

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """None: it is what it is."""
        return {}

    @property
    def max_concurrency(self) -> int | None:
        """One at a time: it computes, so more would only take turns."""
        return 1

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Answer the prompt that the question's text is."""
        kept, tokens = self.kept(question.text)
        text = msgspec.json.encode({"answer": _answers(_taken_apart(kept))}).decode()
        usage = Usage(calls=1, prompt_tokens=tokens, completion_tokens=self._tokenizer.count(text))
        return Answer(text=text, usage=usage, finish_reason="stop")

    def kept(self, prompt: str) -> tuple[str, int]:
        """What of a prompt fits the window, and its tokens: the beginning and the end.

        >>> WindowedReader(window=4).kept("one two three four five six")
        ('one two five six', 4)
        """
        starts = self._tokenizer.starts(prompt)
        if len(starts) <= self._window:
            return prompt, len(starts)
        half = self._window // 2
        return prompt[: starts[half]] + prompt[starts[len(starts) - half] :], 2 * half

    async def close(self) -> None:
        """Nothing to release."""


def load_windowed_reader(window: str) -> WindowedReader:
    """The reader of ``reader`` or ``reader:WINDOW``."""
    if not window:
        return WindowedReader()
    if not window.isdecimal() or int(window) < 2:
        raise SystemLoadError(f"reader:{window}: write its window in tokens, as in reader:{WINDOW}")
    return WindowedReader(int(window))


def _taken_apart(prompt: str) -> _Asked:
    closings = list(_CLOSING.finditer(prompt))
    text, below = (
        ("", prompt)
        if not closings
        else (
            _inside(prompt[: closings[-1].start()]),
            prompt[closings[-1].end() :],
        )
    )
    question = _QUESTION.search(below)
    if question is None:
        raise SystemFailed(
            "the reader finds no question in the prompt; it reads assay depth's only"
        )
    choices = {match["letter"]: match["text"] for match in _CHOICE.finditer(below)}
    return _Asked(text=text, question=question["question"], choices=choices)


def _inside(prompt: str) -> str:
    """The text below the line that opens it."""
    opening = _OPENING.search(prompt)
    return prompt[opening.end() :] if opening else prompt


def _answers(asked: _Asked) -> Sequence[str]:
    for sentence in _like(asked.question, asked.text):
        if not asked.choices:
            return [sentence]
        named = [letter for letter, text in asked.choices.items() if find_phrase(text, sentence)]
        if named:
            return named
    return []


def _like(question: str, text: str) -> Iterator[str]:
    """The sentences that are about the question, the most like it first."""
    pieces = [span.of(text) for span in sentences(text)]
    held = [_terms(piece) for piece in pieces]
    wanted = _terms(question)
    common = Counter(term for terms in held for term in terms & wanted)
    # a word of the question that stands nowhere weighs as much as one that stands once
    weights = {term: log(1 + len(pieces) / max(common[term], 1)) for term in wanted}
    whole = sum(weights.values())
    likeness = [sum(weights[term] for term in terms & weights.keys()) for terms in held]
    for place in sorted(range(len(pieces)), key=lambda one: -likeness[one]):
        if likeness[place] < LEAST_LIKE * whole or not whole:
            return
        yield pieces[place]


@lru_cache(maxsize=1 << 14)  # the contexts of one novel share their sentences
def _terms(text: str) -> frozenset[str]:
    """The words of a text by their stems; of Chinese, the pairs of characters."""
    found: set[str] = set()
    for match in _TERM.finditer(text.lower()):
        word = match.group()
        if match.lastgroup == "han":
            found.update(one + other for one, other in pairwise(word))
        else:
            found.add(stem(word.replace("ё", "е")))
    return frozenset(found)
