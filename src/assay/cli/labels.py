"""``assay labels``: how far people agree on answers, and their labels as files."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from assay.cli.options import Json, Root, one_of
from assay.cli.output import echo, echo_text, print_text, refuse_results
from assay.cli.privacy import keep_private
from assay.cli.redaction import redacted
from assay.config import Workspace
from assay.errors import UseError
from assay.jobs.history import find_results
from assay.journal import write_atomically
from assay.labels import (
    FOLDER,
    VERDICTS,
    Agreement,
    Label,
    PairAgreement,
    agreement,
    current,
    disagreements,
    import_labels,
    labels_as_csv,
    labels_as_jsonl,
    labels_path,
    read_labels,
)
from assay.records import OUTPUT_VERSION
from assay.stats import Interval
from assay.text import counted, visible_line

FORMATS = ("jsonl", "csv")
MOST_SHOWN = 20
"""How many disagreements are printed; --json has all of them."""
SHOWN = {"unclear": "cannot tell"}
app = typer.Typer(
    help="Labels of people: how far they agree, export and import.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Run = Annotated[str, typer.Argument(metavar="NAME", help="NAME of a run, or a file of labels.")]


@app.command("agreement")
@redacted
def show_agreement(name: Run, root: Root = None, *, as_json: Json = False) -> None:
    """Say how far people agree, and list the answers on which they do not.

    Cohen's kappa of each two people and Krippendorff's alpha of all, with 95% intervals.
    "Cannot tell" is a verdict as any other. Of several labels of a person, the newest counts.
    """
    path = _existing(name, root)
    labels = read_labels(path)
    found, differing = agreement(labels), disagreements(labels)
    if as_json:
        fields = msgspec.to_builtins(found) | {
            "disagreements": msgspec.to_builtins(differing),
            "output_version": OUTPUT_VERSION,
        }
        echo_text(msgspec.json.encode(fields).decode())
        return
    _print_people(found, path)
    for pair in found.pairs:
        echo(_pair_line(pair))
    echo(_alpha_line(found))
    _print_disagreements(differing)


@app.command("export")
@redacted
def export(
    name: Run,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(FORMATS), help="Format of the file.")
    ] = "jsonl",
    out: Annotated[Path | None, typer.Option("--out", help="Write to this file.")] = None,
    root: Root = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also labels that were replaced later.")
    ] = False,
) -> None:
    """Print the labels of a run, or write them to a file; assay labels import reads it."""
    path = _existing(name, root)
    labels = read_labels(path)
    chosen = labels if everything else current(labels)
    is_csv = one_of("--format", form, FORMATS) == "csv"
    text = labels_as_csv(chosen) if is_csv else labels_as_jsonl(chosen)
    if out is None:
        print_text(text)
        return
    if out.resolve() == path.resolve():
        raise UseError(f"--out {out}: is the file of the labels itself; name another file")
    refuse_results(out, path)
    write_atomically(out, text.encode())
    keep_private(out)
    echo(f"written  {out} ({counted(len(chosen), 'label')})", err=True)


@app.command("import")
@redacted
def import_file(
    name: Run,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines, or a .csv file.")],
    root: Root = None,
) -> None:
    """Add the labels of a file to those of a run. Labels that are there already are left out."""
    into = _labels_file(name, root)
    total, new = import_labels(path, into)
    echo(f"{counted(total, 'label')} read, {new} new: {into}")


def _labels_file(name: str, root: Path | None) -> Path:
    """The file of labels that a name means; it may not exist yet."""
    given = Path(name)
    if given.is_file() and given.parent.name == FOLDER:
        return given
    workspace = Workspace.find(root)
    own = workspace.root / FOLDER / f"{name}.jsonl"
    return own if own.is_file() else labels_path(find_results(workspace, name))


def _existing(name: str, root: Path | None) -> Path:
    path = _labels_file(name, root)
    if not path.is_file():
        raise UseError(
            f"{path}: nobody has labelled this run yet; assay view is the place to do it"
        )
    return path


def _print_people(found: Agreement, path: Path) -> None:
    echo(f"{path}: {counted(found.answers, 'answer')} labelled")
    for person, counts in zip(found.people, found.verdicts, strict=True):
        listed = ", ".join(
            f"{SHOWN.get(verdict, verdict)} {count}"
            for verdict, count in zip(VERDICTS, counts, strict=True)
        )
        echo(f"  {visible_line(person)}: {sum(counts)} ({listed})")


def _pair_line(pair: PairAgreement) -> str:
    names = f"{visible_line(pair.first)} and {visible_line(pair.second)}"
    if not pair.n:
        return f"{names}: no answer in common"
    said = f"{names}: {pair.same} of {counted(pair.n, 'answer')} the same"
    return f"{said}, Cohen's kappa {_number(pair.kappa, pair.interval)}"


def _alpha_line(found: Agreement) -> str:
    if not found.n:
        return "No answer has the labels of two people: there is no agreement to measure."
    about = counted(found.n, "answer")
    return f"Krippendorff's alpha {_number(found.alpha, found.interval)}, {about} of two people or more"


def _number(value: float | None, interval: Interval | None) -> str:
    if value is None:
        return "– (only one verdict was ever given)"
    if interval is None:
        return f"{value:.3f} (too few questions for an interval)"
    return f"{value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _print_disagreements(differing: list[tuple[Label, ...]]) -> None:
    if not differing:
        return
    echo(f"{counted(len(differing), 'answer')} with different verdicts:")
    for labels in differing[:MOST_SHOWN]:
        people = {label.labeller: SHOWN.get(label.verdict, label.verdict) for label in labels}
        said = ", ".join(f"{visible_line(person)} {verdict}" for person, verdict in people.items())
        variants = ", ".join(dict.fromkeys(visible_line(label.variant) for label in labels))
        echo(f"  {visible_line(labels[0].case_id)}, {variants}: {said}")
    if len(differing) > MOST_SHOWN:
        echo(f"  and {len(differing) - MOST_SHOWN} more (--json lists all)")
