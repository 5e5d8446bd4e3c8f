"""Creating a workspace with the sample documents and questions: the work of ``assay init``."""

import hashlib
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.config.document import presets_text
from assay.data.corpus.chunker import OVERLAP, TOKENS
from assay.data.corpus.corpus_files import Origin, corpus_files
from assay.data.jsonl import replace_file
from assay.data.samples.sample import (
    DOCUMENTS,
    sample_chunks,
    sample_document_bytes,
    sample_question_lines,
)
from assay.errors import UseError

REVIEW_FILES: Final = ("clauses.jsonl", "rules.yaml", "laws.jsonl")

_GITIGNORE: Final = """\
# results contain full question and answer texts, so they are not committed
experiments/*
!experiments/experiments.yaml
eval/data/
eval/runs/

# can be created again from documents/ and from model calls
embeddings/
.assay/
.assay-ingest-*/
*.sqlite
*.sqlite-*

# keys
.env
.env.*
"""

_README: Final = """\
# An assay workspace

- `documents/`: a fictional city code and contracts (zh), an annual report (ru), a staff
  handbook (en). Add your own documents, or replace these.
- `chunks/`: made from the documents by `assay ingest documents`.
- `questions/questions.jsonl`: one question on each line. `bundle` names the chunks with the
  answer; it is empty if the documents do not contain the answer.
- `eval/questions.jsonl`: for `assay quality --pdf documents/ru/report.pdf --questions …`.
- `review/`: contract clauses, rules and laws for `assay review --data … --rules … --laws …`.
- `experiments/experiments.yaml`: what to compare. Results are written to the same folder.

Start with `assay doctor` in this folder.
"""

_DEFAULTS: Final = """\
# What to compare. `assay schema` prints the JSON Schema of this file.
defaults:
  questions_path: questions/questions.jsonl
  chunks_manifest: chunks/manifest.json
  embedding_cache_dir: embeddings
  top_k: 10

"""


class CreatedWorkspace(Struct, frozen=True, kw_only=True):
    """A workspace that was created. ``moved`` has the old and new names of files that were moved.

    ``documents``, ``chunks`` and ``questions`` are numbers of samples.
    """

    folder: Path
    written: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    documents: int
    chunks: int
    questions: int


_EMPTY_README: Final = """\
# An assay workspace

1. Put your documents into `documents/`, then `assay ingest documents`.
2. Find passages with `assay search "words"`.
3. Ask your questions: `assay run --questions questions.csv` asks the reference pipeline, and
   `--system python:my_module:my_function` your own system.
4. `experiments/experiments.yaml` says what `assay ablate` compares.
"""


def create_empty_workspace(folder: Path) -> CreatedWorkspace:
    """Create a workspace without samples. What is in the folder stays, and nothing is replaced.

    Raises ``UseError`` if the folder cannot be used.
    """
    if folder.exists() and not folder.is_dir():
        raise UseError(f"{folder} is a file; name a folder")
    defaults = _DEFAULTS.replace("  questions_path: questions/questions.jsonl\n", "")
    files = {
        "experiments/experiments.yaml": (defaults + presets_text()).encode(),
        "README.md": _EMPTY_README.encode(),
        ".gitignore": _GITIGNORE.encode(),
    }
    new = {name: content for name, content in files.items() if not (folder / name).exists()}
    try:
        written, moved = _write(folder, new)
        for name in ("documents", "questions"):
            (folder / name).mkdir(exist_ok=True)
    except OSError as error:
        where = error.filename or folder
        raise UseError(f"{where}: cannot be written: {error.strerror or error}") from None
    return CreatedWorkspace(
        folder=folder, written=written, moved=moved, documents=0, chunks=0, questions=0
    )


def create_workspace(folder: Path, *, force: bool = False) -> CreatedWorkspace:
    """Create a workspace in ``folder``, which must be empty or not exist.

    With ``force`` the folder may contain files. A file with the name of a sample file but other
    content is renamed; nothing is overwritten. Raises ``UseError`` if the folder cannot be used.
    """
    if folder.exists() and not folder.is_dir():
        raise UseError(f"{folder} is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise UseError(
            f"{folder} is not empty; name a new folder, or pass --force to add the samples to it"
        )
    chunks = sample_chunks()
    questions = sample_question_lines(chunks)
    files = {f"documents/{name}": sample_document_bytes(name) for name in DOCUMENTS}
    settings = {"tokens": TOKENS, "overlap": OVERLAP}
    origin = Origin(
        folder="../documents",
        sha256={name: hashlib.sha256(files[f"documents/{name}"]).hexdigest() for name in DOCUMENTS},
    )
    for name, content in corpus_files(chunks, settings=settings, origin=origin).items():
        files[f"chunks/{name}"] = content
    files["questions/questions.jsonl"] = questions
    files["eval/questions.jsonl"] = sample_document_bytes("ru/quality_questions.jsonl")
    for name in REVIEW_FILES:
        files[f"review/{name}"] = sample_document_bytes(f"review/{name}")
    files["experiments/experiments.yaml"] = (_DEFAULTS + presets_text()).encode()
    files["README.md"] = _README.encode()
    files[".gitignore"] = _GITIGNORE.encode()
    try:
        written, moved = _write(folder, files)
    except OSError as error:
        where = error.filename or folder
        raise UseError(f"{where}: cannot be written: {error.strerror or error}") from None
    return CreatedWorkspace(
        folder=folder,
        written=written,
        moved=moved,
        documents=len(DOCUMENTS),
        chunks=len(chunks),
        questions=questions.count(b"\n"),
    )


def _write(
    folder: Path, files: dict[str, bytes]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    written: list[str] = []
    moved: list[tuple[str, str]] = []
    for name, content in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        if path.exists() or path.is_symlink():
            aside = _free_name(path)
            path.rename(aside)
            moved.append((name, aside.relative_to(folder).as_posix()))
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)
        written.append(name)
    return tuple(written), tuple(moved)


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.old-{number}")).exists():
        number += 1
    return aside
