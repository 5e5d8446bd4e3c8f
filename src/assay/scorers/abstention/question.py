"""What a question asks for, and whether a statement could answer it."""

import re
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from assay.scorers.abstention.context import DATING, DOCUMENT
from assay.text import (
    HAN,
    Ranges,
    dates,
    expected_types,
    language,
    normalised,
    numbers,
    stem,
    types_present,
    words,
)
from assay.text.lexicon import (
    ScriptPattern,
    alternation,
    entry,
    expressions,
    lazy_pattern,
    word_list,
)

_SEVERAL: Final = lazy_pattern(lambda: alternation(*expressions("question.several")))
_REJECTED: Final = lazy_pattern(lambda: alternation(*expressions("question.rejected")))
_ADVICE: Final = lazy_pattern(lambda: alternation(*expressions("question.advice")))
_POLAR: Final = lazy_pattern(lambda: alternation(*expressions("question.polar")))
_ABOUT_TEXT: Final = lazy_pattern(lambda: alternation(*expressions("question.about_text")))
_EXISTENCE: Final = lazy_pattern(lambda: alternation(*expressions("question.existence")))
_TWO: Final = lazy_pattern(lambda: alternation(*expressions("question.two")))
_ABSENCE: Final = lazy_pattern(lambda: alternation(*expressions("question.absence")))
_REASON: Final = lazy_pattern(lambda: alternation(*expressions("question.reason")))
_NEGATION: Final = lazy_pattern(lambda: alternation(*expressions("clause.negation")))
_PREFIX: Final = lazy_pattern(lambda: alternation(*expressions("question.negative_prefix")))
_NEXT_WORD: Final = re.compile(r"\s*([^\W\d_]+)")
_REASON_WORD: Final = lazy_pattern(lambda: alternation(*expressions("question.reason_word")))
_FINDINGS: Final = lazy_pattern(lambda: alternation(*expressions("question.findings")))
_DISCOVERY: Final = lazy_pattern(lambda: alternation(*expressions("question.discovery")))
_CODE: Final = lazy_pattern(lambda: alternation(*expressions("question.code")))
_OUTCOME: Final = lazy_pattern(lambda: alternation(*expressions("question.outcome")))
_MEANING: Final = lazy_pattern(lambda: alternation(*expressions("question.meaning")))
_DETAIL: Final = lazy_pattern(lambda: alternation(*expressions("denial.detail_question")))
_DENIED: Final = lazy_pattern(lambda: alternation(*expressions("denial.negated_question")))
_CAUSE: Final = ScriptPattern("question.cause")
_HAN_AND: Final = lazy_pattern(lambda: alternation(*expressions("clause.and", "zh")))
_TELLING: Final = ScriptPattern("words.telling")
_HAN: Final = re.compile(f"[{HAN}]")
_WORD: Final = re.compile(r"[0-9]+|[^\W\d_]+")
_FLEETING: Final = re.compile("(?<=[а-яё]{3})[ое](?=[кц]$)")
_MEASURED: Final = frozenset({"amount", "date", "duration", "number"})
"""Kinds of answers that need a figure or a word for time or money."""
_COUNTED: Final = frozenset({"amount", "number"})
"""Kinds of answers that a date does not give."""
_SHORT: Final = 8
"""A statement of so few words may answer without repeating a word of the question."""
_NEW_REASON: Final = 2
"""Fewer new words are a reason only with a word such as "because"."""
_OBJECT: Final = 3
"""So many words after a negation tell what is denied."""
_LISTED: Final = 2
"""So many Chinese enumeration commas make a list, and so many shared words make it relevant."""
_GUESS: Final = 4
"""A guess of so few words says nothing but the answer."""
_ROOT: Final = 5
"""Words with so many equal letters at the beginning have the same root (explain, explanation)."""
_LONG_ROOT: Final = 7
"""Words with so many equal letters at the beginning are forms of one word (funding, funded)."""
_NEW_MATTER: Final = 3
"""So many new words, the negation among them, tell what a text lacks."""


