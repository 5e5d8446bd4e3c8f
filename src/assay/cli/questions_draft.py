"""``assay questions draft``: draft questions from documents, without a model or with one."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from assay.cli.options import AllowOutsideRoot, Json, Root, one_of
from assay.cli.output import echo, echo_text
from assay.config import Workspace
from assay.data.corpus import corpus_path, load_corpus
from assay.errors import UseError
from assay.jobs.corpus import chunks_folder, ingest
from assay.jobs.draft import COUNT, KINDS, Draft, Drafted, draft_by_template
from assay.jobs.questions import write_lines
from assay.text import counted


def draft(
    documents: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE|FOLDER]",
            help="Documents, which are ingested first. Default: the corpus of the workspace.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="NAME of questions/NAME.draft.jsonl. Default: the documents'."),
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="How many questions.")] = COUNT,
    kinds: Annotated[
        str, typer.Option("--kinds", help=f"Some of {','.join(KINDS)}. Default: all.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="Another number drafts others.")] = 0,
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Draft questions with evidence and expected answers from your documents.

    Without a model, questions are made of names, amounts, dates and definitions by rules for
    Chinese, Russian and English. They are drafts: read them before you trust a number.
    """
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    chosen = tuple(one_of("--kinds", kind.strip(), KINDS) for kind in kinds.split(",") if kind)
    manifest = _manifest(documents, workspace, follow_links=allow_outside_root)
    path = workspace.root / "questions" / f"{name or _name(documents)}.draft.jsonl"
    chunks = load_corpus(manifest, workspace.bounds).chunks
    drafted = draft_by_template(chunks, count=count, kinds=chosen or KINDS, seed=seed)
    drafts = drafted.selection.drafts
    if not drafts:
        raise UseError(_why_empty(drafted, manifest))
    write_lines(path, [item.row for item in drafts])
    if as_json:
        echo_text(msgspec.json.encode(_facts(path, drafted)).decode())
        return
    _print(path, drafted, count)


def _manifest(documents: Path | None, workspace: Workspace, *, follow_links: bool) -> Path:
    """The corpus: that of the workspace, or one that is made of the documents now."""
    folder = chunks_folder(workspace)
    if documents is None:
        return corpus_path(folder / "manifest.json")
    ingestion = ingest(documents, folder, follow_links=follow_links)
    for item in ingestion.passed:
        echo(f"skipped {item.reason if item.failed else f'{item.source}: {item.reason}'}", err=True)
    echo(
        f"{counted(ingestion.chunks, 'chunk')} of "
        f"{counted(len(ingestion.ingested), 'document')} in {ingestion.manifest}",
        err=True,
    )
    return ingestion.manifest


def _name(documents: Path | None) -> str:
    if documents is None:
        return "corpus"
    return documents.resolve().stem or "corpus"


def _why_empty(drafted: Drafted, manifest: Path) -> str:
    left_out = drafted.selection.left_out
    if left_out:
        why = f"all were left out: {_reasons(left_out)}"
    elif not drafted.statements:
        why = (
            "no sentence can be understood alone (most begin with a pronoun, are fragments of lists "
            "and tables, or are in another language than Chinese, Russian and English)"
        )
    else:
        why = (
            f"{counted(drafted.statements, 'sentence')} can be understood alone, but no rule finds a "
            "name, an amount, a date or a definition to ask for"
        )
    return (
        f"{manifest}: no question can be drafted from {counted(drafted.documents, 'document')}: {why}; "
        "let a model write them with --model NAME, or write some by hand into a CSV file with the "
        "columns question and answer"
    )


def _print(path: Path, drafted: Drafted, count: int) -> None:
    drafts = drafted.selection.drafts
    sources = {item.source for each in drafts for item in each.evidence}
    echo(
        f"{path}: {counted(len(drafts), 'draft')} about {len(sources)} of "
        f"{counted(drafted.documents, 'document')}"
    )
    echo(f"kinds       {_kinds(drafts)}")
    if len(drafts) < count:
        echo(f"note: {count} were asked for; rules find no more that are good enough", err=True)
    if drafted.selection.left_out:
        echo(f"left out    {_reasons(drafted.selection.left_out)}")
    if drafted.silent:
        names = ", ".join(drafted.silent[:3]) + (" …" if len(drafted.silent) > 3 else "")
        echo(
            f"note: nothing found in {counted(len(drafted.silent), 'document')}: {names}", err=True
        )
    echo(
        "These are drafts that nobody has read: correct or delete lines before you trust a number."
    )
    echo(f"ask them    assay run --questions {path}")


def _kinds(drafts: tuple[Draft, ...]) -> str:
    counts = Counter(draft.kind for draft in drafts)
    gaps = sum(draft.is_cloze for draft in drafts)
    text = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    return f"{text}; {gaps} with a gap to fill" if gaps else text


def _reasons(left_out: dict[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in left_out.items())


def _facts(path: Path, drafted: Drafted) -> dict[str, Any]:
    counts = Counter(draft.kind for draft in drafted.selection.drafts)
    return {
        "path": str(path),
        "drafts": len(drafted.selection.drafts),
        "kinds": dict(counts),
        "documents": drafted.documents,
        "silent": drafted.silent,
        "left_out": drafted.selection.left_out,
    }
