"""Checking the data of experiments: questions, chunks, and that gold chunks are in the corpus."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.system import ReferenceConfig
from assay.config.workspace import Workspace
from assay.data.corpus.chunk import corpus_path, load_corpus
from assay.data.corpus.corpus_files import altered_files
from assay.data.corpus.recut import changed_documents, changed_notes
from assay.data.question import CorpusQuestion, read_questions
from assay.data.set_note import question_notes
from assay.errors import AssayError
from assay.jobs.doctor.leak import CheckResult
from assay.report.description import noted
from assay.words.language import language
from assay.words.say import say, say_n

_CHUNKS = "chunks/manifest.json"
_MAX_NAMED = 3


class _DataPath(Struct, frozen=True):
    """A path to data. ``configured`` is false for a default that the configuration omits."""

    path: str
    where: str
    key: str
    configured: bool = True


def check_data(
    document: ConfigDocument[ExperimentFile], workspace: Workspace
) -> Iterator[CheckResult]:
    """Check each question file and corpus that a run would read, and each pair of them."""
    loaded: dict[str, list[CorpusQuestion] | None] = {}
    ids: dict[str, frozenset[str] | None] = {}
    pairs = dict.fromkeys(_pairs(document))
    for questions, corpus in pairs:
        if questions is not None and questions.path not in loaded:
            loaded[questions.path], finding = _check_questions(questions, workspace)
            yield finding
            if loaded[questions.path] is not None:
                path = workspace.resolve(questions.path, questions.where)
                yield from (CheckResult(ok=None, what=noted(note)) for note in question_notes(path))
        if corpus is not None and corpus.path not in ids:
            ids[corpus.path], finding = _check_corpus(corpus, workspace)
            yield finding
            if ids[corpus.path] is not None:
                yield from _changed(corpus, workspace)
    compared: set[tuple[str, str]] = set()
    for questions, corpus in pairs:
        if questions is None or corpus is None or (questions.path, corpus.path) in compared:
            continue
        compared.add((questions.path, corpus.path))
        contents, known_ids = loaded[questions.path], ids[corpus.path]
        if contents is not None and known_ids is not None:
            named = _named_corpus(corpus, workspace)
            yield _gold_finding(questions, named, contents, known_ids)


def _pairs(
    document: ConfigDocument[ExperimentFile],
) -> Iterator[tuple[_DataPath | None, _DataPath | None]]:
    """The paths of questions and corpus of the defaults, then of each experiment."""
    file = document.value
    defaults = _DataPath(
        file.defaults.questions_path or "",
        document.where("defaults", "questions_path"),
        "questions_path",
    )
    default_questions = defaults if defaults.path else None
    yield default_questions, _corpus_of(file.defaults.asked_system, document)
    for number, experiment in enumerate(file.experiments):
        questions = default_questions
        if experiment.questions_path is not None:
            where = document.where("experiments", number, "questions_path")
            questions = _DataPath(experiment.questions_path, where, "questions_path")
        yield questions, _corpus_of(experiment.system or file.defaults.asked_system, document)


def _corpus_of(system: str, document: ConfigDocument[ExperimentFile]) -> _DataPath | None:
    """The corpus that a system answers from; None if the configuration does not say."""
    file = document.value
    config = file.systems.get(system)
    if isinstance(config, ReferenceConfig) and config.chunks_manifest is not None:
        where = document.where("systems", system, "chunks_manifest")
        return _DataPath(config.chunks_manifest, where, "chunks_manifest")
    if file.defaults.chunks_manifest is not None:
        where = document.where("defaults", "chunks_manifest")
        return _DataPath(file.defaults.chunks_manifest, where, "chunks_manifest")
    if system == "reference" or isinstance(config, ReferenceConfig):
        return _DataPath(_CHUNKS, document.where("defaults"), "chunks_manifest", configured=False)
    return None


def _check_questions(
    path_entry: _DataPath, workspace: Workspace
) -> tuple[list[CorpusQuestion] | None, CheckResult]:
    try:
        path = workspace.resolve(path_entry.path, path_entry.where)
        if not path.is_file():
            message = f"{path_entry.where}: {path_entry.key}: there is no {path}"
            return None, CheckResult(ok=False, what=message)
        questions = read_questions(path)
    except AssayError as error:
        return None, CheckResult(ok=False, what=str(error))
    gold = sum(bool(question.gold) for question in questions)
    message = say_n(
        "{file}: {n} question, {gold} with gold chunks",
        "{file}: {n} questions, {gold} with gold chunks",
        len(questions),
        file=path,
        gold=gold,
    )
    return questions, CheckResult(ok=True, what=message)


def _check_corpus(
    path_entry: _DataPath, workspace: Workspace
) -> tuple[frozenset[str] | None, CheckResult]:
    try:
        path = corpus_path(workspace.resolve(path_entry.path, path_entry.where))
        if not path.exists():
            hint = "create a corpus with `assay ingest FOLDER`"
            if path_entry.configured:
                message = f"{path_entry.where}: {path_entry.key}: there is no {path}; {hint}"
                return None, CheckResult(ok=False, what=message)
            return None, CheckResult(
                ok=None,
                what=say(
                    "there is no {file} yet; create a corpus with `assay ingest FOLDER`", file=path
                ),
            )
        corpus = load_corpus(path, workspace.bounds)
    except AssayError as error:
        return None, CheckResult(ok=False, what=str(error))
    ids = frozenset(chunk.id for chunk in corpus.chunks)
    altered = altered_files(path)
    if altered:
        message = (
            f"{path}: {', '.join(altered)} changed since `assay ingest` wrote the corpus; "
            "run it again, or delete the manifest if the change is yours"
        )
        return ids, CheckResult(ok=False, what=message)
    sources = len({chunk.source for chunk in corpus.chunks})
    of_documents = say(
        "{chunks} {documents}",
        chunks=say_n("{n} chunk", "{n} chunks", len(corpus.chunks)),
        documents=say_n("of {n} document", "of {n} documents", sources),
    )
    return ids, CheckResult(ok=True, what=f"{path}: {of_documents}")


def _changed(corpus: _DataPath, workspace: Workspace) -> Iterator[CheckResult]:
    """A warning if documents changed since the corpus was made of them."""
    path = corpus_path(workspace.resolve(corpus.path, corpus.where))
    for note in changed_notes(changed_documents(path, workspace.bounds)):
        yield CheckResult(ok=None, what=f"{path}: {note.text_in(language())}")


def _named_corpus(corpus: _DataPath, workspace: Workspace) -> str:
    """The manifest, or the folder if there are chunks but no manifest."""
    manifest = workspace.resolve(corpus.path, corpus.where)
    named = Path(corpus.path)
    return str(named if corpus_path(manifest) == manifest else named.parent)


def _gold_finding(
    questions: _DataPath,
    corpus: str,
    contents: list[CorpusQuestion],
    known_ids: frozenset[str],
) -> CheckResult:
    gold = dict.fromkeys(name for question in contents for name in question.gold)
    missing = [name for name in gold if name not in known_ids]
    if not gold:
        return CheckResult(
            ok=None,
            what=say(
                "{file}: no question names gold chunks, so none are checked", file=questions.path
            ),
        )
    if not missing:
        message = say(
            "{file}: all {n} gold chunks are in {corpus}",
            file=questions.path,
            n=len(gold),
            corpus=corpus,
        )
        return CheckResult(ok=True, what=message)
    examples = ", ".join(missing[:_MAX_NAMED]) + (" …" if len(missing) > _MAX_NAMED else "")
    return CheckResult(
        ok=False,
        what=f"{questions.path}: {len(missing)} of {len(gold)} gold chunks are not in "
        f"{corpus} ({examples}); ingest their documents, or correct the questions",
    )