class Focus(Struct, frozen=True, kw_only=True):
    """What a question asks for.

    ``words`` are the words by which a statement shows that it is about the question: without
    question words, stop words and words for the text. ``figures`` are the numbers that the
    question names itself; ``kinds`` are the kinds of answers it expects. ``expects_absence`` is
    true if "it does not mention that" answers the question: "Does the contract mention a fee?",
    "What is missing?". ``asks_detail`` is true if it asks who, when, how many; ``denies`` if it
    contains a negation; ``is_polar`` if it is a question of yes or no; ``asks_reason`` if it asks
    why; ``asks_findings`` if it asks what somebody found; ``asks_outcome`` if it asks how an inquiry ended; ``asks_code`` if it asks what an error or a state is; ``asks_meaning`` if it asks what a word or
    a sign means, or what somebody says; ``asks_advice`` if it asks what the reader should do;
    ``asks_rejection`` if it speaks of something that was turned down or sent back; ``asks_two`` if it
    consists of two questions; ``asks_existence`` if it asks whether there is something;
    ``asks_discovery`` if it asks whether something is known or was found out. ``told`` are
    the beginnings of its verbs of telling: "Does the will mention …?"
    """

    words: frozenset[str]
    kinds: frozenset[str]
    figures: frozenset[str]
    asks_several: bool
    expects_absence: bool
    asks_detail: bool
    denies: bool
    is_polar: bool
    asks_reason: bool
    asks_findings: bool
    asks_outcome: bool
    asks_code: bool
    asks_meaning: bool
    asks_advice: bool
    asks_rejection: bool
    asks_two: bool
    asks_existence: bool
    asks_discovery: bool
    told: frozenset[str]

    def is_answered_by(self, statement: str, missing: frozenset[str]) -> bool:
        """Whether ``statement`` could be the answer, or a part of it.

        It must contain something of the kind that is asked for. It must also be about the
        question: about what the refusals of the same answer say is ``missing`` (words of the
        question), or about any word of the question if they do not say what is missing.
        """
        about = content_words(statement)
        if not self._has_news(statement) or (not self.is_polar and about and about <= self.words):
            return False
        shared = about & self.words
        if self.asks_several and shared:
            return True
        if missing:
            return missing <= shared
        return bool(shared) or len(about) <= _SHORT or not self.words

    def is_partly_answered_by(self, statement: str, missing: frozenset[str]) -> bool:
        """Whether several things are asked for, and ``statement`` tells one that is not missing."""
        if not self.asks_several or not missing:
            return False
        if not self.meant_by(statement) - missing:
            return False
        if self.asks_two and self._has_news(statement):
            return True  # "The director is Ilse M. I found no mention of the composer."
        return bool(numbers(statement) or dates(statement))

    def is_fully_answered_by(self, statement: str, missing: frozenset[str]) -> bool:
        """Whether ``statement`` is about most of the question, and contains what is asked for."""
        about = content_words(statement)
        if not missing <= about:
            return False
        if not self._has_news(statement) or (not self.is_polar and about <= self.words):
            return False
        if self.kinds & _MEASURED and self.has_figure(statement):
            return True
        return 2 * len(about & self.words) > len(self.words)

    def is_repeated_by(self, statement: str) -> bool:
        """Whether ``statement`` contains all words of the question, and what is asked for."""
        return self.words <= content_words(statement) and self._has_news(statement)

    def is_denied_by(self, statement: str) -> bool:
        """Whether ``statement`` denies the verb of a question of yes or no: "Not cleared up"."""
        if not self.is_polar:
            return False
        form = normalised(statement, fold_case=True)
        for match in (*_NEGATION.finditer(form), *_PREFIX.finditer(form)):
            after = _NEXT_WORD.match(form, match.end())
            word = after.group(1) if after else ""
            if word and form[match.start() - 1 : match.start()] in {word[0], match.group()[-1]}:
                continue  # 开不开门 and 有没有 ask and deny nothing
            if self._has_root(word) or (
                _HAN.match(word) and word.startswith(tuple(w for w in self.words if len(w) > 1))
            ):
                return True
        return False

    def is_decided_by(self, denial: str) -> bool:
        """Whether ``denial``, in lower case, denies a question of yes or no.

        It has the verb of telling of the question ("is not mentioned" for whether it mentions
        something), or a word of the question soon after its negation ("no known allergies").
        """
        if not self.is_polar:
            return False
        if any(beginning in denial for beginning in self.told):
            return True
        negation = _NEGATION.search(denial)
        after = denial[negation.end() :] if negation else ""
        if _TELLING.search(denial):
            return False
        return any(map(self._has_root, _WORD.findall(after)[:_OBJECT]))

    def _has_root(self, word: str) -> bool:
        """Whether ``word`` is a word of the question, or derived from the same root."""
        root = _root(word)
        beginning = root[:_ROOT]
        return root in self.words or (
            len(beginning) == _ROOT and any(other.startswith(beginning) for other in self.words)
        )

    def has_root_in(self, text: str) -> bool:
        """Whether ``text`` has a word of the question, or one of the same root."""
        return any(map(self._has_root, _WORD.findall(text)))

    def meant_by(self, text: str) -> frozenset[str]:
        """The words of the question in ``text``, also in another form: funding for "who funded"."""
        about = content_words(text)
        roots = {word[:_LONG_ROOT] for word in about if len(word) >= _LONG_ROOT}
        return frozenset(w for w in self.words if w in about or w[:_LONG_ROOT] in roots)

    def is_listed_by(self, statement: str) -> bool:
        """Whether several things are asked for, and ``statement`` may be some of them."""
        about = content_words(statement)
        return self.asks_several and bool(about - self.words) and len(about) <= _SHORT

    def is_listed_in(self, clause: str) -> bool:
        """Whether ``clause`` lists things in Chinese and is about the question."""
        items = len(_HAN_AND.findall(clause))
        if "、" not in clause or items < _LISTED:
            return False
        return len(content_words(clause) & self.words) >= _LISTED

    def is_touched_by(self, statement: str) -> bool:
        """Whether ``statement`` contains a word of the question, and what is asked for."""
        about = content_words(statement)
        is_new = self.is_polar or not about <= self.words
        return bool(self.words & about) and is_new and self._has_news(statement)

    def named_by(self, statement: str) -> frozenset[str]:
        """The words of the question in ``statement``; none if it does not have what is asked for.

        They are at least half of the words of the question.
        """
        about = content_words(statement)
        shared = about & self.words
        if about <= self.words or 2 * len(shared) < len(self.words):
            return frozenset()
        if not self._has_news(statement):
            return frozenset()
        if self.kinds and not self.kinds & types_present(statement):
            return frozenset()
        return shared

    def is_guessed_by(self, statement: str) -> bool:
        """Whether ``statement`` is so short that it can only be the answer, or has a figure."""
        is_short = len(content_words(statement)) <= _GUESS and self._has_news(statement)
        return is_short or self.has_figure(statement)

    def has_figure(self, statement: str) -> bool:
        """Whether a figure may be asked for, and ``statement`` contains a new one of its kind."""
        if not self.asks_detail or (self.kinds and not self.kinds & _MEASURED):
            return False
        if self.kinds and not self.kinds & types_present(statement):
            return False
        return bool(self._new_figures(statement))

    def _new_figures(self, statement: str) -> frozenset[str]:
        """The figures that the question does not name; the parts of a date count if it is asked for.

        "The latest data are from the census of 1 March 1926" does not tell how many people live there.
        """
        found = numbers(statement)
        if found and self.kinds & _COUNTED and "date" not in self.kinds:
            dated = Ranges((date.start, date.end) for date in dates(statement))
            found = [number for number in found if number.start not in dated]
        return frozenset(number.canonical for number in found) - self.figures

    def is_explained_by(self, statement: str) -> bool:
        """Whether a statement on what a text lacks is the reason that is asked for.

        "The paper does not say how the samples were chosen" tells why the paper was rejected.
        The text must be the one of the question, and what it lacks must be something new.
        """
        if not self.asks_reason or _REASON_WORD.search(statement):
            return False
        about = content_words(statement)
        named = content_words(" ".join(m.group() for m in DOCUMENT.finditer(statement.lower())))
        return bool(named & self.words) and len(about - self.words - named) >= _NEW_MATTER

    def is_refused_reason(self, refusal: str) -> bool:
        """Whether a reason is asked for, and ``refusal``, in lower case, names one."""
        return self.asks_reason and _REASON_WORD.search(refusal) is not None

    def is_dated_by(self, statement: str) -> bool:
        """Whether a date is asked for, and ``statement`` names a decade or a century for it."""
        return "date" in self.kinds and DATING.search(statement.lower()) is not None

    def has_cause(self, statement: str) -> bool:
        """Whether ``statement`` has a word such as "because"."""
        return _CAUSE.search(statement.lower()) is not None

    def _has_news(self, statement: str) -> bool:
        """Whether the statement contains the kind of thing that is asked for, and a new one."""
        kinds = self.kinds & _MEASURED
        is_reason = self.asks_reason and not self.asks_two
        if is_reason and len(content_words(statement) - self.words) < _NEW_REASON:
            return self.has_cause(statement)
        if not kinds or self.kinds - _MEASURED:
            return True
        if self.asks_several:
            return bool(content_words(statement) - self.words)
        if numbers(statement):
            return bool(self._new_figures(statement))
        return bool(kinds & types_present(statement))


