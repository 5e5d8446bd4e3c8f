"""``assay questions draft``: draft questions from documents, without a model or with one."""

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from assay.cli.ingest import corpus_notes, skipped_text
from assay.cli.next_step import say_next, typed_path
from assay.cli.options import (
    AllowOutsideRoot,
    Concurrency,
    DryRun,
    Json,
    MaxCost,
    NoCallCache,
    Retries,
    Root,
    Timeout,
    one_of,
)
from assay.cli.output import echo, echo_json, echo_text, note_line
from assay.cli.progress import reading_progress
from assay.cli.redaction import redacted
from assay.cli.run_command import resume_command
from assay.config.experiment import check_name
from assay.config.workspace import Workspace
from assay.data.corpus.chunk import Chunk, corpus_path, load_corpus
from assay.errors import UseError
from assay.jobs.corpus.ingest import IngestProgress, chunks_folder, ingest, is_corpus_of
from assay.jobs.depth.novel import read_novel
from assay.jobs.prepared import RunOptions
from assay.questions.draft.draft import COUNT, KINDS, RULE_KINDS, Draft, Kind, Wanted
from assay.questions.draft.novel_draft import NovelDrafts, draft_novel
from assay.questions.draft.prompted import (
    DraftEstimate,
    PromptedDrafts,
    draft_by_model,
    estimate_drafts,
)
from assay.questions.draft.template import Drafted, draft_by_template
from assay.questions.gold import write_lines
from assay.report.description import noted
from assay.systems.load import load_configuration, make_system_context, model_client
from assay.text.width import counted, labelled
from assay.words.say import listed, say, say_n

# What ``assay questions draft`` says about its drafts.

OFFLINE_READER: Final = "reader:12000"
"""A system that reads without a model (docs/depth.md)."""
_LENGTHS: Final = (4000, 16000)
_FILLED: Final = 0.6
"""The share of a book that is certainly there for a context, whatever the tokenizer."""
_UNREAD = (
    "These are drafts that nobody has read: correct or delete lines before you trust a number."
)


def template_lines(path: Path, drafted: Drafted, count: int) -> list[str]:
    """The lines after drafting by rules."""
    drafts = drafted.selection.drafts
    sources = {item.source for each in drafts for item in each.evidence}
    count_text = say_n(
        "{drafts} about {some} of {n} document",
        "{drafts} about {some} of {n} documents",
        drafted.documents,
        drafts=say_n("{n} draft", "{n} drafts", len(drafts)),
        some=len(sources),
    )
    lines = [f"{path}: {count_text}", labelled(say("kinds"), _kinds(drafts))]
    if len(drafts) < count:
        lines.append(
            labelled(
                say("fewer"),
                say_n(
                    "{n} was asked for; the rules find no more",
                    "{n} were asked for; the rules find no more",
                    count,
                ),
            )
        )
    if drafted.selection.left_out:
        lines.append(labelled(say("left out"), _reasons(drafted.selection.left_out)))
    if drafted.silent:
        names = ", ".join(drafted.silent[:3]) + (" …" if len(drafted.silent) > 3 else "")
        documents = say_n("{n} document", "{n} documents", len(drafted.silent))
        lines.append(labelled(say("nothing in"), f"{documents}: {names}"))
    return [*lines, say(_UNREAD)]


def prompted_lines(path: Path, drafted: PromptedDrafts, count: int) -> list[str]:
    """The lines after drafting with a model."""
    drafts = drafted.selection.drafts
    facts = [
        say_n("{n} draft", "{n} drafts", len(drafts)),
        say_n("{n} reply asked for", "{n} replies asked for", drafted.asked),
        say("{n} known before", n=drafted.stored),
    ]
    lines = [f"{path}: {listed(facts)}", labelled(say("kinds"), _kinds(drafts))]
    if len(drafts) < count:
        lines.append(
            labelled(say("fewer"), say_n("{n} was asked for", "{n} were asked for", count))
        )
    if drafted.dropped:
        lines.append(labelled(say("dropped"), _reasons(drafted.dropped)))
    if drafted.selection.left_out:
        lines.append(labelled(say("left out"), _reasons(drafted.selection.left_out)))
    if drafted.paid is not None:
        lines.append(labelled(say("paid"), f"{drafted.paid:.4f}"))
    return [*lines, say(_UNREAD)]


