"""Write the pages that are generated from the code; with ``--check``, only list outdated ones."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer import Context
from typer.main import get_command
from typer.testing import CliRunner

from assay.checks.known_name import KNOWN_NAMES
from assay.checks.own_scorer import OPTIONAL, optional_scorer
from assay.checks.registered import SCORERS
from assay.checks.scorer import Scorer
from assay.cli.main import COMMANDS, app
from assay.config.yaml_tree import experiments_schema
from assay.jobs.legal.file import benchmark_schema
from assay.records import Metric
from assay.registry import load_object
from assay.report.label import metric_title
from assay.results.job import JOBS
from assay.words.language import Lang

ROOT = Path(__file__).parent.parent
LANGUAGES: tuple[Lang, ...] = ("en", "zh", "ru")
AGGREGATES = {"rate": "share", "mean": "mean", "p50": "median", "p95": "95th percentile"}


def command_reference() -> str:
    """The help of every command and of its parts, as a terminal with 100 columns shows it."""
    parts = ["# Command reference\n", "Made by `make docs` from the commands' own help.\n"]
    parts.append(f"```text\n{_help()}\n```\n")
    group: Any = get_command(app)
    for name in COMMANDS:
        command = group.get_command(Context(group), name)
        paths = [(name,), *((name, part) for part in getattr(command, "commands", ()))]
        parts += [
            f"{'#' * (1 + len(path))} assay {' '.join(path)}\n\n```text\n{_help(*path)}\n```\n"
            for path in paths
        ]
    return "\n".join(parts)


def _help(*words: str) -> str:
    runner = CliRunner(env={"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"})
    result = runner.invoke(app, [*words, "--help"], prog_name="assay")
    if result.exit_code:
        raise SystemExit(f"assay {' '.join(words)} --help failed: {result.output}")
    return "\n".join(line.rstrip() for line in result.output.strip().splitlines())


def metric_reference() -> str:
    """Every metric of assay's own jobs and scorers, from its declaration."""
    introduction = (
        "A metric has a value for each answer, and a table shows their mean, their share (of yes "
        "and no) or a percentile. An answer for which a metric is undefined has no value and is "
        "not part of the aggregate. The **main** metric of a job is the one that `assay compare` "
        "compares by default, and the primary one of an experiment. How to add a metric is described in [Extend assay](extend.md).\n"
    )
    made = "Made by `make docs` from the declarations of the metrics.\n"
    parts = ["# Metrics\n", made, introduction]
    for name in JOBS.own:
        spec = JOBS.get_own(name)
        parts.append(f"## {name}\n")
        parts.append(_metric_table(spec.metrics, main=spec.headline))
        if spec.variant_metrics:
            parts.append("Metrics of a variant that are not means over its answers:\n")
            parts.append(_metric_table(spec.variant_metrics, shown="one value"))
    scorers = [SCORERS.get_own(name) for name in SCORERS.own]
    if scorers:
        parts.append("## Scorers of several jobs\n")
        parts.append(_metric_table(scorers))
    parts.append("## Scorers that are named\n")
    parts.append(
        'A run has them with `--scorer NAME` or `scorers=["NAME"]`, and `assay score` adds them ([measured](checks.md#do-the-citations-support-the-answer)).\n'
    )
    parts.append(_metric_table([optional_scorer(name) for name in OPTIONAL]))
    parts.append("## Names of other tools\n")
    parts.append(_KNOWN)
    parts.append(_name_table())
    return "\n".join(parts)


_KNOWN = (
    "`--metric`, `--primary`, `--scorer` and the functions in Python take these names in any spelling "
    "(`context_recall`, `ContextualRecallMetric`, `context-recall`), and a note says which metric it is here. They "
    "are those of Ragas, DeepEval, TruLens, promptfoo and MLflow. What a model judges is asked with "
    "`assay judge RUN --judge NAME` ([how](judge.md)).\n"
)


def _name_table() -> str:
    rows = [("name there", "here", "what ours measures", "how theirs differ"), ("---",) * 4]
    for known in KNOWN_NAMES:
        here = " or ".join(f"`{name}`" for name in known.ours) or f"judge, `{known.rubric}`"
        rows.append(
            (", ".join(f"`{name}`" for name in known.names), here, known.here, known.differs)
        )
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _metric_table(metrics: Sequence[Metric], main: str = "", shown: str = "") -> str:
    """``shown`` says how all these metrics are aggregated, if their kind does not."""
    columns = ("metric", "title", "formula", "function", "shown as", "better", "undefined if")
    rows = [columns, ("---",) * len(columns)]
    for metric in metrics:
        kind = AGGREGATES[metric.kind] + (f", {metric.unit}" if metric.unit else "")
        jobs = f" ({', '.join(metric.jobs)})" if isinstance(metric, Scorer) and metric.jobs else ""
        function = metric.function
        if isinstance(function, str):
            function = load_object(function)
        rows.append(
            (
                f"`{metric.name}`{', **main**' if metric.name == main else ''}{jobs}",
                " · ".join(metric_title(metric, lang) for lang in LANGUAGES),
                metric.formula,
                f"`{function.__module__}.{function.__qualname__}`" if function else "–",
                shown or kind,
                metric.better or "–",
                metric.undefined or "never",
            )
        )
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "".join(f"| {line} |\n" for line in lines)


PAGES = {
    "docs/cli.md": command_reference,
    "docs/metrics.md": metric_reference,
    "docs/experiments.schema.json": experiments_schema,
    "docs/benchmark.schema.json": benchmark_schema,
    # A copy of the same schema that is installed with the package.
    "src/assay/data/samples/bench/schema.json": benchmark_schema,
}


def main() -> None:
    """Write or check every page."""
    outdated = []
    for name, generate in PAGES.items():
        page = ROOT / name
        text = generate()
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            outdated.append(name)
            if "--check" not in sys.argv:
                page.write_text(text, encoding="utf-8")
                print(f"wrote {name}")
    if outdated and "--check" in sys.argv:
        raise SystemExit(f"out of date: {', '.join(outdated)}; run make docs")


if __name__ == "__main__":
    main()
