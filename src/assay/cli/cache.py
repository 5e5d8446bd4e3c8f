"""``assay cache``: show the content of the call cache and delete calls from it."""

import time
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer

from assay.cli.options import Json, Root
from assay.cli.output import echo, echo_json
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.models.cache_file import CacheInfo, cache_info, prune_cache, sealed_path
from assay.words.say import say, say_n

app = typer.Typer(
    help="The call cache: recorded model calls, which are paid for only once.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.command("info")
def info(root: Root = None, *, as_json: Json = False) -> None:
    """Show the number of recorded calls, their models and dates, and the size of the cache."""
    path = Workspace.find(root).call_cache
    sealed = sealed_path(path)  # that of runs with redaction
    listed = [cache_info(each) for each in (path, sealed) if each == path or each.exists()]
    if len(listed) > 1 and not listed[0].calls:
        del listed[0]
    if as_json:
        value, *others = (msgspec.to_builtins(contents, enc_hook=str) for contents in listed)
        echo_json(msgspec.json.encode(value | ({"sealed": others[0]} if others else {})).decode())
        return
    for contents in listed:
        _print(contents)


def _print(contents: CacheInfo) -> None:
    calls = say_n("{n} call", "{n} calls", contents.calls)
    echo(f"{contents.path}: {calls}, {contents.bytes_on_disk / 1e6:.1f} MB")
    for model, count in contents.by_model.items():
        echo(f"  {count:>8}  {model}")
    if contents.oldest is not None and contents.newest is not None:
        days = {"first": _day(contents.oldest), "last": _day(contents.newest)}
        echo(f"  {say('from {first} to {last}', **days)}")


@app.command("prune")
def prune(
    older_than: Annotated[
        float | None,
        typer.Option("--older-than", min=0, help="Delete only calls older than this many days."),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Delete only calls of this model.")
    ] = None,
    root: Root = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Delete all calls.")] = False,
) -> None:
    """Delete recorded calls. A deleted call is made and paid for again when it is needed."""
    if everything == (older_than is not None or model is not None):
        raise UseError("choose what to delete with --older-than DAYS, --model NAME, or --all")
    before = None if older_than is None else time.time() - older_than * 86_400
    path = Workspace.find(root).call_cache
    deleted = prune_cache(path, before=before, model=model)
    deleted += prune_cache(sealed_path(path), before=before, model=model)
    echo(say_n("{n} call deleted", "{n} calls deleted", deleted))


def _day(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d")
