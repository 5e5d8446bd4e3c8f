"""Text in Chinese, Russian and English, as pure functions: nothing here reads or writes."""

from assay.text.answer import exact_match
from assay.text.article import Article, article_number, articles
from assay.text.date import Date, dates
from assay.text.daterange import DateRange, date_ranges
from assay.text.language import Language, language
from assay.text.match import find_phrase
from assay.text.normalise import Normalised, normalise, normalised
from assay.text.number import Number, numbers, same_number
from assay.text.numeral import numeral_value
from assay.text.sentence import sentences
from assay.text.simplified import simplified
from assay.text.span import Span
from assay.text.token import search_terms, words

__all__ = [
    "Article",
    "Date",
    "DateRange",
    "Language",
    "Normalised",
    "Number",
    "Span",
    "article_number",
    "articles",
    "date_ranges",
    "dates",
    "exact_match",
    "find_phrase",
    "language",
    "normalise",
    "normalised",
    "numbers",
    "numeral_value",
    "same_number",
    "search_terms",
    "sentences",
    "simplified",
    "words",
]
