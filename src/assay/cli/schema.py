"""``assay schema``: print the JSON Schema of ``experiments.yaml`` for editors."""

import json
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.output import echo_text
from assay.cli.overwrite import Output
from assay.config.yaml_tree import experiments_schema
from assay.errors import UseError


def schema(
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the schema to this file.")
    ] = None,
) -> None:
    """Print the JSON Schema of experiments.yaml, which editors use for completion and checks."""
    Output(out, "assay schema", is_own=_is_schema)
    text = experiments_schema()
    if out is None:
        echo_text(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None


def _is_schema(path: Path) -> bool:
    """Whether the file is the schema, perhaps of another version: repositories keep it."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    own = json.loads(experiments_schema())
    same = ("$schema", "title")
    return isinstance(found, dict) and all(found.get(name) == own[name] for name in same)
