"""``assay judge check`` and ``assay labels plan``: labels of people beside a check or a judge.

No model is called.
"""

import codecs
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from assay.cli.judge_text import (
    calibration_text,
    compared_text,
    drawn_lines,
    named_facts,
    plan_text,
    print_json,
    say_lines,
    warn,
)
from assay.cli.masked import masked_form
from assay.cli.next_step import run_reference, say_next, typed_path
from assay.cli.options import Json, Root
from assay.cli.privacy import keep_private
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.judge.calibration import compare_judges
from assay.judge.exchange import sheet_as_csv
from assay.judge.label_plan import plan_labels
from assay.judge.labelled_answers import Sample
from assay.judge.planning import draw_answers, label_sheet, sample_of
from assay.judge.workbench import (
    OpenRun,
    check_judge,
    judge_scores,
    judge_verdicts,
    labels_of,
    open_run,
    scores_of,
)
from assay.report.description import file_line
from assay.runs.summary import write_atomically
from assay.words.say import say

_OTHER_TABLES: Final = frozenset({".xlsx", ".xls", ".ods", ".tsv"})
Run = Annotated[str, typer.Argument(help="NAME of a past run (see assay list), or its file.")]
Labels = Annotated[
    Path | None,
    typer.Option("--labels", help="File of labels. Default: labels/NAME.jsonl of the workspace."),
]
Judge = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="The judge. Default: the only one of the run; if there is none, the check of answers.",
    ),
]
Metric = Annotated[
    str | None,
    typer.Option(
        "--metric",
        help="A value of the rows instead of a judge, for example answer_contained or abstained; "
        "with --judge, the judge decides the answers that this value is unsure of.",
    ),
]
Threshold = Annotated[
    float,
    typer.Option("--threshold", min=0, max=1, help="A score from this on counts as yes."),
]
AtRandom = Annotated[
    bool,
    typer.Option(
        "--drawn-at-random",
        help="The labels have no probability, but every answer was equally likely to be labelled.",
    ),
]


@redacted
def check(
    run: Run,
    labels: Labels = None,
    name: Judge = None,
    against: Annotated[
        str | None,
        typer.Option("--against", help="Compare with this other judge, not with labels."),
    ] = None,
    metric: Metric = None,
    threshold: Threshold = 0.5,
    root: Root = None,
    *,
    drawn_at_random: AtRandom = False,
    as_json: Json = False,
) -> None:
    """Hold a judge or a check against labels: its errors, and corrected rates. No model is called."""
    opened = open_run(Workspace.find(root), run)
    if against is not None:
        compared = _compared(opened, name, against, threshold)
        print_json(compared) if as_json else say_lines(compared_text(compared))
        return
    chosen = scores_of(opened, name, metric)
    for note in chosen.notes:
        warn(note)
    found = labels_of(opened, labels, chosen.rubric)
    if not found:
        raise UseError(_no_labels(opened, chosen.rubric))
    calibration = check_judge(
        opened, chosen, found, threshold=threshold, drawn_at_random=drawn_at_random
    )
    print_json(named_facts(calibration)) if as_json else say_lines(calibration_text(calibration))