@lru_cache(maxsize=1024)
def focus(question: str) -> Focus:
    """What ``question`` asks for.

    >>> asked = focus("When was the contract signed?")
    >>> sorted(asked.words), sorted(asked.kinds), asked.asks_several
    (['contract', 'sign'], ['date'], False)
    """
    form = normalised(question)
    kinds = frozenset(expected_types(form))
    is_polar = _POLAR.search(form) is not None
    is_two = _TWO.search(form) is not None
    return Focus(
        words=content_words(form),
        kinds=kinds,
        figures=frozenset(number.canonical for number in numbers(form)),
        asks_several=_SEVERAL.search(form) is not None,
        expects_absence=bool(_ABSENCE.search(form) or (is_polar and _asks_about_text(form))),
        asks_detail=(not is_polar or is_two) and bool(kinds or _DETAIL.search(form)),
        denies=not is_polar and _DENIED.search(form) is not None,
        is_polar=is_polar,
        asks_reason=_REASON.search(form) is not None,
        asks_findings=_FINDINGS.search(form) is not None,
        asks_code=not is_polar and _CODE.search(form.lower()) is not None,
        asks_outcome=_OUTCOME.search(form.lower()) is not None,
        asks_meaning=_MEANING.search(form) is not None,
        asks_rejection=_REJECTED.search(form.lower()) is not None,
        asks_advice=not is_polar and _ADVICE.search(form.lower()) is not None,
        asks_two=is_two,
        asks_existence=is_polar and _EXISTENCE.search(form) is not None,
        asks_discovery=is_polar and _DISCOVERY.search(form.lower()) is not None,
        told=frozenset(m.group().lower()[:_ROOT] for m in _ABOUT_TEXT.finditer(form)),
    )


