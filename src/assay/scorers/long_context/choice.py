r"""Which choices a reply names, and how right they are.

Read in turn: JSON with ``answer``; letters behind a label (``答案：B``, ``Answer: b, d``);
a reply that is nothing but letters. A letter counts only where it stands for itself: the
``C`` of CORRECT, the article of "Answer: a lie" and the Cyrillic ``В`` (which may be a ``B`` or
the third letter of а, б, в) name no choice. What cannot be read is unread, not wrong.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, Struct

from assay.scorers.long_context.reply import json_answer
from assay.text import exact_match, normalised

Source: TypeAlias = Literal["json", "labelled", "bare", "text"]
"""Where in a reply the answer was read."""

_LABEL: Final = re.compile(
    r"(?<![\"'\w])(?:(?:final\s+|correct\s+|right\s+)?answers?|(?:correct|right)\s+(?:options?|choices?)"
    r"|(?:правильн\w+|верн\w+)\s+вариант\w*|ответы?)(?!\w)"
    r"|(?:最终|正确)?答案|正确(?:的)?选项|(?<![不非勿别未])(?:故|应|应当|我|所以|因此)选择?"
    r"|(?:(?<=[，。；：,.;:])|^)选择?|\\boxed\{",
    re.IGNORECASE | re.MULTILINE,
)
_BETWEEN: Final = re.compile(
    r"(?:\s|[:=>*_`\"'“‘«(\[】-]|[–—]|is\b|are\b|应该|应当|应|选项|选择|选|是|为|"
    r"(?:options?|choices?|letters?|вариант\w*|буква)\b)*",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(r"[A-Za-z](?!\w)|[A-Za-z](?=选项|项)", re.ASCII)
_RUN: Final = re.compile(r"[A-Z]{2,}(?!\w)")
_JOINT: Final = re.compile(
    r"[*_`\"'”’)\]]*[^\S\n]*(?:[,、/&+;]|以及|和|与|及|或|and\b|or\b|и\b|или\b)[^\S\n]*"
    r"(?:and\b|和|и\b)?[^\S\n]*[*_`\"'“‘(\[]*|[^\S\n]+(?=[A-Z]\b)",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"[*_`\"'”’»\])}>]*\s*(?:$|[.,;:!)(\]}。、，；】]|选项|项|\s[-–—]\s)", re.MULTILINE
)
_LISTED: Final = re.compile(r"[^\n]*\n\s*[*_(]*[A-Za-z][.)、:]")
_LEAD: Final = re.compile(
    r"[\s*_`\"'“‘«(\[]*(?:(?:(?:options?|choices?|вариант\w*)\b|选项)[\s:*_`\"'“‘«(\[]*)?",
    re.IGNORECASE,
)
_MARK: Final = re.compile(r"[\s*_`\"'”’»)\].,:;、。!-]*")


class ChosenLetters(Struct, frozen=True, kw_only=True):
    """The letters that a reply names, in the order of the choices; none is an answer too."""

    letters: tuple[str, ...]
    source: Source


def chosen_letters(text: str, choices: Mapping[str, str]) -> ChosenLetters | None:
    r"""The choices that ``text`` names; ``None`` where that cannot be read.

    ``text`` is a reply without its thoughts (``assay.scorers.long_context.reply.said``).

    >>> four = {"a": "oats", "b": "barley", "c": "rye", "d": "wheat"}
    >>> chosen_letters('{"answer": ["D", "b"]}', four).letters
    ('b', 'd')
    >>> chosen_letters("因此答案是Ｂ。", four).letters
    ('b',)
    >>> [chosen_letters(one, four) for one in ("The answer is INCORRECT", "Ответ: б")]
    [None, None]
    """
    value = json_answer(text)
    if value is not UNSET:
        letters = _json_letters(value, choices)
        return None if letters is None else _chosen(letters, choices, "json")
    plain = unicodedata.normalize("NFKC", text)
    labelled = [
        letters
        for label in _LABEL.finditer(plain)
        if (letters := _labelled_letters(plain, label.end(), choices))
    ]
    if labelled:
        return _chosen(labelled[-1], choices, "labelled")
    bare = _bare_letters(plain, choices)
    return None if bare is None else _chosen(bare, choices, "bare")


def choice_f1(said: Collection[str], right: Collection[str]) -> dict[str, float | None]:
    """Precision, recall and F1 of the letters said: F1 = 2·|said ∩ right| / (|said| + |right|).

    Precision is undefined (``None``) where nothing is said; F1 is then 0.

    >>> choice_f1(["a", "b", "c"], ["b", "c"])
    {'precision': 0.6666666666666666, 'recall': 1.0, 'f1_score': 0.8}
    """
    named, wanted = set(said), set(right)
    shared = len(named & wanted)
    return {
        "precision": shared / len(named) if named else None,
        "recall": shared / len(wanted) if wanted else None,
        "f1_score": 2 * shared / (len(named) + len(wanted)) if named or wanted else None,
    }


def _chosen(letters: Collection[str], choices: Mapping[str, str], source: Source) -> ChosenLetters:
    return ChosenLetters(letters=tuple(one for one in choices if one in letters), source=source)


def _json_letters(value: Any, choices: Mapping[str, str]) -> list[str] | None:
    """The letters of a JSON value; ``None`` where any part of it names no choice."""
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    letters: list[str] = []
    for item in items:
        named = _item_letters(item, choices)
        if named is None:
            return None
        letters += named
    return letters


def _item_letters(item: Any, choices: Mapping[str, str]) -> list[str] | None:
    if isinstance(item, bool) or not isinstance(item, str | int):
        return None
    plain = unicodedata.normalize("NFKC", str(item)).strip()
    if plain.lower() in choices:
        return [plain.lower()]
    named = _bare_letters(plain, choices)
    if named is not None:
        return named
    same = [letter for letter, text in choices.items() if exact_match(text, plain)]
    return same if len(same) == 1 else None


def _bare_letters(plain: str, choices: Mapping[str, str]) -> list[str] | None:
    """The letters of a text that is nothing else, or one letter and the text of its choice."""
    start = _end(_LEAD, plain, 0)
    for letters, end in reversed(_lists(plain, start, choices)):
        rest = plain[_end(_MARK, plain, end) :]
        if not rest or (len(letters) == 1 and exact_match(choices[letters[0]], rest)):
            return letters
    return None


def _labelled_letters(plain: str, label: int, choices: Mapping[str, str]) -> list[str] | None:
    """The letters behind a label that ends here; a list of the choices below it is no answer."""
    start = _end(_BETWEEN, plain, label)
    if "\n" in plain[label:start] and _LISTED.match(plain, start):
        return None
    return _letters_at(plain, start, choices)


def _letters_at(plain: str, start: int, choices: Mapping[str, str]) -> list[str] | None:
    """The longest list of letters that begins here and ends as a list would."""
    for letters, end in reversed(_lists(plain, start, choices)):
        if _END.match(plain, end) or _goes_on_with(plain[end:], choices[letters[-1]]):
            return letters
    return None


def _goes_on_with(rest: str, text: str) -> bool:
    """Whether a choice's own text follows its letter: ``答案：B 感到怀疑``."""
    own = normalised(text, fold_case=True).strip()
    following = normalised(rest[: 2 * len(text) + 20], fold_case=True).strip()
    return bool(own) and following.startswith(own)


def _lists(plain: str, start: int, choices: Mapping[str, str]) -> list[tuple[list[str], int]]:
    """Every list of letters that begins at ``start``, with its end, the shortest first."""
    run = _RUN.match(plain, start)
    if run:
        letters = list(run.group().lower())
        is_list = letters == sorted(set(letters)) and all(one in choices for one in letters)
        return [(letters, run.end())] if is_list else []
    found: list[tuple[list[str], int]] = []
    letters = []
    place = start
    while len(letters) <= len(choices) and (letter := _LETTER.match(plain, place)):
        name = letter.group().lower()
        if name not in choices:
            break
        letters = [*letters, name]
        found.append((letters, letter.end()))
        joint = _JOINT.match(plain, letter.end())
        if joint is None:
            break
        place = joint.end()
    return found


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Where a pattern that may match nothing ends."""
    match = pattern.match(text, start)
    return match.end() if match else start


def is_exact(said: Sequence[str], right: Sequence[str]) -> bool:
    """Whether exactly the right letters are named; two where one is right are wrong.

    >>> is_exact(["b"], ["b"]), is_exact(["b", "c"], ["b"])
    (True, False)
    """
    return set(said) == set(right)
