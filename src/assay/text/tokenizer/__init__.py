"""Tokenizers: they cut text into tokens and count them like a model."""

from assay.text.tokenizer.tokenizer import BYTE_PAIR, Tokenizer, load_tokenizer

__all__ = ["BYTE_PAIR", "Tokenizer", "load_tokenizer"]
