"""A walk: commands as a newcomer types them, the seconds that one waits for them, and what must hold."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

BIN: Final = Path(sys.executable).parent


class WalkFailed(Exception):
    """Something that must hold does not."""


class Walk:
    """The commands of one walk in its folder, with an empty home and at most ``most_s`` seconds of waiting.

    ``binaries`` is where the installed programs are: those of this environment, or of one of its own.
    """

    def __init__(self, folder: Path, most_s: float, binaries: Path = BIN) -> None:
        self.folder = folder
        self.waited_s = 0.0
        self._most_s = most_s
        self._bin = binaries
        (folder / "home").mkdir(parents=True)

    def run(self, *words: str, more: Mapping[str, str] | None = None) -> str:
        """Wait for a command and return what it prints; it has to end with 0."""
        begun = time.monotonic()
        process = self.start(*words, more=more)
        try:
            output, _ = process.communicate(timeout=max(self._left_s, 0.1))
        except subprocess.TimeoutExpired:
            stop(process)
            raise WalkFailed(f"{' '.join(words)}: more than {self._most_s:.0f} s") from None
        self._tell(words, begun)
        require(process.returncode == 0, f"ended with {process.returncode}:\n{output[-3000:]}")
        return output

    def run_until(self, line: str, *words: str) -> None:
        """Kill a command as soon as it has printed a line that begins like this."""
        begun = time.monotonic()
        process = self.start(*words)
        assert process.stdout is not None
        try:
            seen = next((said for said in process.stdout if said.startswith(line)), None)
        finally:
            stop(process)
        self._tell(("killed:", *words), begun)
        require(seen is not None, f"never printed: {line}")

    def start(self, *words: str, more: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Begin a command; nobody waits for it yet. It is the first of a group of its own."""
        home = {"HOME": str(self.folder / "home"), "PATH": f"{self._bin}:{os.defpath}"}
        return subprocess.Popen(
            [str(self._bin / words[0]), *words[1:]],
            cwd=self.folder,
            env=home | {"LANG": "C.UTF-8", "NO_COLOR": "1"} | dict(more or {}),
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def wait_for(self, what: str, begun: float) -> None:
        """Count the seconds since ``begun`` as waiting for something that is no command."""
        self._tell((what,), begun)

    @property
    def _left_s(self) -> float:
        return self._most_s - self.waited_s

    def _tell(self, words: tuple[str, ...], begun: float) -> None:
        waited_s = time.monotonic() - begun
        self.waited_s += waited_s
        print(f"  {waited_s:6.1f} s  {' '.join(words)}", flush=True)  # noqa: T201 - the result
        require(self._left_s > 0, f"more than {self._most_s:.0f} s of waiting")


def require(holds: object, what: str) -> None:
    """Raise ``WalkFailed`` if something does not hold."""
    if not holds:
        raise WalkFailed(what)


def stop(process: subprocess.Popen[str]) -> None:
    """Kill a command and its own processes, and wait until it is gone."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
