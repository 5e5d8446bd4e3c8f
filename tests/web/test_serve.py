"""Where the server may listen."""

import subprocess
import sys

import pytest

from assay.errors import UseError
from assay.web.serve import ServeOptions, check_options

LONG = "correct horse battery staple"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"host": "0.0.0.0"}, "--password-env"),
        ({"host": "192.0.2.1", "password": "short"}, "fewer than 16"),
        ({"host": "::", "password": LONG}, "--allow-host"),
        ({"allowed_hosts": ("*",)}, "without scheme or wildcard"),
        ({"allowed_hosts": ("https://lab",)}, "without scheme or wildcard"),
    ],
)
def test_a_server_for_others_needs_a_password_and_a_name(options: dict[str, object], problem: str):
    """Each refusal says what to add."""
    with pytest.raises(UseError, match=problem):
        check_options(ServeOptions(token=LONG, **options))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"host": "::1"},
        {"host": "localhost", "allowed_hosts": ("lab.example",)},
        {"host": "0.0.0.0", "password": LONG, "allowed_hosts": ("lab.example",)},
    ],
)
def test_loopback_needs_nothing(options: dict[str, object]):
    """Behind a proxy on the same computer, only the name is needed."""
    check_options(ServeOptions(token=LONG, **options))


@pytest.mark.parametrize(
    ("options", "only_reads"),
    [
        ({}, False),
        ({"host": "localhost"}, False),
        ({"is_read_only": True}, True),
        ({"allowed_hosts": ("lab.example",)}, True),
        ({"host": "0.0.0.0", "password": LONG, "allowed_hosts": ("lab.example",)}, True),
        ({"allowed_hosts": ("lab.example",), "is_read_only": False}, False),
    ],
)
def test_a_page_that_others_can_open_only_reads(options: dict[str, object], only_reads: bool):
    """Unless the user says otherwise; at home the page may change the workspace."""
    assert ServeOptions(token=LONG, **options).only_reads is only_reads


def test_a_server_that_was_told_to_end_does_so():
    """A thread that never ends does not hold it."""
    script = (
        "import threading\n"
        "from assay.web.serve import end_surely\n"
        "threading.Thread(target=threading.Event().wait).start()\n"
        "end_surely(0.01)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0
