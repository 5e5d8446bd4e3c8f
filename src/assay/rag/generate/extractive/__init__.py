"""The offline generator: it quotes sentences that support an answer, or abstains."""

from assay.rag.generate.extractive.generator import ExtractiveGenerator

__all__ = [
    "ExtractiveGenerator",
]
