"""Cut documents into chunks, and read and write the corpus files that contain them."""

from assay.data.corpus.chunk import MANIFEST, Chunk, Corpus, corpus_path, load_corpus
from assay.data.corpus.chunker import OVERLAP, TOKENS, chunk_document
from assay.data.corpus.section import SEPARATOR, Section, sections
from assay.data.corpus.write import altered_files, corpus_files, write_corpus

__all__ = [
    "MANIFEST",
    "OVERLAP",
    "SEPARATOR",
    "TOKENS",
    "Chunk",
    "Corpus",
    "Section",
    "altered_files",
    "chunk_document",
    "corpus_files",
    "corpus_path",
    "load_corpus",
    "sections",
    "write_corpus",
]
