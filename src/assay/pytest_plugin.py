"""A pytest plugin that runs the questions of legal benchmark files as tests.

``pytest --assay-system=python:my_rag:ask benchmark/`` collects every JSON file with the key
``benchmark_type`` and makes a test of each question. Without the option, the system is that of
the environment variable ``ASSAY_SYSTEM``, or of ``assay_system`` in the configuration of pytest,
or of ``system`` in the table ``tool.assay`` of ``pyproject.toml``; without a system nothing is
collected. A test fails if the score of the answer is below the threshold of the question, of its
file or of the benchmark; if none of them sets one, the full score is required.
"""

import asyncio
import json
import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from assay.jobs.legal.handler import BenchItem
    from assay.jobs.legal.questioner import QuestionLoop, QuestionResult

_OPTION: Final = "--assay-system"
_REDACT: Final = "--assay-redact"
_INI: Final = "assay_system"
_OLD_INI: Final = "assay_bench_system"
_VARIABLE: Final = "ASSAY_SYSTEM"
_MARK: Final = b'"benchmark_type"'
_HEAD: Final = 4096
_NOTES: Final = pytest.StashKey[dict[str, None]]()
_SPEC: Final = pytest.StashKey[str]()
_IGNORED_FILES: Final = pytest.StashKey[list[Path]]()
_SESSION: Final = pytest.StashKey["_Session"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting that name the system."""
    text = "The system to ask the questions of legal benchmark files: a name, or kind:rest."
    parser.getgroup("assay").addoption(_OPTION, metavar="SYSTEM", help=text)
    parser.getgroup("assay").addoption(
        _REDACT,
        metavar="off|outputs|calls",
        help="Mask personal data in what is shown; calls: also in what is sent to other computers. "
        "Default: redact of the configuration of the workspace.",
    )
    parser.addini(_INI, text, default="")
    parser.addini(_OLD_INI, f"The same as {_INI}.", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the stash and register a marker for each type of question."""
    config.stash[_IGNORED_FILES] = []
    config.stash[_NOTES] = {}
    config.stash[_SPEC] = _find_spec(config)
    for name in ("fact_exact", "evidence_set", "conflict_gap"):
        config.addinivalue_line("markers", f"{name}: questions of this type in a benchmark")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "BenchmarkFile | None":
    """Collect a JSON file with the key ``benchmark_type`` if a system is named."""
    if file_path.suffix != ".json":
        return None
    if _spec(parent.config):
        if not _is_benchmark(file_path.read_bytes()):
            return None
        return BenchmarkFile.from_parent(parent, path=file_path)
    with file_path.open("rb") as file:  # only to report that the file was ignored
        if _MARK in (head := file.read(_HEAD)) and _is_benchmark(head + file.read()):
            parent.config.stash[_IGNORED_FILES].append(file_path)
    return None


def _is_benchmark(content: bytes) -> bool:
    """Whether the file has the top-level key ``benchmark_type``, which its schema has not.

    A file that is not valid JSON counts as a benchmark, so that collecting it shows the error.
    """
    if _MARK not in content:
        return False
    try:
        value = json.loads(content.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return True
    return isinstance(value, dict) and "benchmark_type" in value


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what was ignored in the files, and what is missing if no test was collected."""
    for note in config.stash[_NOTES]:
        terminalreporter.write_line(f"assay: {note}")
    files = config.stash[_IGNORED_FILES]
    if files and not getattr(terminalreporter, "_numcollected", 0):
        terminalreporter.write_line(
            f"assay: {len(files)} benchmark files were ignored; name the system to ask with "
            f"{_OPTION}=SYSTEM, the variable {_VARIABLE}, or {_INI} in the configuration"
        )


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close the systems."""
    session = config.stash.get(_SESSION, None)
    if session is not None:
        del config.stash[_SESSION]
        session.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[Any]:
    """Mask the report of a question: the failure, and what the system printed."""
    report = yield
    if isinstance(item, BenchmarkItem):
        with _session(item.config).masked() as is_masked:
            if is_masked:
                _mask_report(report)
    return report


def _mask_report(report: Any) -> None:
    from assay.mask import mask_text  # noqa: PLC0415 - as in collect

    report.sections = [(mask_text(name), mask_text(text)) for name, text in report.sections]
    if isinstance(report.longrepr, tuple):  # a skipped test: file, line and reason
        report.longrepr = (*report.longrepr[:2], mask_text(report.longrepr[2]))
    elif report.longrepr is not None:
        report.longrepr = mask_text(str(report.longrepr))


class BenchmarkFile(pytest.File):
    """One benchmark file. If it has problems, collecting it fails and lists them all."""

    def collect(self) -> Iterator["BenchmarkItem"]:
        """Yield a test for each question."""
        # imported here so that pytest starts quickly in projects without benchmark files
        from assay.config.workspace import Workspace  # noqa: PLC0415
        from assay.errors import AssayError  # noqa: PLC0415
        from assay.jobs.legal.benchmark import read_benchmark_data  # noqa: PLC0415
        from assay.mask import mask_identifier, mask_text  # noqa: PLC0415

        try:
            session = _session(self.config)
        except AssayError as error:
            raise self.CollectError(str(error)) from None
        with session.masked():
            try:
                data = read_benchmark_data(self.path, Workspace.find().root)
                loop = session.question_loop(data)
            except AssayError as error:
                raise self.CollectError(mask_text(str(error))) from None
            notes = [mask_text(str(note)) for note in data.notes]
            names = [mask_identifier(question.id) for question in data.questions]
        self.config.stash[_NOTES].update(dict.fromkeys(notes))
        for name, question in zip(names, data.questions, strict=True):
            yield BenchmarkItem.from_parent(self, name=name, asked=question, loop=loop)


class BenchmarkItem(pytest.Item):
    """One question: it is asked, its answer is scored and compared with the threshold."""

    def __init__(self, *, asked: "BenchItem", loop: "QuestionLoop", **rest: Any) -> None:
        super().__init__(**rest)
        self._asked = asked
        self._loop = loop
        self.add_marker(asked.question.type)

    def runtest(self) -> None:
        """Ask the question; fail if the score is below the threshold."""
        from assay.records import Skipped  # noqa: PLC0415 - as in collect

        session = _session(self.config)
        with session.masked():
            result = session.run(self._loop.outcome(self._asked))
        if isinstance(result.outcome, Skipped):
            pytest.skip(result.outcome.reason)
        self.user_properties.append(("score", result.score))
        if not result.passed:
            raise ScoreTooLow(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The expected and the actual answer, missing evidence and invented details."""
        from assay.errors import AssayError  # noqa: PLC0415 - as in collect

        if isinstance(excinfo.value, ScoreTooLow):
            return "\n".join(excinfo.value.result.lines())
        if isinstance(excinfo.value, AssayError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file and the id of the question."""
        return self.path, None, self.name


class ScoreTooLow(Exception):
    """The score of an answer is below the threshold."""

    def __init__(self, result: "QuestionResult") -> None:
        super().__init__(result.lines()[0])
        self.result = result


class _Session:
    """The systems of one pytest run and the event loop in which they run."""

    def __init__(self, config: pytest.Config) -> None:
        from assay.config.workspace import Workspace  # noqa: PLC0415
        from assay.jobs.legal.questioner import Questioner  # noqa: PLC0415
        from assay.runs.redaction import open_redaction  # noqa: PLC0415

        workspace = Workspace.find(start=config.rootpath)
        self._redaction = open_redaction(workspace, config.getoption(_REDACT))
        self._loop = asyncio.new_event_loop()
        with self.masked():
            self._questioner = Questioner(_spec(config), config.rootpath)

    @contextmanager
    def masked(self) -> Iterator[bool]:
        """Mask inside the ``with`` block, if there is redaction; says whether there is."""
        from assay.runs.redaction import applied  # noqa: PLC0415

        with applied(self._redaction):
            yield self._redaction is not None

    def question_loop(self, data: Any) -> "QuestionLoop":
        return self._questioner.asking(data)

    def run(self, coroutine: Any) -> Any:
        return self._loop.run_until_complete(coroutine)

    def close(self) -> None:
        try:
            self._loop.run_until_complete(self._questioner.close())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()
            if self._redaction is not None:
                self._redaction.close()


def _session(config: pytest.Config) -> _Session:
    if _SESSION not in config.stash:
        config.stash[_SESSION] = _Session(config)
    return config.stash[_SESSION]


def _spec(config: pytest.Config) -> str:
    return config.stash[_SPEC]


def _find_spec(config: pytest.Config) -> str:
    """The system of the option, the environment, or the configuration; empty if none is named."""
    return (
        config.getoption(_OPTION)
        or os.environ.get(_VARIABLE)
        or config.getini(_INI)
        or config.getini(_OLD_INI)
        or _project_spec(config.rootpath / "pyproject.toml")
    )


def _project_spec(path: Path) -> str:
    """The key ``system`` of the table ``tool.assay``; empty if the file has none."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    table = content.get("tool", {}).get("assay", {})
    system = table.get("system", "") if isinstance(table, dict) else ""
    return system if isinstance(system, str) else ""
