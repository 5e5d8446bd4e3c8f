"""Running the legal benchmark from Python: facts, sets of evidence, and gaps.

::

    from assay.bench import BenchmarkRunner

    runner = BenchmarkRunner("path/to/benchmark")
    summary = runner.run_benchmark(rag_system, question_type="fact_exact")
    print(summary["overall_percentage"])

``python -m assay.bench PATH --type fact_exact`` is the command ``assay bench``.
"""

import inspect
import json
import runpy
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from assay.config.experiment import RunSettings
from assay.config.workspace import Workspace
from assay.errors import SystemLoadError, UseError
from assay.jobs.legal.benchmark import BenchmarkData, check_type, read_benchmark_data
from assay.jobs.legal.document_system import load_bench_system
from assay.jobs.legal.preparation import prepare_with_system, run_name, summarise_results
from assay.jobs.legal.reply import with_answer
from assay.jobs.legal.summary import bench_summary, origin_summary, result_row
from assay.jobs.prepared import run_prepared
from assay.mask import mask_json, private_opener
from assay.runs.executor import outside_loop
from assay.runs.redaction import applied, open_redaction
from assay.runs.summary import now
from assay.systems.load import make_system_context
from assay.systems.protocol import System
from assay.systems.python.system import PythonSystem

__all__ = ["BenchmarkRunner"]


class BenchmarkRunner:
    """Asks a system the questions of a benchmark and scores the answers.

    ``path`` is a benchmark file or a folder of them; a ``DatasetError`` lists every problem in
    it. With ``out`` the answers are recorded in that folder, and questions with a recorded
    answer are not asked again; without it nothing is kept. ``concurrency`` is the number of
    questions asked at once. The default is 1, which is safe for every system. ``redact`` is
    ``off``, ``outputs`` or ``calls``, by default what the configuration of the workspace says: then
    personal data is masked in what is written, in the summaries too. ``document`` is the document of all
    questions, wherever the files say that it is.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        out: str | Path | None = None,
        concurrency: int = 1,
        timeout_s: float = 300.0,
        allow_outside_root: bool = False,
        redact: str | None = None,
        document: str | Path | None = None,
        out_dir: str | Path | None = None,
    ) -> None:
        self._path = Path(path)
        self._redaction = open_redaction(Workspace.find(), redact)
        if out_dir is not None:
            if out is not None and Path(out) != Path(out_dir):
                raise UseError(f"out={out} and out_dir={out_dir} contradict each other")
            warnings.warn(
                "BenchmarkRunner(out_dir=…) is BenchmarkRunner(out=…) now; the old name goes with "
                "assay 0.3",
                DeprecationWarning,
                stacklevel=2,
            )
            out = out_dir
        self._out = None if out is None else Path(out)
        self._settings = RunSettings(concurrency=concurrency, timeout_s=timeout_s)
        with applied(self._redaction):
            self._data = read_benchmark_data(
                self._path,
                None if allow_outside_root else Workspace.find().root,
                None if document is None else Path(document),
            )
        self._results: dict[str, dict[str, Any]] = {}
        self._summary: dict[str, Any] | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was ignored in the files, and what cannot be checked."""
        return tuple(map(str, self._data.notes))

    def load_questions(self, question_type: str | None = None) -> list[dict[str, Any]]:
        """The questions of one type, or all, as they are written in the files, with their type."""
        return [dict(item.gold) for item in self._data.of_type(question_type).questions]

    def run_test(self, question: Any, rag_system: Any) -> dict[str, Any]:
        """Ask one question and score the answer; the result is that of the summary.

        ``question`` is one of ``load_questions``, or an id. The two arguments may be given in
        either order. The answer is not recorded in ``out``. Raises ``RunStopped`` if the run stops early.
        """
        if _is_question(rag_system) and not _is_question(question):
            question, rag_system = rag_system, question
        question_id = question["id"] if isinstance(question, Mapping) else question
        data = self._data.of_question(question_id)
        summary = outside_loop(lambda: self._run(rag_system, data, None))
        result: dict[str, Any] = summary["questions"][0]
        self._results[question_id] = result
        return result

    def generate_summary(
        self, results: Iterable[Mapping[str, Any]] | None = None
    ) -> dict[str, Any]:
        """The summary of results of ``run_test``, or of all questions asked so far."""
        rows = list(map(result_row, self._results.values() if results is None else results))
        self._summary = {
            "benchmark": self._path.as_posix(),
            **bench_summary(rows),
            **origin_summary(rows, total=len(rows), timestamp=now()),
            "notes": list(self.notes),
        }
        return self._summary

    def save_results(self, output: Any = None, summary: Any = None) -> Path:
        """Write the last summary, or the given one, as JSON and return the path of the file.

        ``output`` is a file or an existing folder; without it the file is
        ``benchmark_results.json`` in ``out`` or in the current folder. The two arguments may
        be given in either order.
        """
        if isinstance(output, Mapping) or (
            summary is not None and not isinstance(summary, Mapping)
        ):
            output, summary = summary, output
        content = summary or self._summary or self.generate_summary()
        path = Path(output) if output is not None else (self._out or Path())
        if path.is_dir():
            path /= "benchmark_results.json"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(content, ensure_ascii=False, indent=2)
            with applied(self._redaction):
                text = mask_json(text.encode()).decode()
                with open(path, "w", encoding="utf-8", opener=private_opener) as file:
                    file.write(f"{text}\n")
        except OSError as error:
            raise UseError(f"{path}: cannot be written: {error.strerror}") from None
        return path

    def run_benchmark(self, rag_system: Any, question_type: str | None = None) -> dict[str, Any]:
        """Ask and score every question, or those of one type; return the summary.

        ``rag_system`` is an object with a method ``query(question)``, a function of the
        question, a system of ``assay.systems``, or the name of a system as on the command line.
        The method or function may be async. It returns a string, an ``Answer``, or a mapping with
        ``answer`` and optionally ``citations``, a list of ``{"page", "text"}``, or the fields of
        a structured answer: ``amount``, ``date``, ``boolean``, ``text``, ``citation``,
        ``evidence`` and ``abstained``. This method may be called inside a running event loop.
        Raises ``RunStopped`` if the run stops early.
        """
        if question_type is not None:
            check_type(question_type)
        data = self._data.of_type(question_type)
        summary = outside_loop(lambda: self._run(rag_system, data, self._out))
        self._results.update({result["id"]: result for result in summary["questions"]})
        self._summary = summary
        return summary

    def _run(self, rag_system: Any, data: BenchmarkData, out: Path | None) -> dict[str, Any]:
        with (
            applied(self._redaction),
            tempfile.TemporaryDirectory(prefix="assay-bench-") as scratch,
        ):
            workspace = Workspace(root=Path(scratch))
            context = make_system_context(workspace, None, use_cache=False)
            is_borrowed = False
            if isinstance(rag_system, str):
                system = load_bench_system(rag_system, data.documents, context, workspace)
            elif _is_system(rag_system):
                system, is_borrowed = rag_system, True
            else:
                system = adapt_system(rag_system)
            folder = out or workspace.root
            folder.mkdir(parents=True, exist_ok=True)
            name = run_name(self._path, data.question_type)
            bench = prepare_with_system(
                name, data, system, folder / f"{name}.jsonl", borrowed=is_borrowed
            )
            result = run_prepared(bench.run, settings=self._settings)
            if result.stopped is not None:
                raise result.stopped
            return summarise_results(bench, result)


