"""Asks a server of commands to run ``assay``; needs only a few modules, so it starts at once.

As a program, it stands in for the installed script: ``assay_shim`` writes a script that starts it.
"""

import json
import os
import socket
import sys
from collections.abc import Mapping, Sequence

END = b"."
SET_LATER = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
"""What an interpreter that runs can still be given, as the program of the server does."""


def for_python(environment: Mapping[str, str]) -> dict[str, str]:
    """What the interpreter itself reads when it starts; ``LC_ALL`` comes before other locales."""
    locale = ("LC_ALL",) if environment.get("LC_ALL") else ("LC_", "LANG")
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(("PYTHON", *locale)) and name not in SET_LATER
    }


def ask(
    address: str,
    arguments: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    files: Sequence[int],
    timeout_s: float | None = None,
) -> int:
    """The exit code of the command, run with these three files as input, output and errors."""
    with begun(address, arguments, folder, environment, files) as connection:
        connection.settimeout(timeout_s)
        return int.from_bytes(received(connection, 4), "big", signed=True)


def begun(
    address: str,
    arguments: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    files: Sequence[int],
) -> socket.socket:
    """A connection to a command that has begun; ``END`` sent over it ends the command."""
    call = {"arguments": list(arguments), "folder": folder, "environment": dict(environment)}
    content = json.dumps(call).encode()
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    socket.send_fds(connection, [len(content).to_bytes(8, "big")], files)
    connection.sendall(content)
    return connection


def received(connection: socket.socket, size: int) -> bytes:
    """So many bytes from the other end; raises ``EOFError`` if it closes before."""
    content = b""
    while len(content) < size:
        part = connection.recv(size - len(content))
        if not part:
            raise EOFError
        content += part
    return content


def main(address: str, program: str, expected: Mapping[str, str]) -> None:
    """Run the command of this process on the server, or itself if Python must start anew."""
    if for_python(os.environ) != expected:
        os.execv(program, [program, *sys.argv[1:]])
    code = ask(address, sys.argv[1:], os.getcwd(), os.environ, (0, 1, 2))  # noqa: PTH109 - starts sooner
    sys.exit(code if code >= 0 else 128 - code)
