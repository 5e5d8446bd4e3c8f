"""Whether an answer means yes or no, even if it contains neither word.

If the answer begins with a word that decides by itself (yes, нет, 是的, нельзя), that word
counts. Otherwise the clause that shares most words with the question is examined. Its denials
(not, never, отказал, 并未, hid) are counted and compared with those of the question: if the two
numbers differ by an even number, the answer agrees with the question; otherwise it contradicts
the question.

Three kinds of answers are treated separately. A contrast ("X rather than Y", 而不是) denies its
second part. "Only with consent" denies a question about "without consent". And if the evidence
denies a word of the question and names something else instead, an answer that names this other
thing means no.

An answer that abstains means neither yes nor no. The same holds for an answer that shares no
word with the question or its evidence, unless it is elliptical ("he did not", "отказался").
"""

import re
from collections.abc import Sequence
from typing import Final

from assay.scorers.abstention import DOCUMENT, abstains
from assay.scorers.legal.field import FieldVerdict
from assay.text import normalised, words
from assay.text.lexicon import any_of

_YES: Final = re.compile(
    r"\W*(?:(?:yes|yeah|correct|right|true|indeed|certainly|of course|affirmative|да|верно|конечно|безусловно"
    r"|действительно|разумеется|именно так|можно|разрешено|разрешается|допускается|так и есть)\b"
    r"|(?:是的?|对的?|没错|确实|当然|可以|有的|正确|属实|答应了|同意)(?=[,，。;；!！:：、\s]|的|$))",
    re.IGNORECASE,
)
_NO: Final = re.compile(
    r"\W*(?:(?:no|nope|not at all|never|incorrect|wrong|false|negative|not so|by no means"
    r"|нет|неверно|нельзя|запрещено|никак|никогда|отнюдь|ничуть|вовсе нет|невозможно|неправда|не так)\b"
    r"(?! (?:later|more|less|fewer|one|only))"
    r"|(?:否|不是的?|没有|不对|不可以?|不能|不行|并非如此|并没有|并不|未曾|不同意|不会|没|不|无)(?=[,，。;；!！:：、\s]|$))",
    re.IGNORECASE,
)
# Expressions that look like a denial but are not one.
_NO_DENIAL: Final = any_of(
    r"\b(?:not only|no (?:later|more|less|fewer|sooner|longer) than|not (?:later|more|less) than|no doubt|nothing but)\b",
    r"\bне (?:только|более|менее|позднее|позже|ранее|раньше)\b|\bне раз\b|\bни разу не\b(?=.{0,3}$)",
    "不仅|不但|不过|不久|不同(?!意)|不足|不少|不止|未来|无论|没收|不得不|不断|不便|不满|有没有|是不是|能不能|会不会|可不可以|是否|能否|可否|不管",
)
_DENIAL: Final = any_of(
    r"\b(?:not|never|no|none|nothing|nobody|neither|nor|without success|cannot)\b|n't\b",
    r"\b(?:den(?:y|ied|ies)|refus\w+|reject\w+|declin\w+|dismiss\w+|fail(?:s|ed)? to|forb[ia]d\w*|prohibit\w*|lack(?:s|ed)?"
    r"|exclud\w+|disallow\w*|ruled out|unable|withh[eo]ld|conceal\w*|hid(?:es|den)?\b|kept (?:it|this|that|the \w+) (?:from|secret)"
    r"|kept (?:quiet|silent|back)|secret|unaware|in the dark|impossible|unproven|unfounded|false)\b",
    r"\b(?:не|ни|нет|нельзя|никогда|ничего|никто|никак\w*|невозможно|без успеха)\b",
    r"\b(?:отказ\w+|отклон\w+|отверг\w*|отрица\w+|запре[тщ]\w+|исключ[её]н\w*|скры(?:л|в)\w*|утаил\w*|умолчал\w*|недопустим\w*"
    r"|опроверг\w*|лиш[её]н\w*|отсутств\w+)\b",
    "不|没有?|未|无(?!锡)|非(?!常)|否认|拒绝|驳回|禁止|隐瞒|瞒着|拒不",
)
_CONTRAST: Final = any_of(
    r"\b(?:rather than|instead of|as opposed to|not because of|and not|but not)\b",
    r"\b(?:а не|вместо|нежели)\b",
    "而不是|而非|并非因",
)
_WITHOUT: Final = any_of(r"\bwithout\b", r"\bбез\b", "未经|没有[^,。]{0,8}同意|不经")
_NEEDS: Final = any_of(
    r"\b(?:only (?:with|if|after)|requires?|required|needs?|needed|must (?:first )?have|subject to)\b",
    r"\b(?:только|лишь) (?:с|при|после)\b|\b(?:нужно|нужен|нужна|необходим\w*|требу\w+|обязательн\w+)\b",
    "只有|必须|须经|须先|需要|应当?(?:先|经)|须(?:征得|取得)",
)
_ELLIPSIS: Final = any_of(
    r"^\W*(?:[\w.'’-]+ ){0,3}(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could|may|must|should)"
    r"(?: not|n't| never| indeed)?\W*$",
    r"^\W*(?:(?:not|не|никогда не) )?[a-zа-я]+\W*$",
    r"^\W*(?:he|she|they|он[аио]?) (?:refused|declined|denied|agreed|отказ\w+|отрица\w+|соглас\w+)\W*$",
    r"\b(?:did|does|do|done) so\b|\bsuch an? \w+\W*$|\bтак(?:ого|ое|ой|ая|ую|их)\b|\b(?:этого|так) не\b",
    r"^\W*(?:[他她]们?|双方|法院)?(?:并|也|还)?(?:没有?|未|不|拒绝|否认|答应|同意|承认|如此|这样)了?(?:做|这样做|如此)?\W*$",
)
_FOCUS: Final = re.compile(r"\b(\w+) ли\b|(?:是否|有没有|能否)(\w{1,8})")
_CUT: Final = re.compile(r"[,，;；:：。！？!?]|\.(?=\s|\Z)|\s[-—–]\s")
_STOP_WORDS: Final = (
    "the a an of to in on by for and or is was were are did do does has have had it he she they his her that this"
    " и в на ли он она оно они был была это что по с у к о 的 了 吗 是 在 和 他 她"
)
_STOP: Final = frozenset(_STOP_WORDS.split())
_COMMON_WORDS: Final = (
    "about with from at as be been not no never any all i you we him them my your its who what when where which"
    " did doe had would will can could may must should so such than then there"
    " не ни но а за из до от при для как так это этот его ее их им я мы вы кто когда где бы же еще уже или"
    " 不 没 没有 未 有 也 就 都 而 与 或 这 那 其 被 把 对 于 为 以 我 你 他们 元 年 月 日 号"
)
_COMMON: Final = _STOP | frozenset(_COMMON_WORDS.split())


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
    form = normalised(text).strip()
    yes, no = _YES.match(form), _NO.match(form)
    if no:
        return False
    if yes:
        return _yes_unless_no_follows(form[yes.end() :])
    question_form = normalised(question)
    if not any(map(str.isalnum, form)) or _is_silent(text, form, question_form):
        return None
    if not _relates(form, question_form, evidence) and not _ELLIPSIS.search(form):
        return None
    contrast = _contrast(form, _content_words(question_form))
    if contrast is not None:
        return contrast
    clause = _answering_clause(form, question_form)
    is_denied = _denial_count(clause) % 2 != _denial_count(question_form) % 2
    return not (
        is_denied
        or _requires_what_is_lacking(form, question_form)
        or _names_other(form, question_form, evidence)
    )


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
    answer_words = set(words(form)) - _COMMON
    return any(answer_words & set(words(text)) for text in (question, *map(normalised, evidence)))


def _answering_clause(form: str, question: str) -> str:
    """The clause that shares most words with the question; the verb of the question counts most."""
    clauses = [part for part in _CUT.split(form) if any(map(str.isalnum, part))]
    content = _content_words(question)
    focus = {
        word for match in _FOCUS.finditer(question) for word in words(match[1] or match[2])[:1]
    }

    def rank(clause: str) -> tuple[int, bool]:
        clause_words = _content_words(clause)
        shared = len(content & clause_words) + 2 * bool(focus & clause_words)
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


def _yes_unless_no_follows(rest: str) -> bool | None:
    """True, or ``None`` if "or no" follows the yes."""
    return (
        None
        if re.match(r"\W*(?:or no\b|или нет\b|或(?:者)?(?:不是|否)|and no\b|и нет\b)", rest)
        else True
    )


def _content_words(text: str) -> set[str]:
    return {word for word in words(text) if word not in _STOP}


def _denial_count(text: str) -> int:
    return sum(1 for _ in _DENIAL.finditer(_NO_DENIAL.sub(" ", text)))


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