def adapt_system(rag_system: Any) -> PythonSystem:
    """Wrap an object with a ``query`` method, or a function, as a system.

    If it has a ``prepare()``, that is called before the first question, and its ``reset()`` before
    each question. The object is never closed.
    """
    query = getattr(rag_system, "query", None)
    call = query if callable(query) else rag_system
    if inspect.isclass(rag_system) and inspect.isfunction(
        inspect.getattr_static(rag_system, "query", None)
    ):
        name = rag_system.__name__
        raise SystemLoadError(f"{name} is a class: pass an instance of it, for example {name}()")
    if not callable(call) or inspect.isclass(call):
        raise SystemLoadError(
            f"{rag_system!r} is neither a function nor an object with a 'query' method"
        )
    identity = PythonSystem(rag_system).identity  # includes its VERSION, if it has one
    reset = getattr(rag_system, "reset", None)
    return PythonSystem(
        _with_answers(call),
        identity=identity,
        reset=reset if callable(reset) else None,
        prepare=getattr(rag_system, "prepare", None),
    )


def _with_answers(call: Callable[..., Any]) -> Callable[[str], Any]:
    """Call the system with the question alone; its reply may have structured fields only."""

    async def parse_awaited(reply: Any) -> Any:
        return with_answer(await reply)

    if inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
        getattr(call, "__call__", None)  # noqa: B004 - to see whether it is a coroutine function
    ):

        async def ask_async(question: str) -> Any:
            return await parse_awaited(call(question))

        return ask_async

    def ask(question: str) -> Any:
        reply = call(question)
        return parse_awaited(reply) if inspect.isawaitable(reply) else with_answer(reply)

    return ask


def _is_question(candidate: Any) -> bool:
    """Whether an argument is a question of the benchmark and not a system."""
    return isinstance(candidate, Mapping) and "id" in candidate


def _is_system(candidate: Any) -> bool:
    """Whether ``candidate`` has all methods of the ``System`` protocol."""
    names = [name for name in vars(System) if not name.startswith("_")]
    return all(hasattr(candidate, name) for name in names)


if __name__ == "__main__":
    # the command line is a layer of its own, which this module does not import
    sys.argv[1:1] = ["bench"]
    runpy.run_module("assay", run_name="__main__")
