"""Whether an answer reports that the sources disagree."""

from collections.abc import Iterator
from typing import Final

from assay.text import dates, numbers, sentences, tokens, word_set

_LONGEST: Final = 4


def reports_conflict(text: str) -> bool:
    """Whether ``text`` says that sources contradict each other.

    >>> reports_conflict("The two lists contradict each other."), reports_conflict("双方说法不一致。")
    (True, True)
    """
    return any(word in word_set("conflict") for word in _words(text))


def gives_two_accounts(text: str) -> bool:
    """Whether ``text`` gives two values of one kind in one sentence, each with who says it.

    >>> gives_two_accounts("Fenwick names 21 April, Ms Braddock says 28 April.")
    True
    >>> gives_two_accounts("He says 21 April, so it was 21 April.")
    False
    """
    for span in sentences(text):
        sentence = span.of(text)
        sayings = sum(word in word_set("says") for word in _words(sentence))
        days = {date.iso for date in dates(sentence)}
        values = days or {f"{n.canonical} {n.unit}" for n in numbers(sentence)}
        if sayings >= 2 and len(values) == 2:
            return True
    return False


def _words(text: str) -> Iterator[str]:
    """The stems of a text, and its Chinese words up to a length."""
    found = tokens(text)
    for index, token in enumerate(found):
        yield token.key
        if "\u3400" <= token.word <= "\u9fff":
            following = found[index : index + _LONGEST]
            for size in range(2, len(following) + 1):
                yield "".join(each.word for each in following[:size])
