"""The corpus that a set is checked against: chunks of ``assay ingest``, or a document."""

from collections.abc import Sequence
from pathlib import Path

from assay.config import Workspace
from assay.data.corpus import Chunk, chunk_document, corpus_path, load_corpus
from assay.data.document import is_document, read_document
from assay.errors import UseError
from assay.jobs.corpus import chunks_folder


def load_passages(given: Path | None, workspace: Workspace) -> tuple[Sequence[Chunk] | None, str]:
    """The chunks of the corpus and its name; ``None`` if the workspace has no corpus.

    ``given`` is a manifest, a folder of chunks, or a document, which is cut as ``assay ingest``
    cuts it. Without it, the corpus of the workspace is taken.

    Raises:
        UseError: there is nothing at ``given``.
        DatasetError: the corpus or the document cannot be read.
    """
    if given is None:
        manifest = corpus_path(chunks_folder(workspace) / "manifest.json")
        if not manifest.exists():
            return None, ""
        return load_corpus(manifest, workspace.bounds).chunks, str(manifest)
    if not given.exists():
        raise UseError(f"--corpus {given}: there is no such file or folder")
    if given.is_file() and given.suffix.lower() != ".json" and is_document(given):
        return list(chunk_document(read_document(given, name=given.name))), str(given)
    return load_corpus(given).chunks, str(given)
