"""``assay compare``: compare two runs; the exit code tells whether the candidate passes."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Documents, chosen_documents, one_of
from assay.cli.redaction import redacted
from assay.errors import UseError

FORMATS = ("text", "json", "markdown", "junit")
DIRECTIONS = ("higher", "lower")


@redacted
def compare(
    base: Annotated[
        Path,
        typer.Option("--base", help="Results to compare with: a .json or .jsonl file, or NAME."),
    ],
    cand: Annotated[Path, typer.Option("--cand", help="Results of the candidate.")],
    metric: Annotated[
        str | None,
        typer.Option("--metric", help="Metric to compare. Default: the main metric of the job."),
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", help="Variant to compare, if a run has several.")
    ] = None,
    base_variant: Annotated[
        str | None,
        typer.Option("--base-variant", help="Variant of the base, if it is a different one."),
    ] = None,
    better: Annotated[
        str | None,
        typer.Option(
            "--better",
            metavar="|".join(DIRECTIONS),
            help="Which direction of --metric is better, if assay does not know it.",
        ),
    ] = None,
    min_delta: Annotated[
        float | None,
        typer.Option(
            "--min-delta", help="Pass only if the metric improved by at least this. Default: 0."
        ),
    ] = None,
    max_regressions: Annotated[
        int | None,
        typer.Option(
            "--max-regressions",
            min=0,
            help="Number of questions that may become worse. Default: 0; with a margin, any number.",
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            "--margin",
            help="Largest loss that does not matter, such as 0.03: pass if the interval of the difference leaves out a larger one.",
        ),
    ] = None,
    equivalent: Annotated[
        float | None,
        typer.Option(
            "--equivalent",
            help="Largest difference that does not matter: pass if the interval leaves out a larger loss and a larger gain.",
        ),
    ] = None,
    max_failed: Annotated[
        int,
        typer.Option(
            "--max-failed", min=0, help="Number of cases that may have no score in each run."
        ),
    ] = 0,
    epsilon: Annotated[
        float,
        typer.Option(
            "--epsilon", min=0, help="A question counts as changed above this difference."
        ),
    ] = 1e-9,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(FORMATS), help="Format of the report.")
    ] = "text",
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write the report to this file; the terminal shows text."),
    ] = None,
    changes: Annotated[
        int, typer.Option("--changes", min=0, help="Number of changed questions to list; 0: all.")
    ] = 20,
    max_std: Annotated[
        float | None,
        typer.Option(
            "--max-std", min=0, help="Largest spread of the candidate, for summaries of runs."
        ),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", help="With --rescore: what the answers must include."),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels",
            help="The labels that correct a judge or a yes/no metric. Default: those of the runs.",
        ),
    ] = None,
    documents: Documents = None,
    *,
    rescore: Annotated[
        bool,
        typer.Option("--rescore", help="Score recorded answers again by the current rules."),
    ] = False,
    strict_hashes: Annotated[
        # the default; accepted because scripts of other tools say it
        bool,
        typer.Option("--strict-hashes", hidden=True),
    ] = False,
    allow_mismatch: Annotated[
        bool,
        typer.Option(
            "--allow-mismatch",
            help="Compare even if the documents, the questions or their weights differ.",
        ),
    ] = False,
    no_strict_hashes: Annotated[
        # the earlier spelling of --allow-mismatch, for scripts that still use it
        bool,
        typer.Option("--no-strict-hashes", hidden=True),
    ] = False,
    allow_missing: Annotated[
        bool,
        typer.Option("--allow-missing", help="Do not count a question without a value as worse."),
    ] = False,
    require_significant: Annotated[
        bool,
        typer.Option(
            "--require-significant", help="Fail only if the drop is statistically significant."
        ),
    ] = False,
    pass_if_unclear: Annotated[
        bool,
        typer.Option(
            "--pass-if-unclear",
            help="With --margin or --equivalent: pass if there are too few questions to tell.",
        ),
    ] = False,
) -> None:
    """Compare two runs. Exit code 0: as good or better, 1: worse, 2: they cannot be compared."""
    one_of("--format", form, FORMATS)
    about = chosen_documents(documents)
    if better is not None:
        one_of("--better", better, DIRECTIONS)
    if strict_hashes and (allow_mismatch or no_strict_hashes):
        raise UseError("--strict-hashes and --allow-mismatch contradict each other")
    # the gate takes long to import, and a wrong option needs none of it
    from assay.cli.compare_run import compare_results  # noqa: PLC0415

    code = compare_results(
        base,
        cand,
        form=form,
        out=out,
        changes=changes,
        metric=metric,
        variant=variant,
        base_variant=base_variant,
        better=better,
        min_delta=min_delta,
        max_regressions=max_regressions,
        margin=margin,
        equivalent=equivalent,
        max_failed=max_failed,
        epsilon=epsilon,
        max_std=max_std,
        questions=questions,
        labels=labels,
        documents=about,
        rescore=rescore,
        allow_mismatch=allow_mismatch or no_strict_hashes,
        allow_missing=allow_missing,
        require_significant=require_significant,
        pass_if_unclear=pass_if_unclear,
    )
    raise typer.Exit(code)
