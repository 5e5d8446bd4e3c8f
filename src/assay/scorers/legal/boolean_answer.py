"""Whether an answer says yes or no to a question, with the word or without it.

A word that answers by itself decides (yes, нет, 是的, нельзя). Without one, the clause that
shares most words with the question is read: its denials are counted (not, never, отказал,
并未, hid), and an even number says what the question says, an odd one the opposite. A contrast
(X rather than Y, 而不是) denies its second part; "only with consent" denies "without consent";
and where the evidence denies what was asked by naming something else, naming that denies it
too. An answer that abstains says neither, nor does one that shares no word with the question
or its evidence, unless it is elliptical ("he did not", "отказался").
"""

import re
from collections.abc import Sequence
from typing import Final

from assay.scorers.abstention import DOCUMENT, abstains, any_of
from assay.scorers.legal.field import FieldVerdict
from assay.text import normalised, words

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
# What looks like a denial and is none.
_PLAIN: Final = any_of(
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
    """Whether ``text`` answers ``question`` as expected.

    >>> boolean_verdict("他并未同意", False, "他同意了吗？").holds
    True
    >>> boolean_verdict("Yes, he told him.", False, "Did he tell him?").holds
    False
    """
    said = stated_boolean(text, question, evidence)
    wanted = "yes" if expected else "no"
    if said is None:
        return FieldVerdict(holds=False, why=f"neither yes nor no is said; expected {wanted}")
    found = "yes" if said else "no"
    why = f"the answer says {found}" + ("" if said is expected else f"; expected {wanted}")
    return FieldVerdict(holds=said is expected, found=(found,), why=why)


def stated_boolean(text: str, question: str, evidence: Sequence[str] = ()) -> bool | None:
    """True for yes, false for no, ``None`` where neither or both are said.

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
        return _confirmed(form[yes.end() :])
    asked = normalised(question)
    if not any(map(str.isalnum, form)) or _is_silent(text, form, asked):
        return None
    if not _relates(form, asked, evidence) and not _ELLIPSIS.search(form):
        return None
    contrast = _contrast(form, _content(asked))
    if contrast is not None:
        return contrast
    clause = _clause(form, asked)
    is_denied = _denials(clause) % 2 != _denials(asked) % 2
    return not (is_denied or _needs_what_lacks(form, asked) or _names_other(form, asked, evidence))


def _is_silent(text: str, form: str, asked: str) -> bool:
    """Whether the answer abstains, rather than tell of somebody's silence that was asked about."""
    told = len(_content(asked) & _content(form)) > 1 and not DOCUMENT.search(form)
    return abstains(text) and not told


def _relates(form: str, asked: str, evidence: Sequence[str]) -> bool:
    """Whether the answer has a word of the question, or of what the document says to it."""
    said = set(words(form)) - _COMMON
    return any(said & set(words(one)) for one in (asked, *map(normalised, evidence)))


def _clause(form: str, asked: str) -> str:
    """The clause that answers: the one with most of the question's words, its verb above all."""
    clauses = [part for part in _CUT.split(form) if any(map(str.isalnum, part))]
    content = _content(asked)
    focus = {word for match in _FOCUS.finditer(asked) for word in words(match[1] or match[2])[:1]}

    def rank(part: str) -> tuple[int, bool]:
        said = _content(part)
        return len(content & said) + 2 * bool(focus & said), bool(_denials(part))

    return max(clauses, key=rank)


def _needs_what_lacks(form: str, asked: str) -> bool:
    """Whether the answer makes a condition of what the question asks to do without."""
    return bool(_WITHOUT.search(asked) and _NEEDS.search(form) and not _WITHOUT.search(form))


def _names_other(form: str, asked: str, evidence: Sequence[str]) -> bool:
    """Whether the evidence denies a word of the question, and the answer has its other words."""
    said, content = _content(form), _content(asked)
    for one in map(normalised, evidence):
        denied = {
            word
            for match in _DENIAL.finditer(one)
            for word in list(words(one[match.end() :]))[:3]
            if word in content
        }
        others = _content(one) - content
        if denied and not denied & said and others & said and not _denials(form):
            return True
    return False


def _confirmed(rest: str) -> bool | None:
    """Yes, unless "no" is offered beside it."""
    return (
        None
        if re.match(r"\W*(?:or no\b|или нет\b|或(?:者)?(?:不是|否)|and no\b|и нет\b)", rest)
        else True
    )


def _content(text: str) -> set[str]:
    return {word for word in words(text) if word not in _STOP}


def _denials(text: str) -> int:
    return sum(1 for _ in _DENIAL.finditer(_PLAIN.sub(" ", text)))


def _contrast(form: str, asked: set[str]) -> bool | None:
    """What "X rather than Y" says; ``None`` where there is no contrast."""
    found = _CONTRAST.search(form)
    if found is None:
        return None
    meant, denied = _content(form[: found.start()]), _content(form[found.end() :])
    if asked & (denied - meant):
        return False
    return len(asked & meant) > 1 and not _denials(form[: found.start()])
