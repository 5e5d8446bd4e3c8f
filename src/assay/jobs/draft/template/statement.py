"""Sentences that can be understood alone, and how their first word is written inside another one."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from assay.jobs.draft.template.part import capitalised
from assay.jobs.draft.template.wording import Wording, wording
from assay.text import HAN, Language, Span, language, sentences, stem, tagged_words

LONGEST_SENTENCE: Final = 600
"""Characters of a sentence that is looked at; what is longer is a list or a table."""
_NOTE: Final = re.compile(r"\s*\[[^\[\]]*\]")
_BRACKET: Final = re.compile(r"\s*[(（][^()（）]*[)）]")
_SPACES: Final = re.compile(r"\s+")
_HAN_SPACE: Final = re.compile(rf"(?<=[{HAN}，。、《》·])\s+|\s+(?=[{HAN}，。、《》·])")
_WORD: Final = re.compile(r"[^\W\d_][\w’'-]*")
_UNBALANCED: Final = re.compile(r"[()（）\[\]{}<>|*_#=\\/×^]")
_QUOTES: Final = ("“”", "«»", "「」", "《》")
_ABBREVIATED: Final = re.compile(r"(?<!\d)\b[a-zа-яё]{1,2}\.$")
_MIDDLE: Final = re.compile(r"(?<=[\w,] )[A-ZА-ЯЁ][\w’'-]*")


class Letters:
    """Which words of a text are written with a small letter, and which are names."""

    def __init__(self, text: str, words: Wording) -> None:
        self._small = frozenset(
            stem(word.lower()) for word in set(_WORD.findall(text)) if word[0].islower()
        )
        self._names = frozenset(_MIDDLE.findall(text))
        self._wording = words

    def begins_with_name(self, clause: str) -> bool:
        """Whether the first word of a clause is a name, as far as the text shows."""
        match = _WORD.match(clause)
        if match is None or not match[0][0].isupper():
            return False
        word = match[0]
        is_known = word in self._names or word in self._wording.given_names
        return is_known and stem(word.lower()) not in self._small

    def inside(self, clause: str) -> str | None:
        """A clause as it is written inside a sentence; None if that is not known."""
        match = _WORD.match(clause)
        if self._wording.language == "zh" or match is None or not match[0][0].isupper():
            return clause
        word = match[0]
        if word in self._wording.lower:
            return word[0].lower() + clause[1:]
        if word in self._wording.given_names or word[1:].lower() != word[1:]:
            return clause
        follows_name = clause[match.end() + 1 : match.end() + 2].isupper()
        if follows_name and self._wording.language == "en":
            return clause
        is_small = stem(word.lower()) in self._small
        if is_small != (word in self._names):
            return word[0].lower() + clause[1:] if is_small else clause
        if not is_small and self._wording.common.search(word) and not follows_name:
            return word[0].lower() + clause[1:]
        if self._wording.language == "ru" and not is_small and not follows_name:
            return None  # a noun like any other, or a name: nothing says which
        return clause if not is_small and not self._wording.unclear.search(word) else None


class Statement(Struct, frozen=True, kw_only=True):
    """A sentence that can be understood alone.

    ``text`` is without notes and brackets; ``evidence`` is the sentence as the passage has it, and
    ``span`` is where. A simple one has no subordinate clause. A vague one speaks of "the city".
    """

    text: str
    evidence: str
    span: Span
    language: Language
    is_simple: bool
    is_vague: bool

    def located(self, answer: str) -> str | None:
        """The answer as the passage writes it; None if the passage does not have it in one piece."""
        if answer in self.evidence:
            return answer
        parts = (re.escape(character) for character in answer if not character.isspace())
        match = re.search(r"\s*".join(parts), self.evidence)
        return match[0] if match else None


def statements(passage: str) -> Iterator[Statement]:
    """The sentences of a passage that can be understood alone, in order."""
    for span in sentences(passage):
        sentence = span.of(passage)
        if len(sentence) > LONGEST_SENTENCE:
            continue
        speech = language(sentence)
        words = wording(speech)
        text = _clean(sentence, speech)
        if "dropped" in words.statement:
            text = words.statement["dropped"].sub("", text)
        if words.statement["dropped_start"].match(text):
            text = capitalised(words.statement["dropped_start"].sub("", text))
        if _stands_alone(text, words):
            yield Statement(
                text=text,
                evidence=sentence,
                span=span,
                language=speech,
                is_simple=words.statement["subordinate"].search(text) is None,
                is_vague=words.statement["vague"].search(text) is not None,
            )


def _clean(sentence: str, speech: Language) -> str:
    text = _SPACES.sub(" ", _BRACKET.sub("", _NOTE.sub("", sentence))).strip()
    return _HAN_SPACE.sub("", text) if speech == "zh" else text


def text_size(text: str, speech: Language) -> int:
    """The length of a text in words, or in characters if it is Chinese."""
    return len(text) if speech == "zh" else len(text.split())


def _stands_alone(text: str, words: Wording) -> bool:
    rules = words.statement
    size = text_size(text, words.language)
    if not rules["shortest"] <= size <= rules["longest"]:
        return False
    if not text.endswith("。" if words.language == "zh" else ".") or text.endswith(".."):
        return False
    if (
        _ABBREVIATED.search(text)
        or _UNBALANCED.search(text)
        or not text[0].isalnum()
        or text[0].islower()
    ):
        return False
    if any(text.count(left) != text.count(right) for left, right in _QUOTES) or text.count('"') % 2:
        return False
    if rules["not_at_start"].search(text) or rules["not_anywhere"].search(text):
        return False
    return "possessive" not in rules or not rules["possessive"].search(text[:40])


def names_something(text: str, words: Wording) -> bool:
    """Whether a text has a name, so that it does not speak of "the city" that another one names.

    >>> names_something("The city grew in what year?", wording("en"))
    False
    """
    if words.statement["proper"].search(text):
        return True
    tags = words.statement["name_tags"]
    return bool(tags) and any(tag in tags and len(word) > 1 for word, tag in tagged_words(text))