def novel_lines(path: Path, novel: Path, drafted: NovelDrafts, count: int) -> list[str]:
    """The lines after drafting questions about a novel."""
    facts = [
        say_n("{n} choice question", "{n} choice questions", len(drafted.rows)),
        say_n("{n} name found in the book", "{n} names found in the book", drafted.names),
    ]
    lines = [f"{path}: {listed(facts)}"]
    if len(drafted.rows) < count:
        lines.append(
            labelled(
                say("fewer"),
                say_n(
                    "{n} was asked for; other parts of the book allow none",
                    "{n} were asked for; other parts of the book allow none",
                    count,
                ),
            )
        )
    words = ("assay", "depth", "--novel", str(novel), "--questions", str(path))
    more = ("--context-lengths", _lengths(drafted.tokens), "--system", OFFLINE_READER)
    reader = say(
        "without a model; yours: --model NAME in place of --system {reader}", reader=OFFLINE_READER
    )
    return [
        *lines,
        say(_UNREAD),
        labelled(say("ask them"), shlex.join([*words, *more])),
        labelled("", reader),
    ]


def _lengths(tokens: int) -> str:
    """Lengths of contexts that a book of so many tokens fills.

    >>> _lengths(100_000), _lengths(10_000), _lengths(2_000)
    ('4000,16000', '4000', '1000')
    """
    fitting = [str(length) for length in _LENGTHS if length <= _FILLED * tokens]
    return ",".join(fitting) or str(max(1, tokens // 200) * 100)


def estimate_lines(estimate: DraftEstimate) -> list[str]:
    """The lines of ``--dry-run``."""
    no_price = say("unknown: the model has no price")
    calls = say(
        "{n}, {stored} known before; up to twice as many if drafts do not hold",
        n=estimate.calls,
        stored=estimate.stored,
    )
    tokens = say(
        "about {given} sent, {out} received",
        given=estimate.prompt_tokens,
        out=estimate.completion_tokens,
    )
    return [
        labelled(say("calls"), calls),
        labelled(say("tokens"), tokens),
        labelled(say("cost"), no_price if estimate.cost is None else f"{estimate.cost:.4f}"),
        say("nothing was asked"),
    ]


def empty_reason(drafted: Drafted) -> str:
    """Why there is no draft at all, and what to do."""
    left_out = drafted.selection.left_out
    if left_out:
        reasons = ", ".join(f"{number} {reason}" for reason, number in left_out.items())
        why = f"all were left out: {reasons}"
    elif not drafted.statements:
        why = (
            "no sentence can be understood alone (most begin with a pronoun, are fragments of lists "
            "and tables, or are in another language than Chinese, Russian and English)"
        )
    else:
        why = (
            f"{counted(drafted.statements, 'sentence')} can be understood alone, but no rule finds a "
            "name, an amount, a date or a definition that a short question can ask for"
        )
    return (
        f"no question can be drafted from {counted(drafted.documents, 'document')}: {why}; "
        "let a model write them with --model NAME, or write some by hand into a CSV file with the "
        "columns question and answer"
    )


def _kinds(drafts: Sequence[Draft]) -> str:
    counts = Counter(draft.kind for draft in drafts)
    return ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])


def _reasons(left_out: Mapping[str, int]) -> str:
    return listed(f"{number} {say(reason)}" for reason, number in left_out.items())


