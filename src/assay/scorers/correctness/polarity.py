"""Expected answers that are yes or no: what decides is what an answer says as a whole."""

import re
from functools import cache
from typing import Final

from assay.scorers.legal import says_both, stated_boolean
from assay.scorers.mention import answer_span
from assay.text import HAN, normalised, words
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_PARTS: Final = lazy_pattern(
    lambda: (
        rf"[.。!！?？;；,，、/|\n]+|(?:{alternatives('open_answer.or')})|(?:{alternatives('open_answer.and')})"
    )
)
_CIRCUMSTANCE: Final = lazy_pattern(lambda: alternatives("boolean.circumstance"))
_WORD: Final = re.compile(rf"[{HAN}]+|[^\W\d_{HAN}]+")


@cache
def _alone() -> dict[str, bool]:
    """The words that are yes, and those that are no."""
    return {
        **dict.fromkeys(word_list("boolean.yes_alone"), True),
        **dict.fromkeys(word_list("boolean.no_alone"), False),
    }


def expected_boolean(expected: str) -> bool | None:
    """Whether an expected answer is nothing but yes, or nothing but no; ``None`` if neither.

    >>> expected_boolean("Yes."), expected_boolean("нет"), expected_boolean("no limit") is None
    (True, False, True)
    """
    parts = _WORD.findall(normalised(expected, fold_case=True, simplify=True))
    return _alone().get(parts[0]) if len(parts) == 1 else None


def says(expected: str, wanted: bool, answer: str, question: str) -> bool:
    """Whether an answer says the expected yes or no.

    Its first word decides, or else its meaning as an answer to the question. If neither can be
    told, it must contain the expected word, and no word that says the opposite.

    >>> says("no", False, "Yes, there is no limit.", ""), says("да", True, "Верно.", "")
    (False, True)
    """
    if _says_both(answer) or says_both(answer):
        return False
    if _leaves_open(answer, question):
        return False
    stated = stated_boolean(answer, question)
    if stated is not None:
        return stated is wanted
    parts = _WORD.findall(normalised(answer, fold_case=True, simplify=True))
    if any(_alone().get(word) is (not wanted) for word in parts):
        return False
    return answer_span(expected, answer, question) is not None


def _leaves_open(answer: str, question: str) -> bool:
    """Whether an answer only repeats the question without the circumstance that is asked for.

    >>> _leaves_open("Notice is given.", "Is notice given in writing?")
    True
    >>> _leaves_open("Notice is given.", "Is notice given?")
    False
    """
    asked, told = set(words(question)), set(words(answer))
    if not told < asked | set(word_list("boolean.stop_words")):
        return False
    return any(not set(words(match.group())) & told for match in _CIRCUMSTANCE.finditer(question))


def _says_both(answer: str) -> bool:
    """Whether an answer says yes and no, each alone: "Yes. No.", "yes and no".

    >>> _says_both("Да. Нет."), _says_both("Yes. No limit applies.")
    (True, False)
    """
    plain = normalised(answer, fold_case=True, simplify=True)
    said = {_alone().get(part.strip()) for part in _PARTS.split(plain)}
    return {True, False} <= said


def decides(answer: str, question: str) -> bool:
    """Whether an answer begins with yes or no and goes on with a statement."""
    return stated_boolean(_first(answer), question) is not None


def _first(answer: str) -> str:
    return re.split(r"[.。!！;；]", answer.strip(), maxsplit=1)[0]
