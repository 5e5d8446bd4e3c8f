"""The words of each language as data: one TOML file per language, read once when first used."""

from assay.text.lexicon.pattern import (
    Pattern,
    ScriptPattern,
    alternation,
    any_of,
    languages_of,
    lazy_pattern,
)
from assay.text.lexicon.read import LETTERS, alternatives, entry, expressions, word_list

__all__ = [
    "LETTERS",
    "Pattern",
    "ScriptPattern",
    "alternation",
    "alternatives",
    "any_of",
    "entry",
    "expressions",
    "languages_of",
    "lazy_pattern",
    "word_list",
]
