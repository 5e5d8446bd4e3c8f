"""Questions of a set that ask the same."""

from collections.abc import Iterator, Sequence

from assay.checks import is_exact
from assay.jobs.questions.check.finding import Finding
from assay.jobs.questions.check.item import Item
from assay.jobs.questions.check.near_duplicate import Shingles, jaccard, similar_pairs
from assay.text import normalised, words

_SAME_FACT = 0.5
"""Questions with the same evidence and the same answer are duplicates from this similarity on."""
_MOST_COMPARED = 20
"""How many questions with the same evidence and answer are compared with each other."""


def duplicate_findings(items: Sequence[Item], sets: Sequence[Shingles]) -> Iterator[Finding]:
    """A finding for each question that an earlier one asks already; at most one a question."""
    known: set[int] = set()
    for second, first, what in _exact(items):
        known.add(second)
        yield _finding("duplicate", items, first, second, what)
    near = [(first, second, share) for first, second, share in similar_pairs(sets)]
    near += _same_fact(items, sets)
    for first, second, share in sorted(near, key=lambda pair: (pair[1], -pair[2])):
        if second not in known and first not in known and not _differ(items[first], items[second]):
            known.add(second)
            yield _finding("near_duplicate", items, first, second, f"{share:.0%} alike")


def _finding(kind: str, items: Sequence[Item], first: int, second: int, what: str) -> Finding:
    return Finding(
        kind="duplicate" if kind == "duplicate" else "near_duplicate",
        what=f"{items[first].id!r} (line {items[first].line}) asks this already: {what}",
        id=items[second].id,
        line=items[second].line,
        other=items[first].id,
    )


def _exact(items: Sequence[Item]) -> Iterator[tuple[int, int, str]]:
    """Questions with the same text about the same document."""
    first_of: dict[tuple[str, str], int] = {}
    for number, item in enumerate(items):
        text = "".join(sign for sign in normalised(item.text, fold_case=True) if sign.isalnum())
        first = first_of.setdefault((text, item.source or ""), number)
        if first == number:
            continue
        if not item.source and _other_evidence(items[first], item):
            continue
        conflicting = _answers_differ(items[first], item)
        yield number, first, "same words, another answer" if conflicting else "same words"


def _other_evidence(first: Item, second: Item) -> bool:
    """Whether both have gold, and it is of different documents."""
    left = {span.source for span in first.spans if span.source}
    right = {span.source for span in second.spans if span.source}
    return bool(left and right and not left & right)


def _same_fact(items: Sequence[Item], sets: Sequence[Shingles]) -> Iterator[tuple[int, int, float]]:
    """Pairs of questions with the same gold and the same answer."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, item in enumerate(items):
        if item.answers and (item.gold or item.spans):
            gold = (item.gold, *((span.source, span.start, hash(span.text)) for span in item.spans))
            groups.setdefault((gold, normalised(item.answers[0], fold_case=True)), []).append(
                number
            )
    for group in groups.values():
        for place, first in enumerate(group):
            for second in group[place + 1 : place + 1 + _MOST_COMPARED]:
                share = jaccard(sets[first], sets[second])
                if share >= _SAME_FACT:
                    yield first, second, share


def _differ(first: Item, second: Item) -> bool:
    """Whether similar questions ask for different things.

    They do if their answers differ, if they are about different documents, if one has a number
    that the other does not have, or if each has a name of its own.
    """
    if _answers_differ(first, second) or (first.source or "") != (second.source or ""):
        return True
    if _other_evidence(first, second):
        return True
    left, right = set(words(first.text)), set(words(second.text))
    if any(word[0].isdigit() for word in left ^ right):
        return True
    return bool(_names(first.text) - _names(second.text)) and bool(
        _names(second.text) - _names(first.text)
    )


def _answers_differ(first: Item, second: Item) -> bool:
    if not first.answers or not second.answers:
        return False
    return not any(is_exact(left, right) for left in first.answers for right in second.answers)


def _names(text: str) -> set[str]:
    """The capitalised words after the first one."""
    return {word.strip(".,?!:;«»\"'()") for word in text.split()[1:] if word[:1].isupper()}
