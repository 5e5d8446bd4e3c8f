"""Test reports in JUnit's XML format, which continuous integration servers read.

The common schemas of this format are strict about the order of elements: first the properties,
then the test cases, then the two outputs. Every suite has counts, a time and a host name.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, Literal

from msgspec import Struct

from assay.report.table.table import on_one_line

JUnitOutcome = Literal["passed", "failure", "error", "skipped"]

# Characters that XML 1.0 cannot represent, not even by a character reference, other control
# characters, and marks that change the direction of text.
_UNWRITABLE: Final = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u007f-\u009f\u202a-\u202e\u2066-\u2069]"
)


class JUnitCase(Struct, frozen=True, kw_only=True):
    """A test case. Servers show ``message`` in the list of cases and ``detail`` on the case's page.

    ``kind`` is the type of a failure or an error.
    """

    name: str
    group: str
    outcome: JUnitOutcome = "passed"
    message: str = ""
    detail: str = ""
    kind: str = "assay"


class Suite(Struct, frozen=True, kw_only=True):
    """Checks that belong together; ``properties`` are facts about all of them."""

    name: str
    checks: Sequence[JUnitCase]
    properties: Mapping[str, str] = {}


def as_junit(suites: Sequence[Suite], *, timestamp: str) -> str:
    """The suites as an XML document; ``timestamp`` is an ISO 8601 time without fractions.

    >>> check = JUnitCase(name="q1", group="gate", outcome="failure", message="a < b")
    >>> print(as_junit([Suite(name="s", checks=[check])], timestamp="2026-01-02T03:04:05Z"))
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="assay" tests="1" failures="1" errors="0" time="0">
    ...
    """
    checks = [check for suite in suites for check in suite.checks]
    head = (
        f'<testsuites name="assay" tests="{len(checks)}" '
        f'failures="{_count(checks, "failure")}" errors="{_count(checks, "error")}" '
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


def _case(check: JUnitCase) -> list[str]:
    head = (
        f'<testcase name="{_attribute(check.name)}" classname="{_attribute(check.group)}" time="0"'
    )
    if check.outcome == "passed":
        return [f"    {head}/>"]
    tag = f'{check.outcome} message="{_attribute(check.message)}"'
    if check.outcome == "skipped":
        return [f"    {head}><{tag}/></testcase>"]
    body = f'<{tag} type="{_attribute(check.kind)}">{_text(check.detail or check.message)}</{check.outcome}>'
    return [f"    {head}>{body}</testcase>"]


def _count(checks: Sequence[JUnitCase], outcome: JUnitOutcome) -> int:
    return sum(check.outcome == outcome for check in checks)


def _text(text: str) -> str:
    return escape(_UNWRITABLE.sub("", text), quote=False)


def _attribute(text: str) -> str:
    """The value of an attribute on one line; ``-`` if it would be empty: a name must not be."""
    return escape(on_one_line(_UNWRITABLE.sub("", text)), quote=True) or "-"
