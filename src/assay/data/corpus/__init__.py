"""Cut documents into chunks, and read and write the corpus files that contain them."""

from assay.data.corpus.chunk import MANIFEST, Chunk, Corpus, corpus_path, load_corpus
from assay.data.corpus.chunker import OVERLAP, TOKENS, Chunker, chunk_document
from assay.data.corpus.recut import (
    Cut,
    file_sha256,
    ingested_cut,
    read_documents,
    recut_corpus,
)
from assay.data.corpus.section import SEPARATOR, Section, sections
from assay.data.corpus.write import (
    Origin,
    Spool,
    altered_files,
    corpus_files,
    has_chunks_without_manifest,
    write_corpus,
    write_manifest,
)

__all__ = [
    "MANIFEST",
    "OVERLAP",
    "SEPARATOR",
    "TOKENS",
    "Chunk",
    "Chunker",
    "Corpus",
    "Cut",
    "Origin",
    "Section",
    "Spool",
    "altered_files",
    "chunk_document",
    "corpus_files",
    "corpus_path",
    "file_sha256",
    "has_chunks_without_manifest",
    "ingested_cut",
    "load_corpus",
    "read_documents",
    "recut_corpus",
    "sections",
    "write_corpus",
    "write_manifest",
]
