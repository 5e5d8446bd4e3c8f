"""Which choices a reply names, and the score of these choices.

Three forms of a reply are tried in this order: JSON with the key ``answer``; letters after a
label (``答案：B``, ``Answer: b, d``); a reply that consists of letters only. A letter counts only
if it is not part of a word or a sentence: the ``C`` of CORRECT and the article in "Answer: a
lie" name no choice. Neither does the Cyrillic ``В``, because it may mean ``B`` or the third
letter of а, б, в. A reply in none of these forms is unread, which is not the same as wrong.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, Struct

from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.normalise import normalised
from assay.text.search_term import exact_match

# The JSON of a reply to a question about a long text.

_KEYS: Final = frozenset({"answer", "answers", "答案", "ответ"})
_MOST_OBJECTS: Final = 64
"""How many opening braces, from the end of the reply, are tried as the start of an object."""
_decoder: Final = JSONDecoder()


def json_answer(text: str) -> Any:
    """The value of ``answer`` in the last JSON object that has this key; ``UNSET`` if none has.

    >>> json_answer('First {"answer": ["a"]}, no: {"answer": ["b", "c"]}')
    ['b', 'c']
    >>> json_answer('{"answer": ["b"')
    UNSET
    """
    starts = [match.start() for match in re.finditer(r"\{", text)]
    for start in reversed(starts[-_MOST_OBJECTS:]):
        try:
            value, _ = _decoder.raw_decode(text, start)
        except (JSONDecodeError, RecursionError):
            continue
        for key, item in value.items():
            if key.strip().casefold() in _KEYS:
                return item
    return UNSET


Source: TypeAlias = Literal["json", "labelled", "bare", "text"]
"""The part of a reply from which the answer was read."""

_LABEL: Final = lazy_pattern(lambda: alternatives("choice.label"), re.IGNORECASE | re.MULTILINE)
_BETWEEN: Final = lazy_pattern(
    lambda: rf"(?:\s|[:=>*_`\"'“‘«(\[】-]|[–—]|{alternatives('choice.between')})*"
)
_LETTER: Final = re.compile(r"[A-Za-z](?!\w)|[A-Za-z](?=选项|项)", re.ASCII)
_RUN: Final = re.compile(r"[A-Z]{2,}(?!\w)")
_JOINT: Final = lazy_pattern(
    lambda: (
        rf"[*_`\"'”’)\]]*[^\S\n]*(?:[,、/&+;]|{alternatives('choice.joint')})[^\S\n]*"
        rf"(?:{alternatives('choice.and')})?[^\S\n]*[*_`\"'“‘(\[]*|[^\S\n]+(?=[A-Z]\b)"
    )
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
    """The letters that a reply names, in the order of the choices.

    A reply may also answer that no choice is right; ``letters`` is empty then.
    """

    letters: tuple[str, ...]
    source: Source


def chosen_letters(text: str, choices: Mapping[str, str]) -> ChosenLetters | None:
    r"""The choices that ``text`` names, or ``None`` if the answer cannot be read.

    ``text`` is a reply without the model's thoughts; see
    ``assay.text.thought.without_thoughts``.

    >>> four = {"a": "oats", "b": "barley", "c": "rye", "d": "wheat"}
    >>> chosen_letters('{"answer": ["D", "b"]}', four).letters
    ('b', 'd')
    >>> chosen_letters("因此答案是Ｂ。", four).letters
    ('b',)
    >>> [chosen_letters(reply, four) for reply in ("The answer is INCORRECT", "Ответ: б")]
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


def choice_f1(chosen: Collection[str], right: Collection[str]) -> dict[str, float | None]:
    """Precision, recall and F1 of the letters: F1 = 2·|chosen ∩ right| / (|chosen| + |right|).

    If no letter is chosen, precision is undefined (``None``) and F1 is 0. If no letter is
    right, recall is undefined. If both sets are empty, F1 is undefined too.

    >>> choice_f1(["a", "b", "c"], ["b", "c"])
    {'precision': 0.6666666666666666, 'recall': 1.0, 'f1_score': 0.8}
    """
    chosen_set, right_set = set(chosen), set(right)
    shared = len(chosen_set & right_set)
    total = len(chosen_set) + len(right_set)
    return {
        "precision": shared / len(chosen_set) if chosen_set else None,
        "recall": shared / len(right_set) if right_set else None,
        "f1_score": 2 * shared / total if total else None,
    }


