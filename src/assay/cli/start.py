"""``assay start``: from documents or a system to a first table, by the ordinary commands.

Each step is a command, which is printed before it runs. What a step has made is left alone when the
command is given again, so it goes on wherever it was stopped: a corpus is made again if documents have
changed, a file of questions never, and a run asks only what has no answer.
"""

import asyncio
import shlex
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit
from urllib.request import getproxies

import msgspec
import typer
from msgspec import Struct

from assay.cli.main import app
from assay.cli.next_step import typed_path, without_next
from assay.cli.options import MaxCost, Root, one_of
from assay.cli.output import echo, echo_text
from assay.cli.redaction import Redact
from assay.config.experiment import REFERENCE
from assay.config.workspace import EXPERIMENTS_FILE, Workspace, make_folder
from assay.data.corpus.recut import file_sha256
from assay.data.jsonl import UNREADABLE, replace_file
from assay.errors import INTERRUPTED, SystemLoadError, UseError
from assay.jobs.corpus.ingest import chunks_folder, documents_sha256, find_corpus
from assay.mask import OWN_FOLDER
from assay.models.address import shown_url
from assay.questions.gold import versions
from assay.records import digest
from assay.runs.redaction import MODES
from assay.systems.load import (
    SYSTEMS,
    load_configuration,
    load_system,
    make_system_context,
    model_client,
)
from assay.systems.python.system import PythonSystem
from assay.web.serve import has_screen
from assay.words.say import say

FOLDER: Final = "assay-start"
_IGNORED: Final = "# written by assay: results contain the texts of questions and answers"
_CONNECT_S: Final = 5.0


def start(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER|SYSTEM",
            help="A folder of documents, or a system: python:module:callable, an address, …",
        ),
    ],
    documents: Annotated[
        Path | None,
        typer.Option(
            "--documents", metavar="FOLDER", help="Documents that the system answers from."
        ),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", help="Your own questions. Default: drafts from the documents."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="Let this model write the drafts. Default: draft of the configuration, otherwise "
            "rules, without a model.",
        ),
    ] = None,
    max_cost: MaxCost = None,
    root: Root = None,
    redact: Redact = None,
    *,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Do not open the page at the end.")
    ] = False,
) -> None:
    """Go from a folder of documents, or a system, to a first table. Each step is a command.

    Documents are read, questions drafted and checked, the system is asked, and the page is opened.
    Given again, the command goes on where it was.
    """
    if redact is not None:
        one_of("--redact", redact, MODES)
    asked = _asked(what, documents, questions, root)
    walk = _Walk(asked, () if redact is None else ("--redact", redact))
    walk.begin()
    if asked.documents is not None:
        walk.ingest(asked.documents)
    asked_questions = asked.questions or walk.draft(model or asked.draft, max_cost)
    walk.check(asked_questions)
    code = walk.run(asked_questions, max_cost)
    walk.view(is_opened=not no_open and sys.stdout.isatty() and has_screen())
    raise typer.Exit(code)


class _Asked(Struct, frozen=True, kw_only=True):
    """What is started: the workspace, the system, and the documents or the questions.

    ``draft`` is the model of the configuration that drafts questions.
    """

    root: Path
    system: str
    documents: Path | None
    questions: Path | None
    draft: str | None

    @property
    def folder(self) -> Path:
        """The folder of the documents; there is one if there are no questions."""
        assert self.documents is not None
        return self.documents

    @property
    def workspace(self) -> Workspace:
        """The workspace, whose folder need not exist yet."""
        return Workspace(root=self.root.resolve())


def _asked(what: str, documents: Path | None, questions: Path | None, root: Path | None) -> _Asked:
    """Read and check the words of the command line before anything is written."""
    folder, system = documents, what
    if Path(what).is_dir():
        if documents is not None:
            raise UseError(f"{what} is a folder of documents; leave out --documents")
        folder, system = Path(what), REFERENCE
    elif Path(what).exists():
        raise UseError(f"{what} is a file; name the folder that has your documents")
    if questions is not None and not questions.is_file():
        raise UseError(f"--questions {questions}: no such file")
    if folder is not None and not folder.is_dir():
        raise UseError(f"--documents {folder}: no such folder")
    workspace = Workspace(root=_root(root).resolve())
    configuration = load_configuration(workspace)
    asked = _Asked(
        root=workspace.root,
        system=system,
        documents=folder,
        questions=questions,
        draft=configuration.value.defaults.draft if configuration is not None else None,
    )
    if system != REFERENCE:
        _refuse_system(asked)
    if folder is not None:
        documents_sha256(folder, chunks_folder(workspace))
    elif questions is None:
        raise UseError(
            f"{what}: name what to ask: --questions FILE, or --documents FOLDER to draft questions"
        )
    return asked


