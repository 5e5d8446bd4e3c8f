"""Documents cut into chunks, and the corpus files that hold them."""

from assay.data.corpus.chunk import Chunk
from assay.data.corpus.chunk import Corpus
from assay.data.corpus.chunk import MANIFEST
from assay.data.corpus.chunker import OVERLAP
from assay.data.corpus.section import SEPARATOR
from assay.data.corpus.section import Section
from assay.data.corpus.chunker import TOKENS
from assay.data.corpus.chunker import chunk_document
from assay.data.corpus.chunk import corpus_files
from assay.data.corpus.chunk import load_corpus
from assay.data.corpus.section import sections
from assay.data.corpus.chunk import write_corpus

__all__ = [
    "Chunk",
    "Corpus",
    "MANIFEST",
    "OVERLAP",
    "SEPARATOR",
    "Section",
    "TOKENS",
    "chunk_document",
    "corpus_files",
    "load_corpus",
    "sections",
    "write_corpus",
]