def _chosen(letters: Collection[str], choices: Mapping[str, str], source: Source) -> ChosenLetters:
    in_order = tuple(letter for letter in choices if letter in letters)
    return ChosenLetters(letters=in_order, source=source)


def _json_letters(value: Any, choices: Mapping[str, str]) -> list[str] | None:
    """The letters of a JSON value, or ``None`` if any part of it names no choice."""
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    letters: list[str] = []
    for item in items:
        item_letters = _item_letters(item, choices)
        if item_letters is None:
            return None
        letters += item_letters
    return letters


def _item_letters(item: Any, choices: Mapping[str, str]) -> list[str] | None:
    if isinstance(item, bool) or not isinstance(item, str | int):
        return None
    plain = unicodedata.normalize("NFKC", str(item)).strip()
    if plain.lower() in choices:
        return [plain.lower()]
    bare = _bare_letters(plain, choices)
    if bare is not None:
        return bare
    matching = [letter for letter, text in choices.items() if exact_match(text, plain)]
    return matching if len(matching) == 1 else None


def _bare_letters(plain: str, choices: Mapping[str, str]) -> list[str] | None:
    """The letters of a text that consists of letters only, or of a letter and its choice's text.

    Returns ``None`` for any other text.
    """
    start = _end(_LEAD, plain, 0)
    for letters, end in reversed(_lists(plain, start, choices)):
        rest = plain[_end(_MARK, plain, end) :]
        if not rest or (len(letters) == 1 and exact_match(choices[letters[0]], rest)):
            return letters
    return None


def _labelled_letters(plain: str, label: int, choices: Mapping[str, str]) -> list[str] | None:
    """The letters after a label that ends at offset ``label``, or ``None``.

    A list of all choices on the lines below the label is not an answer.
    """
    start = _end(_BETWEEN, plain, label)
    if "\n" in plain[label:start] and _LISTED.match(plain, start):
        return None
    return _letters_at(plain, start, choices)


def _letters_at(plain: str, start: int, choices: Mapping[str, str]) -> list[str] | None:
    """The longest list of letters at ``start`` that is followed by the end of a list or a choice."""
    for letters, end in reversed(_lists(plain, start, choices)):
        if _END.match(plain, end) or _is_followed_by(plain[end:], choices[letters[-1]]):
            return letters
    return None


def _is_followed_by(rest: str, choice: str) -> bool:
    """Whether the text of a choice follows its letter: ``答案：B 感到怀疑``."""
    choice_form = normalised(choice, fold_case=True).strip()
    following = normalised(rest[: 2 * len(choice) + 20], fold_case=True).strip()
    return bool(choice_form) and following.startswith(choice_form)


def _lists(plain: str, start: int, choices: Mapping[str, str]) -> list[tuple[list[str], int]]:
    """Every list of letters that begins at ``start``, with its end offset; the shortest first."""
    run = _RUN.match(plain, start)
    if run:
        letters = list(run.group().lower())
        is_list = letters == sorted(set(letters)) and all(letter in choices for letter in letters)
        return [(letters, run.end())] if is_list else []
    lists: list[tuple[list[str], int]] = []
    letters = []
    position = start
    while len(letters) <= len(choices) and (letter := _LETTER.match(plain, position)):
        name = letter.group().lower()
        if name not in choices:
            break
        letters = [*letters, name]
        lists.append((letters, letter.end()))
        joint = _JOINT.match(plain, letter.end())
        if joint is None:
            break
        position = joint.end()
    return lists


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    """The offset where the match at ``start`` ends, or ``start`` if there is no match."""
    match = pattern.match(text, start)
    return match.end() if match else start


def is_exact(chosen: Sequence[str], right: Sequence[str]) -> bool:
    """Whether exactly the right letters are chosen; one letter too many is wrong.

    >>> is_exact(["b"], ["b"]), is_exact(["b", "c"], ["b"])
    (True, False)
    """
    return set(chosen) == set(right)
