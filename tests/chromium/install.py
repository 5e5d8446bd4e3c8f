"""The Chromium that the tests install for themselves where the machine has none.

It is the npm package ``@sparticuz/chromium``: one program for headless use, with the libraries that a
bare Linux lacks. ``package-lock.json`` pins it with its hash and without the address of a registry; to
pin a newer version, change ``package.json`` and write the lock again, in this folder, with
``npm install --package-lock-only --omit-lockfile-registry-resolved``.

The package unpacks itself into the folder for temporary files at each start. Here it is unpacked once,
into ``build/browser``, so tests leave nothing behind and two checkouts share nothing.
"""

import os
import platform
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCK = Path(__file__).with_name("package-lock.json")
FOLDER = ROOT / "build" / "browser"
PROGRAM = FOLDER / "chromium"
LIBRARIES = FOLDER / "lib"
FONTS = FOLDER / "fonts"
STAMP = FOLDER / LOCK.name
"""The lock of what is installed; the Makefile compares its age."""

LEFT_OUT = "ASSAY_NO_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OLDEST_GLIBC = (2, 34)
"""What the libraries of the package need."""
NOT_SERVED = (
    "no Chromium or Chrome is on the PATH, and the tests can install one only on Linux on x64 "
    "(glibc 2.34 or later): tests of pages in a browser are left out"
)
REMEDY = (
    "install Chromium or Chrome, or run `make browser`, which needs the registry of npm; "
    f"{LEFT_OUT}=1 leaves the tests of pages in a browser out"
)
_DECOMPRESS = """\
const { createBrotliDecompress } = require("node:zlib");
process.stdin.pipe(createBrotliDecompress()).pipe(process.stdout);
"""
_TIMEOUT_S = 900
"""For 67 MB over a slow line."""


class NotInstalled(Exception):
    """The browser cannot be installed; the message says why."""


def browser_of_machine() -> str | None:
    """The first browser of ``NAMES`` on the PATH."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def is_served() -> bool:
    """Whether the package has a browser for this platform."""
    library, version = platform.libc_ver()
    return (platform.system(), platform.machine(), library) == ("Linux", "x86_64", "glibc") and (
        tuple(map(int, version.split("."))) >= OLDEST_GLIBC
    )


def is_installed() -> bool:
    """Whether the browser that the lock pins is installed."""
    return PROGRAM.is_file() and STAMP.is_file() and STAMP.read_bytes() == LOCK.read_bytes()


def install() -> None:
    """Install the browser if it is not there, whole or not at all.

    Raises:
        NotInstalled: Node is missing, the package cannot be had, or the browser does not start.
    """
    if is_installed():
        STAMP.touch()
        return
    FOLDER.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="browser-", dir=FOLDER.parent) as scratch:
        work = Path(scratch)
        node = _fetch(work)
        made = work / FOLDER.name
        _unpack(work / "node_modules" / "@sparticuz" / "chromium" / "bin", made, node)
        version = [str(made / PROGRAM.name), "--version"]
        _run(version, work, {"LD_LIBRARY_PATH": str(made / LIBRARIES.name)})
        shutil.copy(LOCK, made)
        shutil.rmtree(FOLDER, ignore_errors=True)
        try:
            made.rename(FOLDER)
        except OSError:
            if not is_installed():  # another installation was faster
                raise


def _fetch(work: Path) -> str:
    """Put the package of the lock into ``node_modules``; returns the program of Node."""
    import hatch_build  # noqa: PLC0415 - it needs packages that tests without a browser do not

    try:
        npm = hatch_build.find_npm()
    except hatch_build.BuildFailed as error:
        raise NotInstalled(str(error)) from None
    for name in ("package.json", LOCK.name):
        shutil.copy(LOCK.with_name(name), work)
    path = f"{Path(npm[0]).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    _run([*npm, *hatch_build.CI], work, {"PATH": path})
    return shutil.which("node", path=path) or npm[0]


def _unpack(packed: Path, made: Path, node: str) -> None:
    """Unpack the program, its libraries and its fonts; drawing by a graphics card is not needed."""
    made.mkdir()
    _decompress(packed / "chromium.br", made / PROGRAM.name, node)
    (made / PROGRAM.name).chmod(0o755)
    for archive, folder in (("al2023.tar.br", LIBRARIES), ("fonts.tar.br", FONTS)):
        target = made / folder.name
        target.mkdir()
        _decompress(packed / archive, packed / "archive.tar", node)
        with tarfile.open(packed / "archive.tar") as files:
            for member in files:
                content = files.extractfile(member)
                if content is not None:
                    (target / Path(member.name).name).write_bytes(content.read())


def _decompress(packed: Path, target: Path, node: str) -> None:
    """Write what a Brotli file contains: Node can read it, and Python's own library cannot."""
    with packed.open("rb") as source, target.open("wb") as out:
        done = subprocess.run([node, "-e", _DECOMPRESS], stdin=source, stdout=out, check=False)
    if done.returncode:
        raise NotInstalled(f"{packed.name} cannot be unpacked")


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(str(error)) from None
    if done.returncode:
        said = (done.stderr + done.stdout).splitlines()
        lines = [line for line in said if line.strip() and not line.startswith("npm warn")]
        raise NotInstalled("; ".join(lines[:3]) or f"{command} ended with {done.returncode}")


def main() -> None:
    """Install the browser if the tests would need it."""
    if os.environ.get(LEFT_OUT) == "1" or browser_of_machine() is not None:
        return
    if not is_served():
        print(NOT_SERVED)  # noqa: T201 - a program of make
        return
    try:
        install()
    except NotInstalled as error:
        raise SystemExit(f"the browser of the tests is not installed: {error}\n{REMEDY}") from None


if __name__ == "__main__":
    main()
