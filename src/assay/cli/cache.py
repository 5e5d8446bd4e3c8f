"""``assay cache``: what the call cache holds, and making it smaller."""

import time
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer

from assay.cli.options import Json, Root
from assay.config import Workspace
from assay.errors import UseError
from assay.models import cache_info, prune_cache

app = typer.Typer(
    help="The call cache: recorded model calls, each paid for once.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.command("info")
def info(root: Root = None, *, as_json: Json = False) -> None:
    """Say how many calls are recorded, of which models, since when, and how large it is."""
    found = cache_info(Workspace.find(root).call_cache)
    if as_json:
        typer.echo(msgspec.json.encode({**msgspec.to_builtins(found, enc_hook=str)}).decode())
        return
    typer.echo(f"{found.path}: {found.calls} calls, {found.bytes_on_disk / 1e6:.1f} MB")
    for model, count in found.by_model.items():
        typer.echo(f"  {count:>8}  {model}")
    if found.oldest is not None and found.newest is not None:
        typer.echo(f"  from {_day(found.oldest)} to {_day(found.newest)}")


@app.command("prune")
def prune(
    older_than: Annotated[
        float | None,
        typer.Option("--older-than", min=0, help="Only calls older than this many days."),
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="Only calls of this model.")] = None,
    root: Root = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
) -> None:
    """Delete recorded calls. What is deleted is paid for again when it is next needed."""
    if everything == (older_than is not None or model is not None):
        raise UseError("say what to delete: --older-than DAYS, --model NAME, or --all")
    before = None if older_than is None else time.time() - older_than * 86_400
    deleted = prune_cache(Workspace.find(root).call_cache, before=before, model=model)
    typer.echo(f"{deleted} calls deleted")


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")
