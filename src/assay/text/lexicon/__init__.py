"""The words of each language as data: one TOML file per language, read once when first used."""

from assay.text.lexicon.pattern import Pattern, lazy_pattern
from assay.text.lexicon.read import LANGUAGES, alternatives, entry, expressions, word_list

__all__ = [
    "LANGUAGES",
    "Pattern",
    "alternatives",
    "entry",
    "expressions",
    "lazy_pattern",
    "word_list",
]
