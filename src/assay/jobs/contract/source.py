"""The options of a review, and the reviewer, the laws and the verifier that they name."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.system import ClusterOptions, ReviewerConfig
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.jobs.contract.level import Level
from assay.jobs.contract.reply import parse_review
from assay.jobs.contract.reply_check import Checks, Judge, Laws, check_reply, read_checked_laws
from assay.jobs.contract.reviewer import SAMPLE, Reviewer
from assay.judge.verifier import (
    AligningReranker,
    Closes,
    EndpointReranker,
    EntailmentReranker,
    PromptedReranker,
    Reranker,
)
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.embed.protocol import Embedder
from assay.records import Answer, Question, digest
from assay.registry import load_object, nearest
from assay.systems.load import SystemContext, load_here, load_system, model_client
from assay.systems.protocol import Setting, System

# The judge of a review as a system, so that its copies can compute in the workers of a cluster.

REPLY: Final = "reply"
"""The setting that has the reply of the reviewer."""


class JudgeSystem:
    """Checks a reply: the question is the clause, and the setting ``reply`` the reply to it."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def identity(self) -> str:
        """What the checks depend on."""
        return f"evidence {digest(self._judge.checks_by)}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """Any."""
        return None

    @property
    def max_concurrency(self) -> int | None:
        """One: a model that runs in a process uses all that it gets."""
        return 1

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """The checks of the quotations and citations, among the extras of an empty answer."""
        checks = await check_reply(parse_review(settings[REPLY]), question.text, self._judge)
        return Answer(text="", extra=msgspec.to_builtins(checks))

    async def close(self) -> None:
        """Close the verifier."""
        if isinstance(self._judge.reranker, Closes):
            await self._judge.reranker.close()
        await self._judge.embedder.close()


async def ask_judge(judge: System, clause: Question, reply: str) -> Checks:
    """The checks of a reply by a judge that is asked as a system is."""
    answer = await judge.ask(clause, {REPLY: reply}, 1)
    return msgspec.convert(answer.extra, Checks)


REVIEWER: Final = "reviewer"
SAMPLE_CLAUSES: Final = SAMPLE / "clauses.jsonl"
SAMPLE_RULES: Final = SAMPLE / "rules.yaml"
SAMPLE_LAWS: Final = SAMPLE / "laws.jsonl"
VERIFIERS: Final = (
    "aligner",
    "onnx:FOLDER",
    "sentence-transformers:FOLDER",
    "rerank:MODEL",
    "rerank-logits:MODEL",
    "nli:MODEL",
    "openai:MODEL",
)
"""What ``--verifier`` may name."""


class ReviewOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay review`` besides those that all run commands share.

    Paths are relative to the working directory.
    """

    data: Path | None = None
    config: Path | None = None
    experiments: Sequence[str] = ()
    sample: bool = False
    rules: Path | None = None
    laws: Path | None = None
    costs: Path | None = None
    system: str | None = None
    verifier: str = "aligner"
    embedder: str = "hashed"
    threshold: float | None = None
    limit: int | None = None
    name: str | None = None
    primary: str | None = None
    out: Path | None = None


def make_review_context(
    workspace: Workspace,
    document: ConfigDocument[ExperimentFile] | None,
    options: ReviewOptions,
    *,
    use_cache: bool = True,
    concurrency: int | None = None,
    cluster: ClusterOptions | None = None,
    imports: bool = True,
) -> SystemContext:
    """The context in which systems are loaded.

    The rules and laws of the command line replace those of every configured reviewer. With
    ``--sample``, a reviewer that has no rules gets those of the sample, and their laws.
    """
    file = document.value if document is not None else ExperimentFile()
    from_options = {
        str(path.resolve()) for path in (options.rules, options.laws) if path is not None
    }
    if options.sample:
        from_options |= {str(SAMPLE_RULES), str(SAMPLE_LAWS)}

    def locate(configured: str, where: str) -> Path:
        # files of the command line may be outside the workspace
        if configured in from_options:
            return Path(configured)
        return workspace.resolve(configured, where)

    systems = {REVIEWER: ReviewerConfig(), **file.systems}
    for name, config in systems.items():
        if isinstance(config, ReviewerConfig):
            systems[name] = _with_files(config, options)
    return SystemContext(
        workspace.root,
        locate=locate,
        models=file.models,
        systems=systems,
        defaults=file.defaults,
        cache_path=workspace.call_cache if use_cache else None,
        concurrency=concurrency if cluster is None else None,
        cluster=cluster,
        imports=imports,
    )


def _with_files(config: ReviewerConfig, options: ReviewOptions) -> ReviewerConfig:
    if options.rules is not None:
        config = replace(config, rules=str(options.rules.resolve()))
    if options.laws is not None:
        config = replace(config, laws=str(options.laws.resolve()))
    if options.sample and config.rules is None:
        # the laws of the sample belong to its rules; other rules cite other laws
        config = replace(config, rules=str(SAMPLE_RULES), laws=config.laws or str(SAMPLE_LAWS))
    return config


