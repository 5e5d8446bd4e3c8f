"""``assay baseline``: the scores of a run without its texts, for the gate of a repository."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Root
from assay.cli.output import echo
from assay.cli.overwrite import Output
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.gate.baseline import is_baseline, write_baseline
from assay.report.description import file_line
from assay.results.find_results import find_results


@redacted
def baseline(
    results: Annotated[
        str, typer.Argument(metavar="RESULTS", help="A results file, or NAME of a past run.")
    ],
    out: Annotated[
        Path, typer.Option("--out", help="The file to write: .json for a results file, or .jsonl.")
    ],
    root: Root = None,
) -> None:
    """Write the scores of a run without its texts, for assay compare --base.

    The file has ids, scores, states and hashes, but no questions, answers or passages, so that it
    can be kept in git.
    """
    path = Path(results)
    source = path if path.is_file() else find_results(Workspace.find(root), results)
    output = Output(out, "assay baseline", root=root, results=[source], is_own=is_baseline)
    try:
        written = write_baseline(source, out)
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None
    output.record()
    for file in written:
        echo(file_line("written", file), err=True)