@redacted
def draft(
    documents: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE|FOLDER]",
            help="Documents, which are ingested first if the corpus of the workspace is not of "
            "them. Default: that corpus.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="NAME of questions/NAME.draft.jsonl. Default: the documents'."),
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="How many questions.")] = COUNT,
    kinds: Annotated[
        str,
        typer.Option(
            "--kinds",
            help=f"Some of these, with commas: {', '.join(KINDS)}. Default: all; without a model "
            f"{', '.join(RULE_KINDS)}.",
        ),
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="Another number drafts others.")] = 0,
    model: Annotated[
        str | None,
        typer.Option("--model", help="Let this model write: an entry under models, or its name."),
    ] = None,
    novel: Annotated[
        Path | None,
        typer.Option("--novel", help="Draft choice questions about this text for assay depth."),
    ] = None,
    root: Root = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    retries: Retries = None,
    max_cost: MaxCost = None,
    *,
    dry_run: DryRun = False,
    no_call_cache: NoCallCache = False,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Draft questions with evidence and expected answers from your documents.

    Without a model, questions are those that the documents ask and answer themselves, and what rules
    for Chinese, Russian and English make of tables, names, amounts, dates and definitions. They are
    drafts: read them before you trust a number.
    """
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    chosen = tuple(one_of("--kinds", kind.strip(), KINDS) for kind in kinds.split(",") if kind)
    _refuse_kinds_of_models(chosen, model)
    wanted = Wanted(
        count=count, kinds=chosen or (RULE_KINDS if model is None else KINDS), seed=seed
    )
    own = _name(novel or documents) if name is None else check_name(name)
    path = workspace.root / "questions" / f"{own}.draft.jsonl"
    _refuse_existing(path, dry_run=dry_run)
    if dry_run and model is None:
        echo(say("rules need no model: no call, no cost; leave out --dry-run to draft"))
        return
    if novel is not None:
        _refuse_with_novel(model, documents, kinds)
        _about_novel(novel, path, count, seed, as_json=as_json)
        return
    with reading_progress(None if as_json else sys.stderr) as progress:
        chunks = _chunks(documents, workspace, progress.at, follow_links=allow_outside_root)
    if model is None:
        _by_template(chunks, path, wanted, as_json=as_json)
        say_next("questions", "check", typed_path(path), root=root)
        return
    options = RunOptions(
        concurrency=concurrency, timeout=timeout, retries=retries, max_cost=max_cost
    )
    document = load_configuration(workspace)
    context = make_system_context(workspace, document, use_cache=not no_call_cache)
    store = workspace.root / ".assay" / "drafts" / f"{path.name.removesuffix('.draft.jsonl')}.jsonl"
    try:
        client = model_client(model, context, retries=retries)
        if dry_run:
            estimate = estimate_drafts(store, chunks, client, wanted)
            _say(estimate_lines(estimate), estimate, as_json=as_json)
            return
        drafted = draft_by_model(
            store,
            chunks,
            client,
            wanted,
            settings=options.run_settings(document),
            progress=_progress(model),
        )
    finally:
        context.close()
    _end_prompted(path, drafted, count, as_json=as_json)
    say_next("questions", "check", typed_path(path), root=root)


def _refuse_existing(path: Path, *, dry_run: bool) -> None:
    """Say early that nothing would be written, before documents are read or a model is paid."""
    if path.exists() and not dry_run:
        raise UseError(f"{path} exists; choose another --name, or delete it")


def _refuse_kinds_of_models(kinds: Sequence[Kind], model: str | None) -> None:
    """Say that rules do not draft a kind: what they would write, nobody would ask."""
    others = [kind for kind in kinds if kind not in RULE_KINDS]
    if others and model is None:
        raise UseError(
            f"--kinds {','.join(others)} needs a model: add --model NAME; rules draft "
            f"{', '.join(RULE_KINDS)}"
        )


def _refuse_with_novel(model: str | None, documents: Path | None, kinds: str) -> None:
    for option, value in (("--model", model), ("a folder", documents), ("--kinds", kinds)):
        if value:
            raise UseError(f"--novel drafts choice questions by rules; leave out {option}")


def _about_novel(novel: Path, path: Path, count: int, seed: int, *, as_json: bool) -> None:
    read = read_novel(novel)
    for note in read.notes:
        echo(note_line(noted(note)), err=True)
    drafted = draft_novel(read.text, novel.name, count=count, seed=seed)
    if not drafted.rows:
        raise UseError(
            f"{novel}: no question can be drafted: {counted(drafted.sentences, 'sentence')}, "
            f"{counted(drafted.names, 'name')} that occur at least five times; a choice needs a "
            "sentence with one name, and three other names that fit"
        )
    write_lines(path, drafted.rows)
    facts = {"path": str(path), "drafts": len(drafted.rows), "names": drafted.names}
    _say(novel_lines(path, novel, drafted, count), facts, as_json=as_json)


def _by_template(chunks: tuple[Chunk, ...], path: Path, wanted: Wanted, *, as_json: bool) -> None:
    drafted = draft_by_template(chunks, wanted)
    if not drafted.selection.drafts:
        raise UseError(empty_reason(drafted))
    write_lines(path, [item.row for item in drafted.selection.drafts])
    facts = {
        "path": str(path),
        "drafts": len(drafted.selection.drafts),
        "documents": drafted.documents,
        "silent": drafted.silent,
        "left_out": drafted.selection.left_out,
    }
    _say(template_lines(path, drafted, wanted.count), facts, as_json=as_json)


def _end_prompted(path: Path, drafted: PromptedDrafts, count: int, *, as_json: bool) -> None:
    drafts = drafted.selection.drafts
    if drafted.stopped is not None:
        echo(say("stopped: {why}", why=drafted.stopped), err=True)
        echo(say("all replies so far are kept; no file of questions is written yet"), err=True)
        echo(say("resume with: {command}", command=resume_command(sys.argv)), err=True)
        raise typer.Exit(drafted.stopped.exit_code)
    if not drafts:
        reasons = ", ".join(f"{number} × {why}" for why, number in drafted.dropped.items())
        problem = drafted.problem or "the corpus has no passage that is long enough"
        raise UseError(
            f"no draft holds: {reasons or problem}; use a larger model, or leave out --model to "
            "draft by rules"
        )
    write_lines(path, [item.row for item in drafts])
    facts = {
        "path": str(path),
        "drafts": len(drafts),
        "asked": drafted.asked,
        "known_before": drafted.stored,
        "failed": drafted.failed,
        "dropped": drafted.dropped,
        "left_out": drafted.selection.left_out,
        "paid": drafted.paid,
    }
    _say(prompted_lines(path, drafted, count), facts, as_json=as_json)
    if drafted.failed:
        echo(
            say_n(
                "{n} request failed: {why}",
                "{n} requests failed: {why}",
                drafted.failed,
                why=drafted.problem,
            ),
            err=True,
        )
        raise typer.Exit(1)


def _chunks(
    documents: Path | None, workspace: Workspace, progress: IngestProgress, *, follow_links: bool
) -> tuple[Chunk, ...]:
    """The corpus of the workspace; of other documents, or of none, it is made first.

    Questions may refer to the chunks that are there, so none of them is lost.
    """
    folder = chunks_folder(workspace)
    if documents is None:
        return load_corpus(corpus_path(folder / "manifest.json"), workspace.bounds).chunks
    if is_corpus_of(documents, folder):
        corpus = load_corpus(folder / "manifest.json", workspace.bounds)
        echo(
            say_n(
                "{n} chunk in {manifest}, used as they are",
                "{n} chunks in {manifest}, used as they are",
                len(corpus.chunks),
                manifest=folder / "manifest.json",
            ),
            err=True,
        )
        return corpus.chunks
    ingestion = ingest(
        documents, folder, keep_chunks=True, follow_links=follow_links, progress=progress
    )
    for note in corpus_notes(ingestion):
        echo(note_line(note), err=True)
    for item in ingestion.passed:
        echo(say("skipped {what}", what=skipped_text(item)), err=True)
    documents_in = say(
        "{chunks} {documents} in {manifest}",
        chunks=say_n("{n} chunk", "{n} chunks", ingestion.chunks),
        documents=say_n("of {n} document", "of {n} documents", len(ingestion.ingested)),
        manifest=ingestion.manifest,
    )
    echo(documents_in, err=True)
    return load_corpus(ingestion.manifest, workspace.bounds).chunks


def _name(documents: Path | None) -> str:
    return "corpus" if documents is None else documents.resolve().stem or "corpus"


def _progress(name: str) -> Callable[[int, int], None]:
    """A line that counts, on a terminal only."""

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            echo_text(f"\r{name}: {done}/{total}", err=True, nl=done >= total)

    return show


def _say(lines: list[str], facts: Any, *, as_json: bool) -> None:
    if as_json:
        echo_json(msgspec.json.encode(facts).decode())
        return
    for line in lines:
        echo(line)
