"""Sentences that are recorded or checked in English, in another language.

Rows have their reasons in English, because programs read them. Whoever shows one retells it: the sentences of
each kind are listed with their translations (``[value.KIND]`` of the language), and what stands in
their gaps is kept. A sentence that is not listed, such as that of a library, stays as it is.
"""

import re
from functools import cache

from assay.report.words.label import value_templates
from assay.words import Lang

_GAP = re.compile(r"\\\{(\w+)\\\}")


def retold(kind: str, text: str, lang: Lang) -> str:
    """A sentence of a kind in a language; a name before a colon, such as that of a field, stays.

    >>> retold("finding", "town.md: the evidence does not have the answer 'Ann'", "zh")
    "town.md: 证据中没有答案 'Ann'"
    >>> retold("fault", "“in all” (page 2): there is no page 2", "ru")
    '«in all» (страница 2): страницы 2 нет'
    """
    if lang == "en":
        return text
    name, colon, rest = text.partition(": ")
    if colon and " " not in name and (translated := retold(kind, rest, lang)) != rest:
        return f"{retold(kind, name, lang)}: {translated}"
    for pattern, translation in _sentences(kind, lang):
        match = pattern.fullmatch(text)
        if match:
            # what fills a gap may be a sentence of the kind too, such as a reason
            gaps = {name: retold(kind, gap, lang) for name, gap in match.groupdict().items()}
            return translation.format(**gaps)
    before, colon, after = text.rpartition(": ")
    if colon and (translated := retold(kind, after, lang)) != after:
        return f"{retold(kind, before, lang)}: {translated}"
    return text


def sentence_pattern(template: str) -> re.Pattern[str]:
    """A pattern for the sentences that a template with gaps such as ``{a}`` makes."""
    return re.compile(_GAP.sub(lambda gap: f"(?P<{gap[1]}>.+?)", re.escape(template)), re.DOTALL)


@cache
def _sentences(kind: str, lang: Lang) -> list[tuple[re.Pattern[str], str]]:
    """The sentences as patterns; those with the most words of their own first."""
    listed = value_templates(kind, lang)
    order = sorted(listed, key=lambda text: -len(re.sub(r"\{\w\}", "", text)))
    return [(sentence_pattern(text), listed[text]) for text in order]
