"""Short answers that mean neither yes nor no: a word without a predicate, or yes and no together.

"Paid." answers "Did the tenant pay the deposit?", and so does "The deposit was paid"; "deposit",
"purple" and "perhaps" do not. In a few words something must therefore say what is so: a form of the
verb or the quality that the question asks about, an auxiliary verb, or a word of consent.
"""

import re
from functools import cache
from itertools import pairwise
from typing import Final

from assay.text import HAN, stem, tagged_words
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_WORD: Final = re.compile(rf"[^\W\d_{HAN}]+(?:['’-][^\W\d_{HAN}]+)*")
_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_FEW: Final = 3
"""An answer with more words than this is a statement."""
_FEW_HAN: Final = 6
_ROOT: Final = 4
"""So many letters two forms of one verb have in common at least: оплатил, оплачен."""
_PREDICATE: Final = lazy_pattern(lambda: alternatives("boolean.predicate"))
_VERB_FORM: Final = lazy_pattern(lambda: alternatives("boolean.verb_form"))
_FOCUS: Final = lazy_pattern(lambda: alternatives("boolean.focus"))
_LINK: Final = lazy_pattern(lambda: rf"\W+|{alternatives('boolean.both_link')}")
_WHETHER: Final = lazy_pattern(lambda: rf"\W*(?:{alternatives('boolean.whether_alone', 'zh')})\W*")
_PERHAPS: Final = lazy_pattern(lambda: alternatives("boolean.perhaps"))
_ASKS_QUALITY: Final = lazy_pattern(lambda: alternatives("boolean.quality_asked", "en"))


@cache
def _alone() -> dict[str, bool]:
    """The words that are yes, and those that are no."""
    return {
        **dict.fromkeys(word_list("boolean.yes_alone"), True),
        **dict.fromkeys(word_list("boolean.no_alone"), False),
    }


@cache
def _irregular() -> dict[str, str]:
    """The first form of each irregular verb, by its other forms."""
    return dict(pair.split("/") for pair in word_list("boolean.irregular", "en"))


def says_both(form: str) -> bool:
    """Whether an answer is nothing but yes and no.

    >>> says_both("да нет"), says_both("Yes, no."), says_both("Yes."), says_both("是否")
    (True, True, False, True)
    """
    plain = form.lower()
    if _WHETHER.fullmatch(plain):
        return True
    parts = _LINK.sub(" ", plain).split()
    said = {_alone().get(part) for part in parts}
    return said == {True, False}


def says_nothing(form: str, question: str) -> bool:
    """Whether a few words have nothing that could be so or not.

    >>> question = "Did the tenant pay the deposit?"
    >>> [says_nothing(form, question) for form in ("banana", "the deposit", "paid", "He did.")]
    [True, True, False, False]
    """
    if _PERHAPS.fullmatch(form) or form.endswith(("?", "？")):
        return True
    if _HAN_RUN.search(form):
        return _is_noun(form)
    found = [word.lower() for word in _WORD.findall(form)]
    stop = frozenset(word_list("boolean.stop_words"))
    content = [word for word in found if word not in stop]
    if len(content) > _FEW or _PREDICATE.search(form):
        return False
    is_alone = len(content) < 2
    return not any(_is_predicate(word, question, is_alone=is_alone) for word in content)


def _is_noun(form: str) -> bool:
    """Whether a short Chinese text has no verb and no quality."""
    runs = _HAN_RUN.findall(form)
    if sum(map(len, runs)) > _FEW_HAN or _WORD.search(form):
        return False
    tags = (tag for run in runs for _, tag in tagged_words(run))
    return not any(tag[:1] in set("vailz") and tag not in {"vn", "an"} for tag in tags)


def _is_predicate(word: str, question: str, *, is_alone: bool) -> bool:
    """Whether a word says that something is so; a word alone must be about what is asked."""
    asked = [other.lower() for other in _WORD.findall(question)]
    if _irregular().get(word) in asked:
        return True
    if focus := [match[1].lower() for match in _FOCUS.finditer(question)]:
        is_focus = any(_is_same_root(word, other) for other in focus)
        return is_focus or (not is_alone and _VERB_FORM.fullmatch(word) is not None)
    if quality := _ASKS_QUALITY.match(question):
        if word in _WORD.findall(quality["quality"].lower()):
            return True
    elif _is_present_form(word, asked):
        return True
    if not _VERB_FORM.fullmatch(word):
        return False
    return not is_alone or any(_is_same_root(word, other) for other in asked)


def _is_present_form(word: str, asked: list[str]) -> bool:
    """Whether a word is the verb of the question with an s: "Does the licence cover it?" – "Covers."."""
    determiners = frozenset(word_list("boolean.determiner", "en"))
    return any(
        word in {f"{verb}s", f"{verb}es"} and before not in determiners
        for before, verb in pairwise(asked)
    )


def _is_same_root(first: str, second: str) -> bool:
    return stem(first) == stem(second) or (
        min(len(first), len(second)) >= _ROOT and first[:_ROOT] == second[:_ROOT]
    )
