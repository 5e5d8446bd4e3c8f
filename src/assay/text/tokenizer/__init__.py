"""Tokens as a model counts them."""

from assay.text.tokenizer.tokenizer import Tokenizer, load_tokenizer

__all__ = [
    "Tokenizer",
    "load_tokenizer",
]
