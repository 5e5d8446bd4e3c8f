"""JUnit's XML, as continuous integration servers read it: suites of checks that passed or not.

The layout is the strict one of the common schemas: properties first, then the cases, then
the two outputs; counts, time and host stand on every suite.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, Literal

from msgspec import Struct

from assay.report.table import on_one_line

Outcome = Literal["passed", "failure", "error", "skipped"]

# What XML 1.0 has no way to write, not even as a reference; and the marks that reverse text.
_UNWRITABLE: Final = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u007f-\u009f\u202a-\u202e\u2066-\u2069]"
)


class Check(Struct, frozen=True, kw_only=True):
    """One test case; ``message`` is its line in a list, ``detail`` what one reads on opening it."""

    name: str
    group: str
    outcome: Outcome = "passed"
    message: str = ""
    detail: str = ""


class Suite(Struct, frozen=True, kw_only=True):
    """Checks that belong together, and facts about them all."""

    name: str
    checks: Sequence[Check]
    properties: Mapping[str, str] = {}


def as_junit(suites: Sequence[Suite], *, timestamp: str) -> str:
    """The suites as one document; ``timestamp`` is ISO 8601 to the second.

    >>> check = Check(name="q1", group="gate", outcome="failure", message="a < b")
    >>> print(as_junit([Suite(name="s", checks=[check])], timestamp="2026-01-02T03:04:05Z"))
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="assay" tests="1" failures="1" errors="0" time="0">
    ...
    """
    everything = [check for suite in suites for check in suite.checks]
    head = (
        f'<testsuites name="assay" tests="{len(everything)}" '
        f'failures="{_count(everything, "failure")}" errors="{_count(everything, "error")}" '
        'time="0">'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head]
    for number, suite in enumerate(suites):
        lines += _suite(suite, number, timestamp.removesuffix("Z"))
    return "\n".join([*lines, "</testsuites>", ""])


def _suite(suite: Suite, number: int, timestamp: str) -> list[str]:
    checks = suite.checks
    head = (
        f'  <testsuite id="{number}" package="assay" name="{_attribute(suite.name)}" '
        f'timestamp="{_attribute(timestamp)}" hostname="localhost" tests="{len(checks)}" '
        f'failures="{_count(checks, "failure")}" errors="{_count(checks, "error")}" '
        f'skipped="{_count(checks, "skipped")}" time="0">'
    )
    lines = [
        head,
        "    <properties>",
        *(
            f'      <property name="{_attribute(key)}" value="{_attribute(value)}"/>'
            for key, value in suite.properties.items()
        ),
        "    </properties>",
    ]
    for check in checks:
        lines += _case(check)
    return [*lines, "    <system-out/>", "    <system-err/>", "  </testsuite>"]


def _case(check: Check) -> list[str]:
    head = (
        f'<testcase name="{_attribute(check.name)}" classname="{_attribute(check.group)}" time="0"'
    )
    if check.outcome == "passed":
        return [f"    {head}/>"]
    tag = f'{check.outcome} message="{_attribute(check.message)}"'
    if check.outcome == "skipped":
        return [f"    {head}><{tag}/></testcase>"]
    body = f'<{tag} type="assay">{_text(check.detail or check.message)}</{check.outcome}>'
    return [f"    {head}>{body}</testcase>"]


def _count(checks: Sequence[Check], outcome: Outcome) -> int:
    return sum(check.outcome == outcome for check in checks)


def _text(text: str) -> str:
    return escape(_UNWRITABLE.sub("", text), quote=False)


def _attribute(text: str) -> str:
    """On one line, as an attribute is read; never empty, for a name must not be."""
    return escape(on_one_line(_UNWRITABLE.sub("", text)), quote=True) or "-"
