"""Cut documents into chunks, and read and write the corpus files that contain them."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.data.corpus.chunk import MANIFEST, Chunk, Corpus, corpus_path, load_corpus
    from assay.data.corpus.chunker import (
        OVERLAP,
        TOKENS,
        Chunker,
        chunk_document,
        estimated_tokens,
        has_id_of_text,
    )
    from assay.data.corpus.recut import (
        Cut,
        file_sha256,
        ingested_cut,
        read_documents,
        recut_corpus,
    )
    from assay.data.corpus.section import SEPARATOR, Section, sections
    from assay.data.corpus.spool import Spool
    from assay.data.corpus.write import (
        Origin,
        altered_files,
        corpus_files,
        has_chunks_without_manifest,
        write_corpus,
        write_manifest,
    )
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "Chunk": "chunk",
            "Chunker": "chunker",
            "Corpus": "chunk",
            "Cut": "recut",
            "MANIFEST": "chunk",
            "OVERLAP": "chunker",
            "Origin": "write",
            "SEPARATOR": "section",
            "Section": "section",
            "Spool": "spool",
            "TOKENS": "chunker",
            "altered_files": "write",
            "chunk_document": "chunker",
            "corpus_files": "write",
            "corpus_path": "chunk",
            "estimated_tokens": "chunker",
            "file_sha256": "recut",
            "has_chunks_without_manifest": "write",
            "has_id_of_text": "chunker",
            "ingested_cut": "recut",
            "load_corpus": "chunk",
            "read_documents": "recut",
            "recut_corpus": "recut",
            "sections": "section",
            "write_corpus": "write",
            "write_manifest": "write",
        },
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
    "estimated_tokens",
    "file_sha256",
    "has_chunks_without_manifest",
    "has_id_of_text",
    "ingested_cut",
    "load_corpus",
    "read_documents",
    "recut_corpus",
    "sections",
    "write_corpus",
    "write_manifest",
]