def _root(given: Path | None) -> Path:
    """The workspace: the one around the current folder, otherwise a new folder in it."""
    if given is not None:
        return Workspace.find(given).root if given.is_dir() else given
    found = Workspace.find()
    return found.root if found.experiments_file.is_file() else Path(FOLDER)


def _refuse_system(asked: _Asked) -> None:
    """Say early that the system cannot be loaded, or that nobody listens at its address."""
    context = make_system_context(asked.workspace, load_configuration(asked.workspace))
    try:
        if (
            asked.system not in context.systems
            and asked.system.partition(":")[0] not in SYSTEMS.names()
        ):
            raise SystemLoadError(
                f"{asked.system}: neither a folder nor a system, such as http://localhost:8000/ask or "
                "python:module:function"
            )
        system = load_system(asked.system, context)
        if not isinstance(system, PythonSystem):  # closing one closes what its module shares
            asyncio.run(system.close())
    finally:
        context.close()
    url = urlsplit(asked.system)
    if url.scheme in {"http", "https"} and "${" not in asked.system and not getproxies():
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        try:
            socket.create_connection((url.hostname or "", port), _CONNECT_S).close()
        except OSError as error:
            raise UseError(
                f"{shown_url(asked.system)}: cannot connect: {error.strerror or error}; check the "
                "address and that the server is running"
            ) from None


