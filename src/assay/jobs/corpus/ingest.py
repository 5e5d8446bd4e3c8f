"""A folder of documents made into a corpus: the work behind ``assay ingest``."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from assay.config import Workspace
from assay.data.corpus import MANIFEST, OVERLAP, TOKENS, Chunk, chunk_document, write_corpus
from assay.data.document import is_document, read_document
from assay.errors import DatasetError, UseError
from assay.jobs.corpus.existing_corpus import ExistingCorpus, set_aside, standing_corpus
from assay.jobs.setup import load_configuration

Progress = Callable[[int, int, str], None]
"""Called before each document with how many are read, how many there are, and its name."""


class Ingested(Struct, frozen=True, kw_only=True):
    """A document that was read. ``empty_pages`` are those without text, perhaps scanned."""

    source: str
    chunks: int
    pages: int | None = None
    empty_pages: tuple[int, ...] = ()


class PassedOver(Struct, frozen=True, kw_only=True):
    """A file that was left out, and why. ``failed`` where it should have been read."""

    source: str
    reason: str
    failed: bool


class Ingestion(Struct, frozen=True, kw_only=True):
    """What became of a folder. ``aside`` is where the corpus went that stood in its place."""

    manifest: Path
    ingested: tuple[Ingested, ...]
    passed: tuple[PassedOver, ...]
    aside: Path | None = None

    @property
    def chunks(self) -> int:
        """Chunks of all documents."""
        return sum(document.chunks for document in self.ingested)


_Outcome = Mapping[str, Ingested | PassedOver | None]
"""What became of each document by its name; ``None`` before it is read."""


def chunks_folder(workspace: Workspace) -> Path:
    """Where the workspace's chunks belong: beside the configured manifest, else ``chunks``."""
    document = load_configuration(workspace)
    configured = document.value.defaults.chunks_manifest if document is not None else None
    if document is None or configured is None:
        return workspace.root / "chunks"
    where = document.where("defaults", "chunks_manifest")
    path = workspace.resolve(configured, where)
    if path.name == MANIFEST:
        return path.parent
    if path.suffix == ".json":
        raise UseError(
            f"{where}: chunks_manifest: assay ingest writes {MANIFEST}, not {path.name}; "
            "name it so, or pass --out"
        )
    return path


def ingest(
    folder: Path,
    out: Path,
    *,
    tokens: int = TOKENS,
    overlap: int = OVERLAP,
    replace: bool = False,
    progress: Progress | None = None,
) -> Ingestion:
    """Cut every document below ``folder`` into chunks and write them to ``out``.

    The same folder gives the same bytes. A document that cannot be read is left out and
    named in the result; where none can be read, nothing is written. A corpus in ``out`` that
    has other documents is refused or, with ``replace``, set aside.
    """
    if not folder.is_dir():
        raise UseError(f"{folder}: no such folder of documents")
    files = {path.relative_to(folder).as_posix(): path for path in _files(folder, out)}
    documents = [source for source, path in files.items() if is_document(path)]
    standing = standing_corpus(out)
    if not replace and documents:  # before the reading, which may take long
        _refuse_loss(standing, dict.fromkeys(documents), folder)
    chunks: list[Chunk] = []
    outcome: dict[str, Ingested | PassedOver] = {}
    for number, source in enumerate(documents):
        if progress is not None:
            progress(number, len(documents), source)
        try:
            outcome[source], made = _read(files[source], source, tokens, overlap)
        except DatasetError as error:
            outcome[source] = PassedOver(source=source, reason=str(error), failed=True)
        else:
            chunks.extend(made)
    ended = [outcome.get(source) or _no_document(source) for source in files]
    passed = tuple(one for one in ended if isinstance(one, PassedOver))
    if not chunks:
        raise DatasetError(_nothing_to_read(folder, passed))
    aside = None
    if replace and standing is not None:
        aside = _aside(standing, outcome)
    else:
        _refuse_loss(standing, outcome, folder)
    return Ingestion(
        manifest=write_corpus(out, chunks, settings={"tokens": tokens, "overlap": overlap}),
        ingested=tuple(one for one in ended if isinstance(one, Ingested)),
        passed=passed,
        aside=aside,
    )


def _refuse_loss(standing: ExistingCorpus | None, outcome: _Outcome, folder: Path) -> None:
    """Refuse to write over a corpus of which chunks would vanish."""
    remedy = "choose another --out, or pass --replace to set them aside"
    if standing is None:
        return
    if not standing.ours:
        raise UseError(f"{standing.folder} holds chunks that assay ingest did not make; {remedy}")
    lost = _lost(standing, outcome)
    if lost:
        more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        found = outcome.get(lost[0])
        why = f"now {found.reason}" if isinstance(found, PassedOver) else f"not in {folder}"
        raise UseError(f"{standing.folder} holds chunks of {lost[0]}{more}, {why}; {remedy}")


def _aside(standing: ExistingCorpus, outcome: _Outcome) -> Path | None:
    """Set a corpus aside of which chunks would vanish; one that is only renewed stays."""
    return set_aside(standing) if not standing.ours or _lost(standing, outcome) else None


def _lost(standing: ExistingCorpus, outcome: _Outcome) -> list[str]:
    kept = {source for source, found in outcome.items() if not isinstance(found, PassedOver)}
    return [source for source in standing.sources if source not in kept]


def _no_document(source: str) -> PassedOver:
    return PassedOver(source=source, reason="not a .txt, .md, .pdf or .docx file", failed=False)


def _files(folder: Path, out: Path) -> Iterator[Path]:
    """Every file below the folder by name, without hidden ones and without our own output."""
    inside = out.resolve()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith((".", "~$")) for part in parts)
        if path.is_file() and not hidden and not path.resolve().is_relative_to(inside):
            yield path


def _read(path: Path, source: str, tokens: int, overlap: int) -> tuple[Ingested, list[Chunk]]:
    document = read_document(path, name=source)
    chunks = chunk_document(document, tokens=tokens, overlap=overlap)
    if not chunks:
        raise DatasetError(f"{path}: there is no text in it")
    numbers = [page.number for page in document.pages if page.number is not None]
    empty = {page.number for page in document.pages if not page.text.strip()}
    read = Ingested(
        source=source,
        chunks=len(chunks),
        pages=len(numbers) or None,
        empty_pages=tuple(number for number in numbers if number in empty),
    )
    return read, chunks


def _nothing_to_read(folder: Path, passed: Sequence[PassedOver]) -> str:
    failed = [item for item in passed if item.failed]
    if failed:
        return f"{folder}: no document could be read; first: {failed[0].reason}"
    return f"{folder}: there is no .txt, .md, .pdf or .docx file in it"
