"""The offline generator: it quotes what supports an answer, or abstains."""

from assay.rag.generate.extractive.generator import ExtractiveGenerator

__all__ = [
    "ExtractiveGenerator",
]
