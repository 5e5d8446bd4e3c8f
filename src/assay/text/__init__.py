"""Functions for text in Chinese, Russian and English. All are pure, except reading a tokenizer."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

# modules that have the name of a function are imported at once, or the module would hide it
from assay.text.language import Language, language
from assay.text.normalise import normalise, normalised
from assay.text.simplified import simplified
from assay.text.visible import visible, visible_line, visible_print
from assay.words import Count

if TYPE_CHECKING:
    from assay.text.answer_type import AnswerType, expected_types, types_present
    from assay.text.article import Article, articles
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
    from assay.text.date import Date, dates
    from assay.text.lists import word_groups, word_set
    from assay.text.match import exact_match, find_phrase
    from assay.text.number import Number, numbers, read_numbers, same_number
    from assay.text.piece import pieces
    from assay.text.plural import counted
    from assay.text.search_term import search_terms, stem, tagged_words, words
    from assay.text.sentence import sentences
    from assay.text.span import Ranges, Span
    from assay.text.thought import (
        StatedAnswer,
        is_scored_in_part,
        scored_answer,
        scored_text,
        without_first_thought,
        without_thoughts,
    )
    from assay.text.token import Token, content_units, is_han, tokens, units
    from assay.text.width import display_width, labelled, padded, shortened, wrapped
else:
    # the patterns of numbers and dates take long to compile, and many commands need none of them
    __getattr__ = lazy_door(
        __name__,
        {
            "AnswerType": "answer_type",
            "Article": "article",
            "CYRILLIC": "character",
            "CitationStyle": "citation",
            "Date": "date",
            "HAN": "character",
            "IGNORABLE": "character",
            "LATIN": "character",
            "NO_MENTION": "citation",
            "Number": "number",
            "Ranges": "span",
            "Span": "span",
            "StatedAnswer": "thought",
            "Token": "token",
            "articles": "article",
            "citation_spans": "citation",
            "citations_ok": "citation",
            "content_units": "token",
            "is_han": "token",
            "units": "token",
            "word_groups": "lists",
            "word_set": "lists",
            "counted": "plural",
            "dates": "date",
            "display_width": "width",
            "exact_match": "match",
            "expected_types": "answer_type",
            "extract_citation_numbers": "citation",
            "extract_page_numbers": "citation",
            "find_phrase": "match",
            "is_scored_in_part": "thought",
            "labelled": "width",
            "marked_page_numbers": "citation",
            "numbers": "number",
            "read_numbers": "number",
            "padded": "width",
            "shortened": "width",
            "pieces": "piece",
            "same_number": "number",
            "search_terms": "search_term",
            "sentences": "sentence",
            "scored_answer": "thought",
            "scored_text": "thought",
            "stem": "search_term",
            "tagged_words": "search_term",
            "tokens": "token",
            "types_present": "answer_type",
            "without_citations": "citation",
            "without_first_thought": "thought",
            "without_thoughts": "thought",
            "words": "search_term",
            "wrapped": "width",
        },
    )

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
    "Language",
    "Number",
    "Ranges",
    "Span",
    "StatedAnswer",
    "Token",
    "articles",
    "citation_spans",
    "citations_ok",
    "content_units",
    "counted",
    "dates",
    "display_width",
    "exact_match",
    "expected_types",
    "extract_citation_numbers",
    "extract_page_numbers",
    "find_phrase",
    "is_han",
    "is_scored_in_part",
    "labelled",
    "language",
    "marked_page_numbers",
    "normalise",
    "normalised",
    "numbers",
    "padded",
    "pieces",
    "read_numbers",
    "same_number",
    "scored_answer",
    "scored_text",
    "search_terms",
    "sentences",
    "shortened",
    "simplified",
    "stem",
    "tagged_words",
    "tokens",
    "types_present",
    "units",
    "visible",
    "visible_line",
    "visible_print",
    "without_citations",
    "without_first_thought",
    "without_thoughts",
    "word_groups",
    "word_set",
    "words",
    "wrapped",
]