def _asks_about_text(form: str) -> bool:
    """Whether a question of yes or no is about what a text says.

    In English the text is the subject, so it stands before the verb: a tenant who gives a notice
    is no text that says something.
    """
    told, text = _ABOUT_TEXT.search(form), DOCUMENT.search(form.lower())
    if told is None or text is None:
        return False
    return text.start() < told.start() or not form.isascii()


# Asked for several times for one statement.
@lru_cache(maxsize=512)
def content_words(text: str) -> frozenset[str]:
    """The words of ``text`` that carry meaning, as stems; Chinese words as they are."""
    if _HAN.search(text):
        return frozenset(word for word in words(text) if not _is_empty(word))
    # Reading numbers would take most of the time, and years in digits are enough here.
    tokens = _WORD.findall(normalised(text, fold_case=True))
    return frozenset(map(_content_root, tokens)) - _empty_words()


@lru_cache(maxsize=1 << 14)
def _root(word: str) -> str:
    """The stem of a word; a Russian one without the vowel that other forms lack (участок, участка)."""
    return _FLEETING.sub("", stem(word))


@lru_cache(maxsize=1 << 14)
def _content_root(token: str) -> str:
    """The stem of a word with content; an empty text for any other, which counts as empty."""
    return "" if _is_empty(token) else _root(token)


@lru_cache(maxsize=1 << 14)
def _is_empty(word: str) -> bool:
    if language(word) == "zh" and not word.isascii():
        return word in _empty_words() or all(c in _empty_characters() for c in word)
    return word in _empty_words() or len(word) == 1


@cache
def _empty_words() -> frozenset[str]:
    listed = (*word_list("question.words"), *word_list("contract.stop_words"))
    return frozenset(("", *listed, *(stem(normalised(word)) for word in listed)))


@cache
def _empty_characters() -> frozenset[str]:
    return frozenset(entry("zh", "contract.stop_characters"))
