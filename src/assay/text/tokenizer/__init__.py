"""Tokenizers: they cut text into tokens and count them like a model."""

from assay.text.tokenizer.tokenizer import Tokenizer, load_tokenizer

__all__ = [
    "Tokenizer",
    "load_tokenizer",
]