@redacted
def plan(
    run: Run,
    labels: Labels = None,
    name: Judge = None,
    metric: Metric = None,
    width: Annotated[
        float, typer.Option("--width", min=0.001, max=1, help="Wanted width of the interval.")
    ] = 0.2,
    draw: Annotated[
        int | None,
        typer.Option(
            "--draw", min=1, help="Draw this many answers of each variant, earlier ones included."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="With --draw: write a file of labels to fill in, .csv or .jsonl."
        ),
    ] = None,
    labeller: Annotated[
        str, typer.Option("--labeller", help="With --out: the name of who labels.")
    ] = "me",
    seed: Annotated[int, typer.Option("--seed", help="Another number draws other answers.")] = 0,
    threshold: Threshold = 0.5,
    base: Annotated[
        str | None,
        typer.Option("--base", help="Also plan for the difference to this other run."),
    ] = None,
    root: Root = None,
    *,
    as_json: Json = False,
) -> None:
    """Say how many labels reach a width, and draw which answers to label next."""
    if out is not None and draw is None:
        raise UseError("--out writes the drawn answers: add --draw N")
    if out is not None:
        _check_sheet(out)
    opened = open_run(Workspace.find(root), run)
    chosen = scores_of(opened, name, metric)
    for note in chosen.notes:
        warn(note)
    known = labels_of(opened, labels, chosen.rubric)
    sample = sample_of(opened, chosen, known)
    planned = plan_labels(
        chosen.name,
        sample,
        width=width,
        threshold=threshold,
        baseline=opened.baseline,
        base=None if base is None else _base_sample(Workspace.find(root), base, name, metric),
    )
    facts: dict[str, Any] = {"plan": named_facts(planned)}
    say_lines(plan_text(planned), as_json=as_json)
    if draw is not None:
        drawn = draw_answers(opened, chosen, known, count=draw, seed=seed, threshold=threshold)
        facts["drawn"] = drawn.drawn
        counts = Counter(each.variant for each in drawn.drawn)
        lines = drawn_lines(counts, draw, len(drawn.unlabelled))
        lines.append(file_line("draw", drawn.path))
        if out is not None:
            line = _write_sheet(out, label_sheet(opened, drawn.unlabelled, labeller))
            lines.append(file_line("labels", line))
        say_lines(lines, as_json=as_json)
    if as_json:
        print_json(facts)
    elif out is not None:
        say_next("labels", "import", run_reference(opened.journal), typed_path(out))


def _base_sample(workspace: Workspace, run: str, name: str | None, metric: str | None) -> Sample:
    """The scores and labels of the run with which another is compared."""
    opened = open_run(workspace, run)
    chosen = scores_of(opened, name, metric)
    return sample_of(opened, chosen, labels_of(opened, None, chosen.rubric))


def _no_labels(opened: OpenRun, rubric: str) -> str:
    name = opened.journal.stem
    if rubric == "correctness":
        return (
            f"there are no labels of {name}: label answers in assay view, or give --labels FILE; "
            f"assay labels plan {name} says which answers"
        )
    return (
        "the labels of the workspace say whether answers are right; give --labels FILE with labels "
        f"about {rubric or 'this metric'}, where right means yes"
    )


def _compared(opened: OpenRun, name: str | None, against: str, threshold: float) -> Any:
    if name is None:
        raise UseError(f"say which judge is compared with {against}: add --judge NAME")
    one, other = judge_verdicts(opened, name), judge_verdicts(opened, against)
    first, second = judge_scores(one), judge_scores(other)
    both = [
        (left, right, case.case.question.id)
        for case in opened.cases
        if (left := first.get(case.case.key)) is not None
        and (right := second.get(case.case.key)) is not None
    ]
    return compare_judges((name, against), both, threshold)


def _check_sheet(out: Path) -> None:
    """Refuse a file that exists, and a format that is not written, before anything is drawn."""
    if out.suffix.lower() in _OTHER_TABLES:
        raise UseError(f"{out}: a sheet of labels is .csv for a spreadsheet, or .jsonl")
    if out.exists():
        raise UseError(f"{out}: exists already, and may hold labels; give another file")


def _write_sheet(out: Path, rows: Sequence[Mapping[str, Any]]) -> str:
    """Write the rows to fill in; return what to do with them."""
    if not rows:
        return say("all drawn answers have labels; nothing is written to {file}", file=out)
    _check_sheet(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.suffix.lower() == ".csv":
        text = masked_form(sheet_as_csv(rows), "csv")
        # without the mark, a spreadsheet does not show Chinese and Russian
        write_atomically(out, codecs.BOM_UTF8 + text.encode(), is_masked=True)
    else:
        write_atomically(out, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    keep_private(out)
    return say("{file}: replace `unclear` by right, partly, wrong or cannot tell", file=out)
