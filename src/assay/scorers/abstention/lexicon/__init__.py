"""Words and phrases of abstention in each language, read from one TOML file per language."""

from assay.scorers.abstention.lexicon.read import LETTERS, ContextSection, lexicon

__all__ = [
    "LETTERS",
    "ContextSection",
    "lexicon",
]
