"""What a reviewer's reply says: Markdown or JSON in three languages."""

from assay.scorers.risk.reply.label import HEADINGS
from assay.scorers.risk.reply.label import LEVEL_WORDS
from assay.scorers.risk.reply.parse import ParsedReview
from assay.scorers.risk.reply.risk import QUOTES
from assay.scorers.risk.reply.risk import Risk
from assay.scorers.risk.reply.risk import join_lines
from assay.scorers.risk.reply.parse import parse_review
from assay.scorers.risk.reply.write import review_markdown

__all__ = [
    "HEADINGS",
    "LEVEL_WORDS",
    "ParsedReview",
    "QUOTES",
    "Risk",
    "join_lines",
    "parse_review",
    "review_markdown",
]
