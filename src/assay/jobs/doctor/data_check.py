"""What experiments are made of: questions and chunks that load, and gold that is among them."""

from collections.abc import Iterator

from msgspec import Struct

from assay.config import Document, ExperimentFile, ReferenceConfig, Workspace
from assay.data.corpus import load_corpus
from assay.data.question import CorpusQuestion, read_questions
from assay.errors import AssayError
from assay.jobs.doctor.finding import Finding

_CHUNKS = "chunks/manifest.json"
_MOST_NAMED = 3


class _Need(Struct, frozen=True):
    """A path that something in the configuration needs. ``named`` where it says so itself."""

    path: str
    where: str
    key: str
    named: bool = True


def check_material(document: Document[ExperimentFile], workspace: Workspace) -> Iterator[Finding]:
    """Each question file and corpus that a run would read, and each pair of them."""
    loaded: dict[str, list[CorpusQuestion] | None] = {}
    ids: dict[str, frozenset[str] | None] = {}
    pairs = dict.fromkeys(_pairs(document))
    for questions, corpus in pairs:
        if questions is not None and questions.path not in loaded:
            loaded[questions.path], finding = _questions(questions, workspace)
            yield finding
        if corpus is not None and corpus.path not in ids:
            ids[corpus.path], finding = _corpus(corpus, workspace)
            yield finding
    compared: set[tuple[str, str]] = set()
    for questions, corpus in pairs:
        if questions is None or corpus is None or (questions.path, corpus.path) in compared:
            continue
        compared.add((questions.path, corpus.path))
        asked, known = loaded[questions.path], ids[corpus.path]
        if asked is not None and known is not None:
            yield _gold(questions, corpus, asked, known)


def _pairs(document: Document[ExperimentFile]) -> Iterator[tuple[_Need | None, _Need | None]]:
    """The questions and the corpus of the defaults, then of every experiment."""
    file = document.value
    defaults = _Need(
        file.defaults.questions_path or "",
        document.where("defaults", "questions_path"),
        "questions_path",
    )
    general = defaults if defaults.path else None
    yield general, _corpus_of(file.defaults.system, document)
    for number, experiment in enumerate(file.experiments):
        own = general
        if experiment.questions_path is not None:
            where = document.where("experiments", number, "questions_path")
            own = _Need(experiment.questions_path, where, "questions_path")
        yield own, _corpus_of(experiment.system or file.defaults.system, document)


def _corpus_of(system: str, document: Document[ExperimentFile]) -> _Need | None:
    """The corpus that a system answers from; ``None`` where that is its own affair."""
    file = document.value
    config = file.systems.get(system)
    if isinstance(config, ReferenceConfig) and config.chunks_manifest is not None:
        where = document.where("systems", system, "chunks_manifest")
        return _Need(config.chunks_manifest, where, "chunks_manifest")
    if file.defaults.chunks_manifest is not None:
        where = document.where("defaults", "chunks_manifest")
        return _Need(file.defaults.chunks_manifest, where, "chunks_manifest")
    if system == "reference" or isinstance(config, ReferenceConfig):
        return _Need(_CHUNKS, document.where("defaults"), "chunks_manifest", named=False)
    return None


def _questions(need: _Need, workspace: Workspace) -> tuple[list[CorpusQuestion] | None, Finding]:
    try:
        path = workspace.resolve(need.path, need.where)
        if not path.is_file():
            said = f"{need.where}: {need.key}: there is no {path}"
            return None, Finding(ok=False, what=said)
        found = read_questions(path)
    except AssayError as error:
        return None, Finding(ok=False, what=str(error))
    gold = sum(bool(question.gold) for question in found)
    return found, Finding(ok=True, what=f"{path}: {len(found)} questions, {gold} with gold chunks")


def _corpus(need: _Need, workspace: Workspace) -> tuple[frozenset[str] | None, Finding]:
    try:
        path = workspace.resolve(need.path, need.where)
        if not path.exists():
            make = "make a corpus with `assay ingest FOLDER`"
            if need.named:
                said = f"{need.where}: {need.key}: there is no {path}; {make}"
                return None, Finding(ok=False, what=said)
            return None, Finding(ok=None, what=f"there is no {path} yet; {make}")
        corpus = load_corpus(path)
    except AssayError as error:
        return None, Finding(ok=False, what=str(error))
    sources = len({chunk.source for chunk in corpus.chunks})
    said = f"{path}: {len(corpus.chunks)} chunks of {sources} documents"
    return frozenset(chunk.id for chunk in corpus.chunks), Finding(ok=True, what=said)


def _gold(
    questions: _Need, corpus: _Need, asked: list[CorpusQuestion], known: frozenset[str]
) -> Finding:
    gold = dict.fromkeys(name for question in asked for name in question.gold)
    missing = [name for name in gold if name not in known]
    if not gold:
        return Finding(
            ok=None, what=f"{questions.path}: no question names gold chunks, so none is looked for"
        )
    if not missing:
        said = f"{questions.path}: all {len(gold)} gold chunks are in {corpus.path}"
        return Finding(ok=True, what=said)
    named = ", ".join(missing[:_MOST_NAMED]) + (" …" if len(missing) > _MOST_NAMED else "")
    return Finding(
        ok=False,
        what=f"{questions.path}: {len(missing)} of {len(gold)} gold chunks are not in "
        f"{corpus.path} ({named}); ingest the documents they come from, or mend the questions",
    )
