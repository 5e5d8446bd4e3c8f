"""Sentences that another part wrote in English, in all languages of the page."""

from assay.report.words import said
from assay.web.language import in_all
from assay.web.text_api import Text


def translated(text: str) -> Text:
    """The sentence in all languages; sentences may be joined by semicolons.

    >>> translated("base and candidate are the same file").ru
    'основа и кандидат — один и тот же файл'
    """
    return in_all(lambda lang: said(text, lang))
