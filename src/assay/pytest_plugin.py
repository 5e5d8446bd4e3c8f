"""A pytest plugin: the questions of legal benchmark files as tests.

``pytest --assay-system=python:my_rag:ask benchmark/`` collects every JSON file that says
``benchmark_type``, with one test a question. The system may also be named in the
configuration, as ``assay_bench_system``; without one nothing is collected. A test fails where
the answer's score is under the ``min_score`` of the file's ``evaluation_criteria``; a file
that sets none asks for the full score.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from assay.jobs.legal import (
        AskedQuestion,
        QuestionLoop,
        QuestionResult,
    )

_OPTION: Final = "--assay-system"
_INI: Final = "assay_bench_system"
_MARK: Final = b'"benchmark_type"'
_HEAD: Final = 4096
_LEFT_OUT: Final = pytest.StashKey[list[Path]]()
_ASKING: Final = pytest.StashKey["_Session"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting that name the system."""
    text = "The system that legal benchmark files are put to: a configured name, or kind:rest."
    parser.getgroup("assay").addoption(_OPTION, metavar="SYSTEM", help=text)
    parser.addini(_INI, text, default="")


def pytest_configure(config: pytest.Config) -> None:
    """Make room for what the session holds; each type of question is a mark to choose by."""
    config.stash[_LEFT_OUT] = []
    for name in ("fact_exact", "evidence_set", "conflict_gap"):
        config.addinivalue_line("markers", f"{name}: questions of this type in a benchmark")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "BenchmarkFile | None":
    """Take a JSON file that says ``benchmark_type``, if a system is named."""
    if file_path.suffix != ".json":
        return None
    if _spec(parent.config):
        if not _is_benchmark(file_path.read_bytes()):
            return None
        return BenchmarkFile.from_parent(parent, path=file_path)
    with file_path.open("rb") as file:  # only to say that it could have been asked
        if _MARK in (head := file.read(_HEAD)) and _is_benchmark(head + file.read()):
            parent.config.stash[_LEFT_OUT].append(file_path)
    return None


def _is_benchmark(content: bytes) -> bool:
    """Whether a file says its ``benchmark_type`` itself, as its schema does not.

    One that is broken is taken for a benchmark, so that collecting it says what is wrong.
    """
    if _MARK not in content:
        return False
    try:
        value = json.loads(content.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return True
    return isinstance(value, dict) and "benchmark_type" in value


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Where nothing ran though there were benchmark files, say what is missing."""
    files = config.stash[_LEFT_OUT]
    if files and not getattr(terminalreporter, "_numcollected", 0):
        terminalreporter.write_line(
            f"assay: {len(files)} benchmark files were left out; name the system to ask with "
            f"{_OPTION}=SYSTEM, or {_INI} in the configuration"
        )


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let the system go."""
    session = config.stash.get(_ASKING, None)
    if session is not None:
        del config.stash[_ASKING]
        session.close()


class BenchmarkFile(pytest.File):
    """One benchmark file. A file with problems is an error of collection that names them all."""

    def collect(self) -> Iterator["BenchmarkItem"]:
        """A test for each question."""
        # imported here so that pytest starts quickly in projects that ask nothing
        from assay.errors import AssayError  # noqa: PLC0415
        from assay.jobs.legal import read_benchmark_data  # noqa: PLC0415

        try:
            material = read_benchmark_data(self.path)
            asking = _session(self.config).asking(material)
        except AssayError as error:
            raise self.CollectError(str(error)) from None
        for asked in material.questions:
            yield BenchmarkItem.from_parent(self, name=asked.id, asked=asked, asking=asking)


class BenchmarkItem(pytest.Item):
    """One question: asked, judged, and held to the file's threshold."""

    def __init__(self, *, asked: "AskedQuestion", asking: "QuestionLoop", **rest: Any) -> None:
        super().__init__(**rest)
        self._asked = asked
        self._asking = asking
        self.add_marker(asked.question.type)

    def runtest(self) -> None:
        """Ask, judge, compare."""
        from assay.records import Skipped  # noqa: PLC0415 - as in collect

        found = _session(self.config).run(self._asking.outcome(self._asked))
        if isinstance(found.outcome, Skipped):
            pytest.skip(found.outcome.reason)
        self.user_properties.append(("score", found.score))
        if not found.passed:
            raise FellShort(found)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was expected, what was said, what is missing and what was invented."""
        from assay.errors import AssayError  # noqa: PLC0415 - as in collect

        if isinstance(excinfo.value, FellShort):
            return "\n".join(excinfo.value.found.lines())
        if isinstance(excinfo.value, AssayError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file and the question's id."""
        return self.path, None, self.name


class FellShort(Exception):
    """An answer's score is under the threshold."""

    def __init__(self, found: "QuestionResult") -> None:
        super().__init__(found.lines()[0])
        self.found = found


class _Session:
    """The systems asked in one run of pytest, and the event loop that they live in."""

    def __init__(self, config: pytest.Config) -> None:
        from assay.jobs.legal import Questioner  # noqa: PLC0415

        self._loop = asyncio.new_event_loop()
        self._questioner = Questioner(_spec(config), config.rootpath)

    def asking(self, material: Any) -> "QuestionLoop":
        return self._questioner.asking(material)

    def run(self, work: Any) -> Any:
        return self._loop.run_until_complete(work)

    def close(self) -> None:
        try:
            self._loop.run_until_complete(self._questioner.close())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()


def _session(config: pytest.Config) -> _Session:
    if _ASKING not in config.stash:
        config.stash[_ASKING] = _Session(config)
    return config.stash[_ASKING]


def _spec(config: pytest.Config) -> str:
    return config.getoption(_OPTION) or config.getini(_INI) or ""
