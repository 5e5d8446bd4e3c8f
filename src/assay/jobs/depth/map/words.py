"""The words of heatmaps."""

from assay.report.look import shown_count
from assay.words.language import Lang
from assay.words.plural import Count
from assay.words.translation import translation


def heat_word(key: str, lang: Lang, **fields: "str | NotedCount") -> str:
    """Returns a word or a sentence of a heatmap with its ``{name}`` fields filled.

    >>> heat_word("no data", "zh"), heat_word("tokens", "en", n="4,000")
    ('无数据', '4,000 tokens')
    """
    return translation(lang).heatmap[key].format(**fields)


class NotedCount:
    """A number in a note: it is shown like ``shown_count``, and chooses the form of a noun.

    >>> "{n} {n:row|rows}".format(n=NotedCount(1, "en"))
    '1 row'
    """

    def __init__(self, number: int, lang: Lang) -> None:
        self._number = Count(number)
        self._text = shown_count(number, lang)

    def __format__(self, spec: str) -> str:
        return format(self._number, spec) if spec else self._text