class _Walk:
    """The steps, and what is remembered of those that are done.

    What is remembered is a hash of what a step was made from, in ``.assay/start.json``. ``further`` are
    words that every command but the first gets.
    """

    def __init__(self, asked: _Asked, further: tuple[str, ...]) -> None:
        self._asked = asked
        self._further = further
        self._file = asked.root / OWN_FOLDER / "start.json"
        self._done: dict[str, str] = {}
        with suppress(OSError, *UNREADABLE):
            self._done = msgspec.json.decode(self._file.read_bytes(), type=dict[str, str])
        self._steps = 0

    def begin(self) -> None:
        """Say where everything goes, and create the workspace if there is none."""
        asked = self._asked
        folder = asked.documents and str(asked.documents.resolve())
        if folder and self._done.get("documents", folder) != folder:
            raise UseError(
                f"{typed_path(asked.root)} is about {self._done['documents']}; name another folder for "
                f"the results with --root"
            )
        echo(
            say(
                "everything is written to {folder}; the same command goes on, and --root names another folder",
                folder=typed_path(asked.root),
            )
        )
        if not (asked.root / EXPERIMENTS_FILE).is_file():
            _keep_out_of_git(asked.root)
            self._step(
                say("a workspace"), ("init", "--empty", typed_path(asked.root)), is_placed=True
            )
        if folder:
            self._remember("documents", folder)

    def ingest(self, folder: Path) -> None:
        """Read the documents, unless the corpus is of them as they are."""
        chunks = chunks_folder(self._asked.workspace)
        of = documents_sha256(folder, chunks)
        corpus = find_corpus(chunks)
        is_done = corpus is not None and corpus.is_complete and self._done.get("ingest") == of
        self._step(say("read the documents"), ("ingest", typed_path(folder)), is_done=is_done)
        self._remember("ingest", of)

    def draft(self, model: str | None, max_cost: float | None) -> Path:
        """Draft questions, unless there are some; return the file, reviewed if it has been."""
        name = self._asked.folder.resolve().stem or "corpus"
        path = self._asked.root / "questions" / f"{name}.draft.jsonl"
        words: tuple[str, ...] = ("questions", "draft", "--name", name)
        is_done = path.exists()
        if model is not None and not is_done:
            words = (*words, "--model", model)
            self._say_destination(model)
            self._step(say("what drafting will cost"), (*words, "--dry-run"))
            words = (*words, *_limit(max_cost))
        self._step(say("draft questions"), words, is_done=is_done)
        reviewed = versions(path.parent, name)
        return reviewed[max(reviewed)] if reviewed else path

    def _say_destination(self, model: str) -> None:
        """Say who gets the texts of the documents."""
        asked = self._asked
        context = make_system_context(asked.workspace, load_configuration(asked.workspace))
        try:
            config = model_client(model, context).config
        finally:
            context.close()
        echo_text("")
        echo(
            say(
                "passages of your documents go to {model} at {address}",
                model=config.model,
                address=shown_url(config.base_url),
            )
        )

    def check(self, questions: Path) -> None:
        """Check the questions, unless these were checked with this corpus; findings stop nothing."""
        manifest = chunks_folder(self._asked.workspace) / "manifest.json"
        of = digest([file_sha256(path) for path in (questions, manifest) if path.exists()])
        self._step(
            say("check the questions"),
            ("questions", "check", typed_path(questions)),
            is_done=self._done.get("check") == of,
            allowed=(0, 1),
        )
        self._remember("check", of)

    def run(self, questions: Path, max_cost: float | None) -> int:
        """Ask the system whatever has no answer yet; return the exit code."""
        results = self._asked.workspace.experiments_dir.glob(f"run-{questions.stem}*.jsonl")
        again = ("--resume", "refresh") if any(results) else ()
        words = ("run", "--questions", typed_path(questions), "--system", self._asked.system)
        return self._step(
            say("ask the questions"), (*words, *_limit(max_cost), *again), allowed=(0, 1)
        )

    def view(self, *, is_opened: bool) -> None:
        """Open the page, or say how."""
        if is_opened:
            self._step(say("see every answer"), ("view",))
            return
        words = ("view", *self._place(), *self._further)
        echo_text("")
        echo(say("see every answer: {command}", command=_typed(words)))

    def _step(
        self,
        title: str,
        words: tuple[str, ...],
        *,
        is_done: bool = False,
        is_placed: bool = False,
        allowed: tuple[int, ...] = (0,),
    ) -> int:
        """Print a command and run it, unless that is done; return its exit code, which may end us."""
        self._steps += 1
        words = words if is_placed else (*words, *self._place(), *self._further)
        echo_text("")
        done = f" ({say('done before')})" if is_done else ""
        echo(f"{self._steps}. {title}{done}")
        echo(f"$ {_typed(words)}")
        if is_done:
            return 0
        sys.stdout.flush()
        code = _perform(words)
        if code not in allowed:
            if code in INTERRUPTED:
                echo(say("go on with: {command}", command=_typed(tuple(sys.argv[1:]))), err=True)
            raise typer.Exit(code)
        return code

    def _place(self) -> tuple[str, ...]:
        """The option that names the workspace, where it is not found without."""
        is_found = Workspace.find().root == self._asked.root
        return () if is_found else ("--root", typed_path(self._asked.root))

    def _remember(self, step: str, of: str) -> None:
        self._done[step] = of
        try:
            make_folder(self._file.parent)
        except OSError as error:
            raise UseError(f"{self._file.parent}: {error.strerror or error}") from None
        replace_file(self._file, msgspec.json.encode(self._done))


def _perform(words: tuple[str, ...]) -> int:
    """Run a command in this process as if it was typed; return its exit code."""
    typed = sys.argv
    sys.argv = ["assay", *words]
    try:
        with without_next():
            code = app(args=list(words), prog_name="assay", standalone_mode=False)
    finally:
        sys.argv = typed
    return code if isinstance(code, int) else 0


def _keep_out_of_git(root: Path) -> None:
    """Tell git to leave a new folder alone; one that has files is the user's."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        if {path.name for path in root.iterdir()} <= {"..gitignore.new"}:
            replace_file(root / ".gitignore", f"{_IGNORED}\n*\n".encode())
    except OSError as error:
        raise UseError(f"{root}: cannot be written: {error.strerror or error}") from None


def _limit(max_cost: float | None) -> tuple[str, ...]:
    return () if max_cost is None else ("--max-cost", f"{max_cost:g}")


def _typed(words: tuple[str, ...]) -> str:
    return shlex.join(["assay", *words])
