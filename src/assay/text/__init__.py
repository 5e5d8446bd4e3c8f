"""Functions for text in Chinese, Russian and English. All are pure, except reading a tokenizer."""

from assay.text.answer import exact_match
from assay.text.answer_type import AnswerType, expected_types, types_present
from assay.text.article import Article, article_number, articles
from assay.text.character import CYRILLIC, HAN, IGNORABLE, LATIN
from assay.text.citation import (
    NO_MENTION,
    CitationStyle,
    citation_spans,
    citations_ok,
    extract_citation_numbers,
    extract_page_numbers,
    marked_page_numbers,
    without_citations,
)
from assay.text.date import Date, DateRange, date_ranges, dates
from assay.text.inflection import same_word
from assay.text.language import Language, language
from assay.text.match import find_phrase, join_hyphenated
from assay.text.normalise import Normalised, normalise, normalised
from assay.text.number import Number, numbers, numeral_value, same_number
from assay.text.piece import Piece, dated_pieces, pieces
from assay.text.plural import counted
from assay.text.search_term import search_terms, stem, tagged_words, words
from assay.text.sentence import sentences
from assay.text.simplified import simplified
from assay.text.span import Span
from assay.text.visible import visible, visible_line
from assay.text.width import display_width, labelled, padded, wrapped
from assay.words import Count

__all__ = [
    "CYRILLIC",
    "HAN",
    "IGNORABLE",
    "LATIN",
    "NO_MENTION",
    "AnswerType",
    "Article",
    "CitationStyle",
    "Count",
    "Date",
    "DateRange",
    "Language",
    "Normalised",
    "Number",
    "Piece",
    "Span",
    "article_number",
    "articles",
    "citation_spans",
    "citations_ok",
    "counted",
    "date_ranges",
    "dated_pieces",
    "dates",
    "display_width",
    "exact_match",
    "expected_types",
    "extract_citation_numbers",
    "extract_page_numbers",
    "find_phrase",
    "join_hyphenated",
    "labelled",
    "language",
    "marked_page_numbers",
    "normalise",
    "normalised",
    "numbers",
    "numeral_value",
    "padded",
    "pieces",
    "same_number",
    "same_word",
    "search_terms",
    "sentences",
    "simplified",
    "stem",
    "tagged_words",
    "types_present",
    "visible",
    "visible_line",
    "without_citations",
    "words",
    "wrapped",
]
