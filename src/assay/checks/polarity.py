"""Whether an answer says yes or no: its first word decides, or nothing does."""

from typing import Final

from assay.text import tokens, word_set

_LONGEST_ZH: Final = 3


def polarity(text: str) -> bool | None:
    """Whether ``text`` begins with yes or with no; ``None`` if it begins with neither.

    >>> polarity("Yes, twice."), polarity("否（第2页）"), polarity("It depends.")
    (True, False, None)
    """
    words = [token.word for token in tokens(text[:80])[:_LONGEST_ZH]]
    for size in range(len(words), 0, -1):
        head = "".join(words[:size])
        if head in word_set("yes"):
            return True
        if head in word_set("no"):
            return False
    return None


def expected_polarity(expected: str) -> bool | None:
    """Whether an accepted answer is nothing but yes, or nothing but no.

    >>> expected_polarity("Нет."), expected_polarity("no limit") is None
    (False, True)
    """
    whole = "".join(token.word for token in tokens(expected[:80]))
    return True if whole in word_set("yes") else False if whole in word_set("no") else None


def is_denying(answer: str) -> bool:
    """Whether an answer denies anything: the way it leans where it says neither yes nor no.

    >>> is_denying("The tenant may not sublet."), is_denying("The tenant may sublet.")
    (True, False)
    """
    return any(token.word in word_set("negation") for token in tokens(answer))
