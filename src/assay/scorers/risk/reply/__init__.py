"""Parses and writes a reviewer's reply: Markdown or JSON in three languages."""

from assay.scorers.risk.reply.label import heading, level_word
from assay.scorers.risk.reply.parse import ParsedReview, parse_review
from assay.scorers.risk.reply.risk import QUOTES, Risk, join_lines
from assay.scorers.risk.reply.write import review_markdown

__all__ = [
    "QUOTES",
    "ParsedReview",
    "Risk",
    "heading",
    "join_lines",
    "level_word",
    "parse_review",
    "review_markdown",
]
