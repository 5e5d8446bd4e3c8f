"""Prepare a run about one PDF: read, check and plan it."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay import __version__
from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.system import ClusterOptions
from assay.config.workspace import Workspace
from assay.jobs.prepared import PreparedRun
from assay.jobs.quality.handler import JOB, QualityHandler, expectation_fields
from assay.jobs.quality.question import QualityQuestion, read_quality_file, refuse_unchecked
from assay.jobs.quality.source import PdfSource, prepare_source, with_source
from assay.mask import sealed
from assay.records import Question, RunHeader, Variant, digest
from assay.report.description import noted, unread_note
from assay.runs.plan import Placement, product_plan
from assay.systems.load import SystemContext, default_system, load_system, make_system_context
from assay.systems.protocol import System, check_settings, with_configuration
from assay.text.width import labelled
from assay.words.message import Message
from assay.words.say import listed, say, say_n

VARIANT: Final = "quality"
"""The only variant of a run; its settings are those of the command line."""


class QualityOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay quality`` besides those that all run commands share."""

    pdf: Path | None = None
    questions: Path | None = None
    config: Path | None = None
    out: Path | None = None
    system: str | None = None
    settings: Mapping[str, Any] = {}
    top_k: int | None = None
    limit: int = 0
    runs: int = 1
    exact: bool = False


class QualityData(Struct, frozen=True, kw_only=True):
    """A PDF and its questions, read and checked."""

    source: PdfSource
    pdf_name: str
    questions: tuple[QualityQuestion, ...]
    questions_name: str
    questions_sha256: str
    notes: tuple[Message | str, ...] = ()


class QualityRun(Struct, frozen=True, kw_only=True):
    """A prepared run with the data and the options that its results file needs.

    The caller must close ``context`` at the end.
    """

    run: PreparedRun
    data: QualityData
    questions: tuple[QualityQuestion, ...]
    options: QualityOptions
    context: SystemContext

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.run.header.name

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the system."""
        return self.run.header.variants[0].settings


def read_quality_data(pdf: Path, questions: Path, workspace: Workspace) -> QualityData:
    """Read both files, first the questions: reading them is fast, and they often have errors."""
    file = read_quality_file(questions)
    refuse_unchecked(questions, file)
    return QualityData(
        source=prepare_source(pdf, workspace),
        pdf_name=pdf.as_posix(),
        questions=file.questions,
        questions_name=questions.as_posix(),
        questions_sha256=hashlib.sha256(questions.read_bytes()).hexdigest(),
        notes=file.notes,
    )


def prepare_quality(
    name: str,
    data: QualityData,
    journal: Path,
    options: QualityOptions,
    workspace: Workspace,
    document: ConfigDocument[ExperimentFile] | None,
    *,
    use_cache: bool = True,
    concurrency: int | None = None,
    cluster: ClusterOptions | None = None,
    imports: bool = True,
    began: Callable[[], None] = lambda: None,
) -> QualityRun:
    """Load and check everything the run needs; no question is asked yet.

    The caller must close the ``context`` of the result. With several ``runs``, recorded model
    calls are not used again, because repeated runs must be able to differ. ``began`` is called
    before the first case is asked.
    """
    source = data.source
    configured = with_source(document, source, workspace)
    use_cache = use_cache and options.runs == 1
    context = make_system_context(
        workspace,
        configured,
        use_cache=use_cache,
        concurrency=concurrency,
        cluster=cluster,
        imports=imports,
    )
    defaults = configured.value.defaults
    system = load_system(options.system or default_system(defaults, workspace), context)
    variant = with_configuration(
        Variant(name=VARIANT, settings=_settings(system, options.settings)), system
    )
    check_settings(system, variant.settings, "--set")
    top_k = options.top_k or defaults.top_k
    questions = data.questions[: options.limit] if options.limit else data.questions
    if options.exact:
        questions = tuple(map(_exact, questions))
    expectations = {
        question.id: {
            name: value
            for name, value in expectation_fields(question).items()
            if value is not UNSET
        }
        for question in questions
    }
    plan = product_plan(
        questions=[Question(id=question.id, text=question.text) for question in questions],
        variants=[variant],
        placements=[
            Placement(label=f"run={number}", top_k=top_k, values={"run": number})
            for number in range(1, options.runs + 1)
        ],
        # a user's own system may read the PDF itself, so another PDF gives other answers
        system=f"{system.identity} on pdf {source.sha256[:16]}",
        against=lambda question: expectations[question.id],
    )
    header = RunHeader(
        job=JOB,
        name=name,
        system=plan.system,
        variants=(variant,),
        total=plan.total,
        questions_path=data.questions_name,
        questions_sha256=data.questions_sha256,
        limit=options.limit,
        top_k=top_k,
        judging=digest(
            [
                __version__,
                data.questions_sha256,
                source.sha256,
                *(["exact"] if options.exact else []),
            ]
        ),
        extra={
            "pdf": data.pdf_name,
            "pdf_sha256": source.sha256,
            "pages": len(source.pages),
            "questions": len(questions),
            "runs": options.runs,
            **({"exact_form": True} if options.exact else {}),
        },
    )
    run = PreparedRun(
        plan=plan,
        system=system,
        handler=QualityHandler(
            system, questions, source.pages, source=source.path.name, began=began
        ),
        header=header,
        journal=journal,
        description=tuple(_describe(data, questions, system, variant, options.runs)),
    )
    return QualityRun(
        run=run,
        data=data,
        questions=questions,
        options=options,
        context=context,
    )


def _describe(
    data: QualityData,
    questions: Sequence[QualityQuestion],
    system: System,
    variant: Variant,
    runs: int,
) -> Iterator[str]:
    """A few lines that describe the run before it starts."""
    source = data.source
    settings = ", ".join(f"{name} {value}" for name, value in variant.settings.items())
    repeated = say(", {n} runs", n=runs) if runs > 1 else ""
    count = say(
        "{n} of {all} in {file}",
        n=len(questions),
        all=len(data.questions),
        file=data.questions_name,
    )
    pages = say_n("{n} page", "{n} pages", len(source.pages))
    chunks = say_n("{n} chunk", "{n} chunks", source.chunks)
    yield labelled(say("document"), f"{data.pdf_name}: {listed([pages, chunks])}")
    yield labelled(say("questions"), f"{count}{repeated}")
    yield labelled(say("system"), sealed(system.identity) + (f"; {settings}" if settings else ""))
    yield from (
        labelled(say("note"), f"{data.questions_name}: {noted(note)}") for note in data.notes
    )
    if source.empty_pages:
        numbers = ", ".join(map(str, source.empty_pages[:10]))
        more = " …" if len(source.empty_pages) > 10 else ""
        text = say_n(
            "{n} page has no text ({pages}): blank, or scanned and in need of OCR",
            "{n} pages have no text ({pages}): blank, or scanned and in need of OCR",
            len(source.empty_pages),
            pages=f"{numbers}{more}",
        )
        yield labelled(say("note"), text)
    if source.unread:
        yield labelled(say("note"), unread_note(source.unread))


def _exact(question: QualityQuestion) -> QualityQuestion:
    return replace(question, expected=replace(question.expected, exact=True))


def _settings(system: System, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The chosen settings, with page citations as the default if the system has this setting."""
    has_citation_style = "citation_style" in (system.settings or {})
    return {**({"citation_style": "page"} if has_citation_style else {}), **chosen}