def load_reviewer_and_laws(
    spec: str,
    context: SystemContext,
    options: ReviewOptions,
    rule_levels: Mapping[str, Level] | None = None,
) -> tuple[System, Laws | None]:
    """Load the reviewer and the laws that its citations are checked against.

    Rules without a level get the one that ``rule_levels`` has for their risk id.

    The laws are those of the command line; if it names none, those that the reference reviewer
    itself uses. ``None`` means that citations cannot be checked.
    """
    config = context.systems.get(spec)
    if not isinstance(config, ReviewerConfig):
        if options.rules is not None:
            raise UseError(
                f"--rules is only for the reviewer that comes with assay; {spec} has its own rules"
            )
        laws = read_checked_laws(options.laws) if options.laws is not None else None
        return load_system(spec, context), laws
    laws = None
    if config.laws is not None:
        laws = read_checked_laws(context.path(config.laws, "laws"))
    return _on_workers(load_levelled, context, spec, rule_levels or {}), laws


def load_levelled(spec: str, rule_levels: Mapping[str, Level], context: SystemContext) -> System:
    """Load the reviewer; rules without a level get the one for their risk id."""
    system = load_here(spec, context)
    return system.with_levels(rule_levels) if isinstance(system, Reviewer) else system


def load_judge_system(
    embedder: str, verifier: str, laws: Laws | None, context: SystemContext
) -> JudgeSystem:
    """Load a judge that can be asked as a system is."""
    judge = Judge(
        embedder=load_embedder(embedder), reranker=load_reranker(verifier, context), laws=laws
    )
    return JudgeSystem(judge)


def load_remote_judge(
    judge: Judge, embedder: str, verifier: str, context: SystemContext
) -> System | None:
    """The judge, whose copies compute in the workers of a cluster; None if it is asked here.

    A judge that only calls a server is asked by the driver.
    """
    if context.cluster is None or not judge.computes:
        return None
    return _on_workers(load_judge_system, context, embedder, verifier, judge.laws)


def _on_workers(load: Callable[..., System], context: SystemContext, *arguments: Any) -> System:
    """The system that ``load`` makes, in the workers of a cluster if there is one."""
    system = load(*arguments, context)
    if context.cluster is None:
        return system
    # imported only for --on ray
    on_workers: Callable[..., System] = load_object("assay.systems.cluster.system:on_workers")
    return on_workers(system, context, f"{load.__module__}:{load.__name__}", *arguments)


def load_reranker(spec: str, context: SystemContext) -> Reranker:
    """Load the second stage of the verifier: ``aligner``, or a model in a folder or on a server.

    ``onnx:FOLDER`` and ``sentence-transformers:FOLDER`` are cross-encoders. ``rerank:MODEL``,
    ``rerank-logits:MODEL``, ``nli:MODEL`` and ``openai:MODEL`` ask a model of the configuration.
    """
    # the libraries for models are optional and loaded only if they are needed
    kind, _, rest = spec.partition(":")
    match kind:
        case "aligner":
            return AligningReranker()
        case "onnx" if rest:
            from assay.judge.verifier import OnnxReranker  # noqa: PLC0415

            return OnnxReranker(Path(rest))
        case "sentence-transformers" if rest:
            from assay.judge.verifier import CrossEncoderReranker  # noqa: PLC0415

            return CrossEncoderReranker(Path(rest))
        case "rerank" | "rerank-logits" if rest:
            return EndpointReranker(model_client(rest, context), logits=kind == "rerank-logits")
        case "nli" if rest:
            return EntailmentReranker(model_client(rest, context))
        case "openai" if rest:
            return PromptedReranker(model_client(rest, context))
        case _:
            raise UseError(f"--verifier: there is no {spec!r}{nearest(spec, VERIFIERS)}")


def load_embedder(spec: str) -> Embedder:
    """Load ``hashed``, ``e5``, ``onnx:FOLDER`` or ``sentence-transformers:FOLDER``."""
    kind, _, rest = spec.partition(":")
    loaders: dict[str, Callable[[str], Embedder]] = {
        "e5": _e5,
        "onnx": _onnx,
        "sentence-transformers": _sentence_transformers,
    }
    if kind == "hashed":
        return HashedEmbedder()
    if kind not in loaders or (kind != "e5" and not rest):
        known = ("hashed", "e5", "onnx:FOLDER", "sentence-transformers:FOLDER")
        raise UseError(f"--verifier-embedder: there is no {spec!r}{nearest(spec, known)}")
    return loaders[kind](rest)


def _e5(_: str) -> Embedder:
    from assay.rag.embed.local import E5Embedder  # noqa: PLC0415

    return E5Embedder()


def _onnx(folder: str) -> Embedder:
    from assay.rag.embed.local import OnnxEmbedder  # noqa: PLC0415

    return OnnxEmbedder(Path(folder))


def _sentence_transformers(folder: str) -> Embedder:
    from assay.rag.embed.local import SentenceTransformersEmbedder  # noqa: PLC0415

    return SentenceTransformersEmbedder(Path(folder))
