"""Text in Chinese, Russian and English, as pure functions: nothing here reads or writes."""

from assay.text.article import Article
from assay.text.character import CYRILLIC
from assay.text.citation import CitationStyle
from assay.text.date import Date
from assay.text.date.range import DateRange
from assay.text.character import HAN
from assay.text.character import IGNORABLE
from assay.text.character import LATIN
from assay.text.language import Language
from assay.text.citation import NO_MENTION
from assay.text.normalise import Normalised
from assay.text.number import Number
from assay.text.span import Span
from assay.text.article import article_number
from assay.text.article import articles
from assay.text.citation import citation_spans
from assay.text.citation import citations_ok
from assay.text.date.range import date_ranges
from assay.text.date import dates
from assay.text.answer import exact_match
from assay.text.citation import extract_citation_numbers
from assay.text.citation import extract_page_numbers
from assay.text.match import find_phrase
from assay.text.language import language
from assay.text.citation import marked_page_numbers
from assay.text.normalise import normalise
from assay.text.normalise import normalised
from assay.text.number import numbers
from assay.text.number.numeral import numeral_value
from assay.text.piece import pieces
from assay.text.number import same_number
from assay.text.search_term import search_terms
from assay.text.sentence import sentences
from assay.text.simplified import simplified
from assay.text.search_term import stem
from assay.text.citation import without_citations
from assay.text.search_term import words

__all__ = [
    "Article",
    "CYRILLIC",
    "CitationStyle",
    "Date",
    "DateRange",
    "HAN",
    "IGNORABLE",
    "LATIN",
    "Language",
    "NO_MENTION",
    "Normalised",
    "Number",
    "Span",
    "article_number",
    "articles",
    "citation_spans",
    "citations_ok",
    "date_ranges",
    "dates",
    "exact_match",
    "extract_citation_numbers",
    "extract_page_numbers",
    "find_phrase",
    "language",
    "marked_page_numbers",
    "normalise",
    "normalised",
    "numbers",
    "numeral_value",
    "pieces",
    "same_number",
    "search_terms",
    "sentences",
    "simplified",
    "stem",
    "without_citations",
    "words",
]
