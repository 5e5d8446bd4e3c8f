"""An offline reader with a limited window, which drops the middle of a longer prompt.

It replaces a long-context model if none is available, and it shows what a depth map is for: many
servers cut a prompt that does not fit in the same way, without telling the user. The reader knows
no answers. In the rest of the text it looks for the sentences that are most similar to the
question (shared words, where rare words count more). It answers with the choices that the best
of these sentences contain, or with the best sentence itself if there are no choices. If no
sentence is similar enough, the answer is empty.

It expects the prompts of ``assay depth``: the text, a line that closes it (``</…>``), then the
question after a label, and choices written as ``a. text``.
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
from assay.text.character import HAN
from assay.text.search_term import find_phrase, stem
from assay.text.sentence import sentences
from assay.text.tokenizer import load_tokenizer

WINDOW: Final = 12_000
"""The default size of the window in tokens."""

MIN_SIMILARITY: Final = 0.4
"""A sentence is about the question if the weights of the words they share are at least this part
of the weights of all words of the question."""

_TOKENIZER: Final = "o200k"
_OPENING: Final = re.compile(r"^<[\w-]+>\n", re.MULTILINE)
_CLOSING: Final = re.compile(r"^</[\w-]+>$", re.MULTILINE)
_QUESTION: Final = re.compile(r"^[^:：\n]{1,20}[:：]\s*(?P<question>\S.*)$", re.MULTILINE)
_CHOICE: Final = re.compile(r"^(?P<letter>[a-z])\. (?P<text>.+)$", re.MULTILINE)
_TERM: Final = re.compile(rf"(?P<han>[{HAN}]+)|[^\W_{HAN}]+")


class _Prompt(Struct, frozen=True, kw_only=True):
    """The parts of a prompt of ``assay depth``."""

    text: str
    question: str
    choices: Mapping[str, str]


class WindowedReader:
    """Reads half a window from the beginning and half a window from the end of each prompt."""

    def __init__(self, window: int = WINDOW) -> None:
        self._window = window
        self._tokenizer = load_tokenizer(_TOKENIZER)

    @property
    def identity(self) -> str:
        """The name ``reader`` and the size of the window."""
        return f"reader:{self._window}"

    @property
    def tokenizer_name(self) -> str:
        """The name of the tokenizer that counts the tokens of the window and of the usage."""
        return self._tokenizer.name

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """An empty mapping: the reader has no settings."""
        return {}

    @property
    def max_concurrency(self) -> int | None:
        """1: the reader only computes, so simultaneous questions would not be faster."""
        return 1

    @property
    def costs_nothing(self) -> bool:
        """True: it counts tokens only to say where its window ends."""
        return True

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Answer a prompt of ``assay depth``, which is the question's text."""
        prompt, tokens = self.cut(question.text)
        text = msgspec.json.encode({"answer": _answers(_parse(prompt))}).decode()
        usage = Usage(calls=1, prompt_tokens=tokens, completion_tokens=self._tokenizer.count(text))
        return Answer(text=text, usage=usage, finish_reason="stop")

    def cut(self, prompt: str) -> tuple[str, int]:
        """The beginning and the end of a prompt that fit the window, and their token count.

        A prompt that fits the window is returned unchanged.

        >>> WindowedReader(window=4).cut("one two three four five six")
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
    """The reader for the specification ``reader`` or ``reader:WINDOW``.

    Raises ``SystemLoadError`` if the window is not a number of at least 2.
    """
    if not window:
        return WindowedReader()
    if not window.isdecimal() or int(window) < 2:
        raise SystemLoadError(
            f"reader:{window}: write the window as a number of tokens, for example reader:{WINDOW}"
        )
    return WindowedReader(int(window))


def _parse(prompt: str) -> _Prompt:
    closings = list(_CLOSING.finditer(prompt))
    text, below = (
        ("", prompt)
        if not closings
        else (
            _after_opening(prompt[: closings[-1].start()]),
            prompt[closings[-1].end() :],
        )
    )
    question = _QUESTION.search(below)
    if question is None:
        raise SystemFailed(
            "the reader finds no question in the prompt; it reads only prompts of assay depth"
        )
    choices = {match["letter"]: match["text"] for match in _CHOICE.finditer(below)}
    return _Prompt(text=text, question=question["question"], choices=choices)


def _after_opening(prompt: str) -> str:
    """The text after the line that opens it."""
    opening = _OPENING.search(prompt)
    return prompt[opening.end() :] if opening else prompt


def _answers(prompt: _Prompt) -> Sequence[str]:
    for sentence in _relevant_sentences(prompt.question, prompt.text):
        if not prompt.choices:
            return [sentence]
        letters = [letter for letter, text in prompt.choices.items() if find_phrase(text, sentence)]
        if letters:
            return letters
    return []


def _relevant_sentences(question: str, text: str) -> Iterator[str]:
    """The sentences that are about the question, the most similar first."""
    candidates = [span.of(text) for span in sentences(text)]
    candidate_terms = [_terms(sentence) for sentence in candidates]
    question_terms = _terms(question)
    frequency = Counter(term for terms in candidate_terms for term in terms & question_terms)
    # a word of the question that no sentence contains weighs as much as one that a single
    # sentence contains
    weights = {term: log(1 + len(candidates) / max(frequency[term], 1)) for term in question_terms}
    total = sum(weights.values())
    similarity = [
        sum(weights[term] for term in terms & weights.keys()) for terms in candidate_terms
    ]
    for index in sorted(range(len(candidates)), key=lambda index: -similarity[index]):
        if similarity[index] < MIN_SIMILARITY * total or not total:
            return
        yield candidates[index]


@lru_cache(maxsize=1 << 14)  # the contexts of one novel share their sentences
def _terms(text: str) -> frozenset[str]:
    """The stems of the words of a text; for Chinese, the pairs of neighbouring characters."""
    terms: set[str] = set()
    for match in _TERM.finditer(text.lower()):
        word = match.group()
        if match.lastgroup == "han":
            terms.update(first + second for first, second in pairwise(word))
        else:
            terms.add(stem(word.replace("ё", "е")))
    return frozenset(terms)
