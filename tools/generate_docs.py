"""Write the pages that are generated from the code; with ``--check``, only list outdated ones."""

import sys
from pathlib import Path

from typer.testing import CliRunner

from assay.cli.main import COMMANDS, app
from assay.config.schema import experiments_schema
from assay.data.legal.file import benchmark_schema

ROOT = Path(__file__).parent.parent


def command_reference() -> str:
    """The help of every command, as a terminal with 100 columns shows it."""
    parts = ["# Command reference\n", "Made by `make docs` from the commands' own help.\n"]
    parts.append(f"```text\n{_help()}\n```\n")
    parts += [f"## assay {name}\n\n```text\n{_help(name)}\n```\n" for name in COMMANDS]
    return "\n".join(parts)


def _help(*words: str) -> str:
    runner = CliRunner(env={"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"})
    result = runner.invoke(app, [*words, "--help"], prog_name="assay")
    if result.exit_code:
        raise SystemExit(f"assay {' '.join(words)} --help failed: {result.output}")
    return "\n".join(line.rstrip() for line in result.output.strip().splitlines())


PAGES = {
    "docs/cli.md": command_reference,
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
