"""What turns text into vectors, and the vectors kept on disk."""

from assay.rag.embed.local import BATCH
from assay.rag.embed.e5 import E5Embedder
from assay.rag.embed.protocol import Embedder
from assay.rag.embed.protocol import HasCentre
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.embed.local import LocalModel
from assay.rag.embed.endpoint import ModelEmbedder
from assay.rag.embed.onnx import OnnxEmbedder
from assay.rag.embed.onnx_model import OnnxModel
from assay.rag.embed.local import SentenceTransformersEmbedder
from assay.rag.embed.protocol import Space
from assay.rag.embed.protocol import UsesFrequencies
from assay.rag.embed.store import VectorStore
from assay.rag.embed.protocol import Vectors
from assay.rag.embed.local import clean_text
from assay.rag.embed.hashed import document_vector
from assay.rag.embed.local import model_identity
from assay.rag.embed.local import one_line
from assay.rag.embed.local import require_folder

__all__ = [
    "BATCH",
    "E5Embedder",
    "Embedder",
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
    "require_folder",
]
