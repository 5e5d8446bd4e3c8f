"""The content words of a clause: their roots, also of irregular English verbs."""

from functools import cache

from assay.scorers.abstention import content_words as _content_words
from assay.text.lexicon import word_list


@cache
def _irregular() -> dict[str, str]:
    pairs = (pair.partition("/") for pair in word_list("clause.irregular"))
    return {_root(form): _root(verb) for form, _, verb in pairs}


def _root(word: str) -> str:
    return next(iter(_content_words(word)), word)


def content_words(text: str) -> frozenset[str]:
    """The roots of the content words; irregular forms of English verbs have that of the verb."""
    irregular = _irregular()
    return frozenset(irregular.get(word, word) for word in _content_words(text))
