"""Embedders, which turn text into vectors, and the store that keeps vectors on disk."""

from assay.rag.embed.e5 import E5Embedder
from assay.rag.embed.endpoint import ModelEmbedder
from assay.rag.embed.given import GivenVectors, read_given_vectors, vector_files
from assay.rag.embed.hashed import HashedEmbedder, document_vector
from assay.rag.embed.local import (
    BATCH,
    LocalModel,
    SentenceTransformersEmbedder,
    clean_text,
    model_identity,
    one_line,
    require_folder,
)
from assay.rag.embed.onnx import OnnxEmbedder
from assay.rag.embed.onnx_model import OnnxModel
from assay.rag.embed.protocol import Embedder, HasCentre, Space, UsesFrequencies, Vectors
from assay.rag.embed.store import VectorStore

__all__ = [
    "BATCH",
    "E5Embedder",
    "Embedder",
    "GivenVectors",
    "HasCentre",
    "HashedEmbedder",
    "LocalModel",
    "ModelEmbedder",
    "OnnxEmbedder",
    "OnnxModel",
    "SentenceTransformersEmbedder",
    "Space",
    "UsesFrequencies",
    "VectorStore",
    "Vectors",
    "clean_text",
    "document_vector",
    "model_identity",
    "one_line",
    "read_given_vectors",
    "require_folder",
    "vector_files",
]
