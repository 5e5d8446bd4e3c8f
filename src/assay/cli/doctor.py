"""``assay doctor``: check the installation, the workspace and a system."""

from typing import Annotated

import msgspec
import typer
from msgspec.structs import replace

from assay.cli.options import AllowOutsideRoot, Json, Root
from assay.cli.output import echo, echo_json, json_only
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.jobs.doctor.checkup import (
    check_extras,
    check_installation,
    check_named_system,
    check_registrations,
    check_workspace,
    not_needed,
)
from assay.jobs.doctor.leak import CheckResult
from assay.redact.error_text import masked_error
from assay.text.width import display_width, padded
from assay.words.say import say

_MARK = {True: "ok", False: "FAIL", None: "note"}


@redacted
def doctor(
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            help="Also ask this system, e.g. python:package.module:callable, and look whether "
            "the settings of one question reach another.",
        ),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option(
            "--question",
            help="The question to ask. Default: the first one of the workspace, if there is one.",
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.001, help="Seconds to wait for the answer.")
    ] = 60.0,
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Check the installation and the workspace and, with --system, ask a system."""
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    findings = [*check_installation()]
    around = [*check_extras(), *check_registrations(), *check_workspace(workspace)]
    findings += around if system is None else not_needed(around)
    if system is not None:
        with json_only(as_json):
            findings += check_named_system(system, workspace, timeout, question)
    findings = [replace(each, what=masked_error(each.what)) for each in findings]
    _print(findings, as_json=as_json)
    if any(finding.ok is False for finding in findings):
        raise typer.Exit(1)


def _print(findings: list[CheckResult], *, as_json: bool) -> None:
    if as_json:
        echo_json(msgspec.json.encode(findings).decode())
        return
    width = max(display_width(say(_MARK[finding.ok])) for finding in findings) + 1
    for finding in findings:
        echo(padded(say(_MARK[finding.ok]), max(width, 5)) + finding.what)
