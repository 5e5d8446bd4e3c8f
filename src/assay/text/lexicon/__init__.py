"""The words of each language as data: one TOML file per language, read once when first used."""

from assay.text.lexicon.pattern import Pattern, alternation, any_of, lazy_pattern
from assay.text.lexicon.read import LETTERS, alternatives, entry, expressions, word_list

__all__ = [
    "LETTERS",
    "Pattern",
    "alternation",
    "alternatives",
    "any_of",
    "entry",
    "expressions",
    "lazy_pattern",
    "word_list",
]
