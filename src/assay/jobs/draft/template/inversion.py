"""English word order in questions: the verb before its subject."""

from typing import Final

from assay.jobs.draft.template.statement import Letters
from assay.jobs.draft.template.wording import Verbs

_LONGEST_SUBJECT: Final = 9


def inverted(clause: str, verbs: Verbs, letters: Letters) -> str | None:
    """A clause with the verb first, or None if its parts cannot be told apart.

    >>> from assay.jobs.draft.template.wording import wording
    >>> verbs = wording("en").verbs
    >>> letters = Letters("", wording("en"))
    >>> inverted("The bridge was opened by Queen Anne", verbs, letters)
    'was the bridge opened by Queen Anne'
    >>> inverted("The Owl Society moved to Harlow", verbs, letters)
    'did the Owl Society move to Harlow'
    """
    words = clause.split()
    for place in range(min(len(words), _LONGEST_SUBJECT + 1)):
        verb = _verb(words, place, verbs)
        if verb is None:
            continue
        if place == 0:
            return None
        subject = letters.inside(" ".join(words[:place]))
        if subject is None or verbs.not_in_subject.search(subject):
            return None
        first, then = verb
        rest = [*([then] if then else []), *words[place + 1 :]]
        if _has_second_verb(words[place + 1 :], verbs):
            return None
        return " ".join([first, subject, *rest])
    return None


def verb_place(clause: str, verbs: Verbs) -> int | None:
    """The number of the word that is the verb; None if none is known."""
    words = clause.split()
    places = range(min(len(words), _LONGEST_SUBJECT + 1))
    return next((place for place in places if _verb(words, place, verbs) is not None), None)


def _verb(words: list[str], place: int, verbs: Verbs) -> tuple[str, str] | None:
    """The word that comes first in a question, and the one that takes the place of the verb."""
    word = words[place]
    if word in verbs.auxiliaries:
        return word, ""
    following = words[place + 1] if place + 1 < len(words) else ""
    if word in verbs.perfect:
        if verbs.participle.fullmatch(following):
            return word, ""
        return {"has": "does", "have": "do", "had": "did"}[word], "have"
    if word in verbs.past and place > 0:
        return "did", verbs.past[word]
    return None


def _has_second_verb(words: list[str], verbs: Verbs) -> bool:
    """Whether another verb in the past is joined to the first: "designed and built"."""
    return any(
        word in {"and", "or", "but"}
        and any(after in verbs.past for after in words[at + 1 : at + 3])
        for at, word in enumerate(words)
    )
