"""What is wrong with a question, said in another language.

Findings are English sentences, which programs and the terminal read. A page has them in its own
language: the sentences are listed with their translations (``report/words``), and what stands in
their gaps is kept. A sentence that is not listed, such as that of a library, stays as it is.
"""

import re
from functools import cache

from assay.report.words import Lang, value_templates

_GAP = re.compile(r"\\\{(\w)\\\}")


def said(what: str, lang: Lang) -> str:
    """A finding in a language; a name before it, such as that of a document, stays.

    >>> said("the question contains its answer 'Ann'", "ru")
    "вопрос содержит свой ответ 'Ann'"
    >>> said("town.md: the evidence does not have the answer 'Ann'", "zh")
    "town.md: 证据中没有答案 'Ann'"
    """
    if lang == "en":
        return what
    name, colon, rest = what.partition(": ")
    if colon and " " not in name and (translated := said(rest, lang)) != rest:
        return f"{name}: {translated}"
    for pattern, translation in _sentences(lang):
        match = pattern.fullmatch(what)
        if match:
            return translation.format(**match.groupdict())
    return what


@cache
def _sentences(lang: Lang) -> list[tuple[re.Pattern[str], str]]:
    """The sentences as patterns; those with the most words of their own first."""
    listed = value_templates("finding", lang)
    order = sorted(listed, key=lambda text: -len(re.sub(r"\{\w\}", "", text)))
    return [(_pattern(text), listed[text]) for text in order]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(_GAP.sub(lambda gap: f"(?P<{gap[1]}>.+?)", re.escape(text)), re.DOTALL)
