"""``assay labels``: which answers to label, how far people agree on them, and labels as files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from assay.cli.judge_check import plan
from assay.cli.masked import masked_form
from assay.cli.options import Json, Root, one_of
from assay.cli.output import echo, echo_json, note_line, print_text
from assay.cli.overwrite import Output
from assay.cli.privacy import keep_private
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.judge.draw import check_stated
from assay.judge.exchange import PlacedLabel, import_labels, labels_as_csv, labels_as_jsonl
from assay.judge.label import VERDICTS, Label, current
from assay.judge.label_store import FOLDER, labels_path, read_labels
from assay.judge.people_agreement import LabelAgreement, PairAgreement, agreement, disagreements
from assay.records import OUTPUT_VERSION
from assay.report.description import file_line
from assay.results.find_results import find_results
from assay.runs.summary import write_atomically
from assay.stats.interval import Interval
from assay.text.normalise import visible_line
from assay.words.say import listed, say, say_n

FORMATS = ("jsonl", "csv")
MOST_SHOWN = 20
"""How many disagreements are printed; --json has all of them."""
SHOWN = {"unclear": "cannot tell"}
app = typer.Typer(
    help="Labels of people: which answers to label, how far people agree, export and import.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Run = Annotated[str, typer.Argument(metavar="NAME", help="NAME of a run, or a file of labels.")]
app.command("plan")(plan)


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
        echo_json(msgspec.json.encode(fields).decode())
        return
    _print_people(found, path, len({(label.case_id, label.variant) for label in current(labels)}))
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
    output = Output(out, "assay labels export", root=root, results=[path])
    labels = read_labels(path)
    chosen = labels if everything else current(labels)
    is_csv = one_of("--format", form, FORMATS) == "csv"
    text = labels_as_csv(chosen) if is_csv else labels_as_jsonl(chosen)
    text = masked_form(text, form)
    if out is None:
        print_text(text, is_masked=True)
        return
    write_atomically(out, text.encode(), is_masked=True)
    output.record()
    keep_private(out)
    count = say_n("{n} label", "{n} labels", len(chosen))
    echo(f"{file_line('written', out)} ({count})", err=True)


@app.command("import")
@redacted
def import_file(
    name: Run,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines, or a .csv file.")],
    root: Root = None,
) -> None:
    """Add the labels of a file to those of a run. Labels that are there already are left out."""
    into = _labels_file(name, root)
    found = import_labels(path, into, check=lambda rows: _check_rows(rows, path, into, root))
    echo(
        say_n(
            "{n} label read, {new} new: {file}",
            "{n} labels read, {new} new: {file}",
            found.read,
            new=found.new,
            file=into,
        )
    )
    if found.unfilled:
        echo(
            note_line(
                say_n(
                    "{n} row has no verdict yet and was left out; write cannot tell where you cannot",
                    "{n} rows have no verdict yet and were left out; write cannot tell where you cannot",
                    found.unfilled,
                )
            ),
            err=True,
        )
    for places in found.contradictions:
        echo(
            note_line(
                say(
                    "one person says two things of one answer, and the last counts: {places}",
                    places=listed(places),
                )
            ),
            err=True,
        )
    own = {into.stem, f"{into.stem}.jsonl", ""}
    others = [label.run for label in read_labels(into) if Path(label.run).name not in own]
    if others:
        runs = ", ".join(sorted(set(others))[:MOST_SHOWN])
        echo(
            note_line(
                say_n(
                    "{n} label of the file about other runs ({runs}): they do not count here",
                    "{n} labels of the file about other runs ({runs}): they do not count here",
                    len(others),
                    runs=runs,
                )
            ),
            err=True,
        )


def _check_rows(rows: Sequence[PlacedLabel], path: Path, into: Path, root: Path | None) -> None:
    """Refuse a sheet of another run, and probabilities that are not those of the draw."""
    for place, label, of_sheet in rows:
        run = Path(label.run).name if label is not None else into.stem
        is_part = run.startswith(f"{into.stem}.shard-")
        if of_sheet and not is_part and run.removesuffix(".jsonl") not in {into.stem, ""}:
            raise UseError(
                f"{place}: this sheet is about the run {run}, not {into.stem}: "
                f"assay labels import {run} {path}"
            )
    workspace = Workspace.find(root)
    try:
        journal = find_results(workspace, into.stem)
    except UseError:  # labels may come before the run, or without it
        return
    check_stated(
        journal,
        (
            (place, (label.case_id, label.variant, label.answer_hash), label.probability)
            for place, label, _ in rows
            if label is not None
        ),
    )


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


def _print_people(found: LabelAgreement, path: Path, of_variants: int) -> None:
    labelled = say_n("{n} answer labelled", "{n} answers labelled", found.answers)
    echo(f"{path}: {labelled}")
    if of_variants > found.answers:
        once = say(
            "equal answers of several variants count once; with all of them it is {n}",
            n=of_variants,
        )
        echo(f"  {once}")
    for person, counts in zip(found.people, found.verdicts, strict=True):
        given = listed(
            f"{say(SHOWN.get(verdict, verdict))} {count}"
            for verdict, count in zip(VERDICTS, counts, strict=True)
        )
        echo(f"  {visible_line(person)}: {sum(counts)} ({given})")


def _pair_line(pair: PairAgreement) -> str:
    first, second = visible_line(pair.first), visible_line(pair.second)
    names = say("{first} and {second}", first=first, second=second)
    if not pair.n:
        return say("{names}: no answer in common", names=names)
    return say_n(
        "{names}: {same} of {n} answer the same, Cohen's kappa {value}",
        "{names}: {same} of {n} answers the same, Cohen's kappa {value}",
        pair.n,
        names=names,
        same=pair.same,
        value=_number(pair.kappa, pair.interval),
    )


def _alpha_line(found: LabelAgreement) -> str:
    if not found.n:
        return say("No answer has the labels of two people: there is no agreement to measure.")
    return say_n(
        "Krippendorff's alpha {value}, {n} answer of two people or more",
        "Krippendorff's alpha {value}, {n} answers of two people or more",
        found.n,
        value=_number(found.alpha, found.interval),
    )


def _number(value: float | None, interval: Interval | None) -> str:
    if value is None:
        return say("– (only one verdict was ever given)")
    if interval is None:
        return f"{value:.3f} {say('(too few questions for an interval)')}"
    return f"{value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _print_disagreements(differing: list[tuple[Label, ...]]) -> None:
    if not differing:
        return
    echo(
        say_n(
            "{n} answer with different verdicts:",
            "{n} answers with different verdicts:",
            len(differing),
        )
    )
    for labels in differing[:MOST_SHOWN]:
        people = {each.labeller: say(SHOWN.get(each.verdict, each.verdict)) for each in labels}
        said = ", ".join(f"{visible_line(person)} {verdict}" for person, verdict in people.items())
        variants = ", ".join(dict.fromkeys(visible_line(label.variant) for label in labels))
        echo(f"  {visible_line(labels[0].case_id)}, {variants}: {said}")
    if len(differing) > MOST_SHOWN:
        more = say("and {n} more (--json lists all)", n=len(differing) - MOST_SHOWN)
        echo(f"  {more}")
