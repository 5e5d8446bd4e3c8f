"""``assay doctor``: check the installation, the workspace and a system."""

from typing import Annotated

import msgspec
import typer

from assay.cli.options import AllowOutsideRoot, Json, Root
from assay.cli.output import echo, echo_text
from assay.config import Workspace
from assay.jobs.doctor import (
    Finding,
    check_extras,
    check_installation,
    check_registrations,
    check_system,
    check_workspace,
)
from assay.jobs.setup import load_configuration, make_system_context

_MARK = {True: "ok  ", False: "FAIL", None: "note"}


def doctor(
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            help="Also ask this system one question, e.g. python:package.module:callable.",
        ),
    ] = None,
    question: Annotated[
        str, typer.Option("--question", help="The question to ask.")
    ] = "What does the document say?",
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.001, help="Seconds to wait for the answer.")
    ] = 60.0,
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Check the installation and the workspace and, with --system, make one call."""
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    findings = [*check_installation(), *check_extras(), *check_registrations()]
    findings += check_workspace(workspace)
    if system is not None and all(finding.ok is not False for finding in findings):
        context = make_system_context(workspace, load_configuration(workspace), use_cache=False)
        findings.extend(check_system(system, question, timeout, context))
    _print(findings, as_json=as_json)
    if any(finding.ok is False for finding in findings):
        raise typer.Exit(1)


def _print(findings: list[Finding], *, as_json: bool) -> None:
    if as_json:
        echo_text(msgspec.json.encode(findings).decode())
        return
    for finding in findings:
        echo(f"{_MARK[finding.ok]} {finding.what}")
