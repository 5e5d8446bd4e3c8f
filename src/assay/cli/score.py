"""``assay score``: score recorded answers again, without calling a model."""

import json
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.next_step import run_reference, say_next
from assay.cli.options import Json, Root, ScorerOption
from assay.cli.output import echo, echo_json, note_line
from assay.cli.question_note import echo_question_notes
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.library.privacy import keep_run_private
from assay.report.description import file_line
from assay.results.find_results import find_results
from assay.runs.own_scorer import read_scorers, scorer_notes
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.study.rescore import RescoreResult, rescore
from assay.words.say import say, say_n


@redacted
def score(
    results: Annotated[
        str, typer.Argument(help="NAME of a past run (see assay list), or its file.")
    ],
    questions: Annotated[
        Path | None, typer.Option("--questions", help="Take the expected values from this file.")
    ] = None,
    scorer: ScorerOption = None,
    root: Root = None,
    *,
    in_place: Annotated[
        bool,
        typer.Option("--in-place", help="Replace the rows; the old file is renamed, not deleted."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Score recorded answers again with the current rules. No model is called."""
    journal = find_results(Workspace.find(root), results)
    scorers = read_scorers(scorer or ())
    result = rescore(journal, in_place=in_place, questions=questions, scorers=scorers)
    keep_run_private(result.journal)
    echo_question_notes(*([questions] if questions is not None else []))
    summary = read_summary(summary_path(result.journal))
    for line in scorer_notes(result.journal, summary, scorers) if summary else ():
        echo(note_line(line), err=True)
    if as_json:
        facts = {
            "journal": str(result.journal),
            "judged": result.judged,
            "passed_over": result.passed_over,
            "changed": dict(result.changed),
            "malformed": result.malformed,
            "problems": list(result.problems),
            **({"masked": result.masked} if result.masked else {}),
        }
        echo_json(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        _print(result)
    if result.malformed:
        raise typer.Exit(1)


def _print(result: RescoreResult) -> None:
    echo(
        say(
            "{scored}, {unchanged}",
            scored=say_n("{n} answer scored again", "{n} answers scored again", result.judged),
            unchanged=say_n(
                "{n} row without an answer unchanged",
                "{n} rows without an answer unchanged",
                result.passed_over,
            ),
        )
    )
    for problem in result.problems:
        echo(problem, err=True)
    if result.malformed:
        echo(
            say_n(
                "{n} row that cannot be scored unchanged; the means were not computed again",
                "{n} rows that cannot be scored unchanged; the means were not computed again",
                result.malformed,
            ),
            err=True,
        )
    if result.masked:
        echo(
            say_n(
                "{n} row with masked text: the recorded scores were kept, because no key at hand turns the text back exactly",
                "{n} rows with masked text: the recorded scores were kept, because no key at hand turns the text back exactly",
                result.masked,
            ),
            err=True,
        )
    if not result.changed:
        echo(say("no score changed"))
    for name, count in sorted(result.changed.items()):
        echo(f"{name}: {say('{n} changed', n=count)}")
    echo(file_line("rows", result.journal))
    say_next("report", run_reference(result.journal))
