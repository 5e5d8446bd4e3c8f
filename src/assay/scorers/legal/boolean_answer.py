"""Whether an answer means yes or no, even if it contains neither word.

If the answer begins with a word that decides by itself (yes, нет, 是的, нельзя), that word
counts; "no doubt" before it says nothing. Otherwise the clause that shares most words with the question is examined. Its denials
(not, never, отказал, 并未, hid) are counted and compared with those of the question: if the two
numbers differ by an even number, the answer agrees with the question; otherwise it contradicts
the question.

Three kinds of answers are treated separately. A contrast ("X rather than Y", 而不是) denies its
second part. "Only with consent" denies a question about "without consent". And if the evidence
denies a word of the question and names something else instead, an answer that names this other
thing means no.

An answer that abstains means neither yes nor no. The same holds for an answer that shares no
word with the question or its evidence, unless it is elliptical ("he did not", "отказался"), and
for a few words that say nothing ("the deposit", "purple", "да нет", ``bare_answer.py``).
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from assay.scorers.abstention import DOCUMENT, abstains
from assay.scorers.legal.bare_answer import says_both, says_nothing
from assay.scorers.legal.verdict import FieldVerdict
from assay.text import HAN, normalised, said_text, words
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_YES: Final = lazy_pattern(lambda: alternatives("boolean.yes"))
_NO: Final = lazy_pattern(lambda: alternatives("boolean.no"))
_SURE: Final = lazy_pattern(lambda: alternatives("boolean.sure"))
# Expressions that look like a denial but are not one.
_NO_DENIAL: Final = lazy_pattern(lambda: alternatives("boolean.no_denial"))
_DENIAL: Final = lazy_pattern(lambda: alternatives("boolean.denial"))
_CONTRAST: Final = lazy_pattern(lambda: alternatives("boolean.contrast"))
_WITHOUT: Final = lazy_pattern(lambda: alternatives("boolean.without"))
_NEEDS: Final = lazy_pattern(lambda: alternatives("boolean.needs"))
_ELLIPSIS: Final = lazy_pattern(lambda: alternatives("boolean.ellipsis"))
_OR_NO: Final = lazy_pattern(lambda: rf"\W*(?:{alternatives('boolean.or_no')})", re.NOFLAG)
_FOCUS: Final = lazy_pattern(
    lambda: rf"\b(\w+) ли\b|(?:{alternatives('boolean.whether', 'zh')})(\w{{1,8}})", re.NOFLAG
)
_WHETHER: Final = lazy_pattern(lambda: alternatives("boolean.whether", "zh"), re.NOFLAG)
_CUT: Final = lazy_pattern(
    lambda: rf"[,，;；:：。！？!?()（）]|\.(?=\s|\Z)|\s[-—–]\s|{alternatives('boolean.so')}",
    re.NOFLAG,
)
_LAW: Final = lazy_pattern(lambda: alternatives("boolean.law"), re.NOFLAG)
_HAN_WORD: Final = re.compile(f"[{HAN}]{{2}}")
_ROOT: Final = 2
"""So many letters the names of a country and of its law have in common: France, French."""
_ONLY: Final = lazy_pattern(lambda: alternatives("boolean.only"))
_PERMISSION_ASKED: Final = lazy_pattern(lambda: alternatives("boolean.permission_asked"))
_FORBIDS: Final = lazy_pattern(lambda: alternatives("boolean.forbids"))
_PERMITS: Final = lazy_pattern(lambda: alternatives("boolean.permits"))
_OTHER_ASKED: Final = lazy_pattern(lambda: alternatives("boolean.other_asked"))
_ONLY_THIS: Final = lazy_pattern(lambda: alternatives("boolean.only_this"))
_NOT_NEEDED: Final = lazy_pattern(lambda: alternatives("boolean.not_needed"))
_ANAPHOR: Final = lazy_pattern(lambda: alternatives("boolean.anaphor"))
_FINAL_ASKED: Final = lazy_pattern(lambda: alternatives("boolean.final_asked"))
_FINAL: Final = lazy_pattern(lambda: alternatives("boolean.final"))
_EXCLUSIVE_ASKED: Final = lazy_pattern(lambda: alternatives("boolean.exclusive_asked"))
_NEED_ASKED: Final = lazy_pattern(lambda: alternatives("boolean.need_asked"))
_NOT_WITHOUT: Final = lazy_pattern(lambda: alternatives("boolean.not_without"))
_DUTY_ASKED: Final = lazy_pattern(lambda: alternatives("boolean.duty_asked"))
_FREEDOM: Final = lazy_pattern(lambda: alternatives("boolean.freedom"))
_DUTY: Final = lazy_pattern(lambda: alternatives("boolean.duty"))
_VALIDITY: Final = lazy_pattern(lambda: alternatives("boolean.validity"))
_INCLUSION_ASKED: Final = lazy_pattern(lambda: alternatives("boolean.inclusion_asked"))
_EXCLUDED: Final = lazy_pattern(lambda: alternatives("boolean.excluded"))
_BRIEF: Final = 8
"""An answer of so few words may only take up the question: "It cannot be recovered"."""
_FORMED: Final = 5
"""So many letters are common to two words of one root: осмотр, осмотреть."""
_GOES_ON: Final = lazy_pattern(lambda: alternatives("boolean.goes_on"))
_ENDS: Final = lazy_pattern(lambda: alternatives("boolean.ends"))
_EVENT: Final = lazy_pattern(lambda: alternatives("boolean.event"))


@cache
def _stop() -> frozenset[str]:
    return frozenset(word_list("boolean.stop_words"))


@cache
def _common() -> frozenset[str]:
    return _stop() | frozenset(word_list("boolean.common_words"))


def boolean_verdict(
    text: str, expected: bool, question: str, evidence: Sequence[str] = ()
) -> FieldVerdict:
    """Whether ``text`` answers ``question`` with the expected yes or no.

    ``evidence`` is what the document says about the question.

    >>> boolean_verdict("他并未同意", False, "他同意了吗？").holds
    True
    >>> boolean_verdict("Yes, he told him.", False, "Did he tell him?").holds
    False
    """
    stated = stated_boolean(text, question, evidence)
    expected_word = "yes" if expected else "no"
    if stated is None:
        why = f"neither yes nor no is said; expected {expected_word}"
        return FieldVerdict(holds=False, why=why)
    stated_word = "yes" if stated else "no"
    why = f"the answer says {stated_word}"
    if stated is not expected:
        why += f"; expected {expected_word}"
    return FieldVerdict(holds=stated is expected, found=(stated_word,), why=why)


def stated_boolean(text: str, question: str, evidence: Sequence[str] = ()) -> bool | None:
    """True if ``text`` means yes, false if it means no, ``None`` if neither or both.

    >>> stated_boolean("Отчёт он не сдал, хотя и обязался.", "Обязался ли он сдать отчёт?")
    True
    >>> stated_boolean("The boat is green.", "Did he tell his wife?") is None
    True
    """
    text = said_text(text)
    form = normalised(text).strip()
    sure = _SURE.match(form)
    if sure is not None:
        form = form[sure.end() :]
        if not any(map(str.isalnum, form)):
            return True
    if says_both(form):
        return None
    yes, no = _YES.match(form), _NO.match(form)
    if no:
        return False
    if yes:
        return _yes_unless_no_follows(form[yes.end() :])
    question_form = normalised(question)
    if not any(map(str.isalnum, form)) or _is_silent(text, form, question_form):
        return None
    return _stated_in_clause(form, question_form, evidence)


def _stated_in_clause(form: str, question_form: str, evidence: Sequence[str]) -> bool | None:
    """What an answer that does not begin with yes or no says about the question."""
    if (decided := _decided_by_need(form, question_form)) is not None:
        return decided
    if not _relates(form, question_form, evidence) and not _ELLIPSIS.search(form):
        return _unrelated(form, question_form)
    contrast = _contrast(form, _content_words(question_form))
    if contrast is not None:
        return contrast
    clause = _answering_clause(form, question_form)
    is_denied = _denial_count(clause) % 2 != _asked_denials(question_form, clause) % 2
    is_denied ^= _is_turned(clause, question_form)
    is_denied ^= _is_other_kind(clause, question_form)
    if (
        is_denied
        or _requires_what_is_lacking(form, question_form)
        or _names_other(form, question_form, evidence)
        or _names_other_law(form, question_form)
    ):
        return False
    return None if not _denial_count(form) and says_nothing(form, question_form) else True


def _decided_by_need(form: str, question: str) -> bool | None:
    """What an answer says that names what is needed, or the only thing that is allowed.

    "Without consent?" – "Consent is not needed." "From others?" – "It must buy from the licensor only."
    """
    if _WITHOUT.search(question):
        if _NOT_NEEDED.search(form) and not _FORBIDS.search(form):
            return True
        if _requires_what_is_lacking(form, question):
            return False
    if _FINAL_ASKED.search(question) and _FINAL.search(form) and not _denial_count(form):
        return bool(_denial_count(question) % 2)
    if _OTHER_ASKED.search(question) and _ONLY_THIS.search(form):
        return _ONLY_THIS.search(question) is not None
    if _NEED_ASKED.search(question) and _NOT_WITHOUT.search(form) and not _NOT_NEEDED.search(form):
        return True  # "Is consent needed?" – "Without it the sale is not registered."
    if _DUTY_ASKED.search(question) and _FREEDOM.search(form) and not _DUTY.search(form):
        return False  # "Must he inspect it?" – "He may do so."
    if _EXCLUSIVE_ASKED.search(question):
        return _excludes_others(form)
    return _left_out(form, question)


def _left_out(form: str, question: str) -> bool | None:
    """False if what the question takes for included is added: "The price is 100, plus VAT."."""
    if not _INCLUSION_ASKED.search(question) or _EXCLUDED.search(question):
        return None
    rest = _EXCLUDED.sub("", form)
    return False if rest != form and not _INCLUSION_ASKED.search(rest) else None


def _excludes_others(form: str) -> bool | None:
    """Whether only one may do it, or others too: "The licensor may grant licences to others"."""
    if _EXCLUSIVE_ASKED.search(form):
        return None
    if _ONLY_THIS.search(form):
        return True
    return bool(_denial_count(form)) if _OTHER_ASKED.search(form) else None


def _is_other_kind(clause: str, question: str) -> bool:
    """Whether a clause is about the other one of two kinds: direct loss, not indirect."""
    pairs = (pair.partition("/")[::2] for pair in word_list("boolean.opposites"))
    return any(
        _has_word(one, question) and _has_word(other, clause) and not _has_word(one, clause)
        for pair in pairs
        for one, other in (pair, pair[::-1])
    )


def _has_word(beginning: str, text: str) -> bool:
    """Whether a word of ``text`` begins so; Chinese words may begin anywhere."""
    start = "" if _HAN_WORD.match(beginning) else r"\b"
    return re.search(start + beginning, text, re.IGNORECASE) is not None


def _unrelated(form: str, question: str) -> bool | None:
    """What an answer says that shares no word with the question, if its kind is the one asked for.

    "Can I pay by card?" – "They only take cash." "May I keep a dog?" – "Pets are forbidden."
    """
    if _ONLY.search(form):
        return False
    if _PERMISSION_ASKED.search(question) and _FORBIDS.search(form):
        return False
    if _PERMISSION_ASKED.search(question) and _PERMITS.search(form):
        return True
    is_denied = _denial_count(form) % 2 != _denial_count(question) % 2
    if is_denied and _ANAPHOR.search(form) and len(form.split()) <= _BRIEF:
        return False
    asked, told = _goes_on(question), _goes_on(form)
    if asked is None or told is None:
        return None
    return (asked is told) is not is_denied


def _is_turned(clause: str, question: str) -> bool:
    """Whether one of the two is about going on and the other about ending: it survives, it lapses."""
    asked, told = _goes_on(question), _goes_on(clause)
    return asked is not None and told is not None and asked is not told


def _goes_on(text: str) -> bool | None:
    """Whether a text says that something goes on, or that it ends; ``None`` if neither or both."""
    rest = _EVENT.sub(" ", text)
    goes_on, ends = _GOES_ON.search(rest), _ENDS.search(rest)
    return None if bool(goes_on) is bool(ends) else goes_on is not None


def _is_silent(text: str, form: str, question: str) -> bool:
    """Whether the answer abstains.

    An answer that tells about the silence of a person does not abstain if the question asks
    about that person: it shares words with the question and does not mention the document.
    """
    shared = _content_words(question) & _content_words(form)
    is_about_person = len(shared) > 1 and not DOCUMENT.search(form.lower())
    return abstains(text) and not is_about_person


def _relates(form: str, question: str, evidence: Sequence[str]) -> bool:
    """Whether the answer shares a word with the question or its evidence; common words aside."""
    if _VALIDITY.search(form) and _VALIDITY.search(question):
        return True
    answer_words = set(words(form)) - _common()
    if any(answer_words & set(words(text)) for text in (question, *map(normalised, evidence))):
        return True
    roots = {word[:_FORMED] for word in words(question) if len(word) >= _FORMED}
    return any(word[:_FORMED] in roots for word in answer_words)


def _answering_clause(form: str, question: str) -> str:
    """The clause that shares most words with the question; the verb of the question counts most."""
    clauses = [part for part in _CUT.split(form) if any(map(str.isalnum, part))]
    content = _content_words(question)
    focus = {
        word for match in _FOCUS.finditer(question) for word in words(match[1] or match[2])[:1]
    }

    def rank(clause: str) -> tuple[int, bool]:
        clause_words = _content_words(clause)
        # Words of Chinese may be cut in another place: 限制, 受限制.
        inside = {word for word in content if _HAN_WORD.match(word) and word in clause}
        shared = len(content & clause_words | inside) + 2 * bool(focus & clause_words)
        return shared, bool(_denial_count(clause))

    return max(clauses, key=rank)


def _requires_what_is_lacking(form: str, question: str) -> bool:
    """Whether the question asks about doing without a thing, and the answer requires the thing."""
    return bool(_WITHOUT.search(question) and _NEEDS.search(form) and not _WITHOUT.search(form))


def _names_other(form: str, question: str, evidence: Sequence[str]) -> bool:
    """Whether the evidence denies a word of the question and the answer names something else.

    The answer must not contain the denied word, must share another word with that piece of
    evidence, and must not deny anything itself.
    """
    answer_words, content = _content_words(form), _content_words(question)
    for passage in map(normalised, evidence):
        denied = {
            word
            for match in _DENIAL.finditer(passage)
            for word in list(words(passage[match.end() :]))[:3]
            if word in content
        }
        others = _content_words(passage) - content
        names_other = not denied & answer_words and others & answer_words
        if denied and names_other and not _denial_count(form):
            return True
    return False


def _names_other_law(text: str, question: str) -> bool:
    """Whether the question is about the law or the courts of a country, and the answer names those of another."""
    asked, told = (
        {next(filter(None, match.groups()))[:_ROOT].lower() for match in _LAW.finditer(form)}
        for form in (question, text)
    )
    roots = {root[0] if root[0] > "\u3000" else root for root in asked}
    return bool(asked and told) and not any(other.startswith(tuple(roots)) for other in told)


def _yes_unless_no_follows(rest: str) -> bool | None:
    """True, or ``None`` if "or no" follows the yes."""
    return None if _OR_NO.match(rest) else True


def _content_words(text: str) -> set[str]:
    return {word for word in words(text) if word not in _stop()}


def _denial_count(text: str) -> int:
    return sum(1 for _ in _DENIAL.finditer(_NO_DENIAL.sub(" ", text)))


def _asked_denials(question: str, clause: str) -> int:
    """How many denials a question has, without those of a circumstance that the answer leaves out.

    遗嘱未注明日期是否有效 is about a will without a date, and 有效 means yes.
    """
    count = _denial_count(question)
    whether = _WHETHER.search(question) if count else None
    if whether is None:
        return count
    before = _NO_DENIAL.sub(" ", question[: whether.start()])
    ends = ((match.start(), match.end() + 1) for match in _DENIAL.finditer(before))
    return count - sum(before[slice(*place)] not in clause for place in ends)


def _contrast(form: str, question_words: set[str]) -> bool | None:
    """What "X rather than Y" answers, or ``None`` if there is no contrast.

    False if the question names Y; otherwise whether it names X and X is not denied.
    """
    match = _CONTRAST.search(form)
    if match is None:
        return None
    before = form[: match.start()]
    asserted, denied = _content_words(before), _content_words(form[match.end() :])
    if question_words & (denied - asserted):
        return False
    return len(question_words & asserted) > 1 and not _denial_count(before)
