"""Whether a clause denies that the answer to a known question is told.

``phrase`` finds what abstains whatever was asked. If the question is known, much weaker signs are
enough: "No reason is given" refuses a question that begins with "why". A clause denies the answer
if a negation is followed by a verb of telling or finding, and

* the question asks for a detail (who, when, how many), or the verb is one of knowing or proving
  ("has not been established"), which refuses a question of yes or no too;
* the verb is not a word of the question: "The report was not published" answers "When was the
  report published?";
* the question itself denies nothing: "The first row can't be reserved" answers "Which seats can't
  be reserved?".

The words are in the lexicon (``assay.text.lexicon``), under ``denial``.
"""

import re
from collections.abc import Iterator
from typing import Final

from assay.scorers.abstention.question import Focus, content_words
from assay.text import HAN
from assay.text.lexicon import ScriptPattern

_TOLD: Final = ScriptPattern("denial.told")
_KNOWN: Final = ScriptPattern("denial.known")
ANSWER: Final = ScriptPattern("denial.answer")
_DOCUMENT: Final = ScriptPattern("words.document")
_DETAIL: Final = ScriptPattern("words.detail")
_GIVEN: Final = ScriptPattern("words.given_participle")
_LAST_WORD: Final = re.compile(r"[^\W\d_]+\Z")
_HAN: Final = re.compile(f"[{HAN}]")


def denials(clause: str, asked: Focus) -> Iterator[re.Match[str]]:
    """The matches in ``clause`` that deny the answer to what is asked.

    ``clause`` must be in lower case.

    >>> from assay.scorers.abstention.question import focus
    >>> [match.group() for match in denials("no reason is given.", focus("Why was it late?"))]
    ['no reason is given']
    >>> list(denials("it was not published.", focus("When was it published?")))
    []
    """
    if asked.denies or asked.expects_absence or ANSWER.search(clause):
        return
    patterns = (_TOLD, _KNOWN) if asked.asks_detail else (_KNOWN,)
    for pattern in patterns:
        for match in pattern.finditer(clause):
            is_repeated = repeats_question(match.group(), clause[match.end() :], asked)
            if not is_repeated and not _denies_subject(match.group(), clause, asked):
                yield match


def _denies_subject(denial: str, clause: str, asked: Focus) -> bool:
    """Whether what is asked about is denied itself: "No refunds are given on sale items"."""
    if _DOCUMENT.search(clause) or _DETAIL.search(denial) or not _GIVEN.search(denial):
        return False
    return bool(content_words(denial) & asked.words)


def repeats_question(denial: str, after: str, asked: Focus) -> bool:
    """Whether the verb that is denied, the last word, is a word of the question."""
    if _HAN.search(denial):
        return any(denial.endswith(word) for word in asked.words if len(word) > 1)
    ending = re.match(r"[^\W\d_]*", after)
    last = _LAST_WORD.search(denial + (ending.group() if ending else ""))
    return last is not None and bool(content_words(last.group()) & asked.words)
