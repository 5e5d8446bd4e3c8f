"""Short lists of words, one file a language; a list has words and phrases, never expressions."""

from assay.text.lists.read import word_groups, word_set, word_values

__all__ = ["word_groups", "word_set", "word_values"]
