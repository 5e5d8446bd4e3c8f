"""Running the legal benchmark from Python: facts, sets of evidence, and gaps.

::

    from assay.bench import BenchmarkRunner

    runner = BenchmarkRunner("path/to/benchmark")
    summary = runner.run_benchmark(rag_system, question_type="fact_exact")
    print(summary["overall_percentage"])
"""

import asyncio
import inspect
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from assay.config import RunSettings, Workspace
from assay.errors import SystemLoadError
from assay.jobs.legal import (
    check_type,
    load_bench_system,
    prepare_with_system,
    read_benchmark_data,
    run_name,
    summarise_results,
    with_citations,
)
from assay.jobs.prepared import run_prepared
from assay.jobs.setup import make_system_context
from assay.systems import PythonSystem, System

__all__ = ["BenchmarkRunner"]

T = TypeVar("T")


class BenchmarkRunner:
    """Asks a system the questions of a benchmark and scores the answers.

    ``path`` is a benchmark file or a folder of them; a ``DatasetError`` lists every problem in
    it. With ``out_dir`` the answers are recorded in that folder, and questions with a recorded
    answer are not asked again; without it nothing is kept. ``concurrency`` is the number of
    questions asked at once. The default is 1, which is safe for every system.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        out_dir: str | Path | None = None,
        concurrency: int = 1,
        timeout_s: float = 300.0,
    ) -> None:
        self._path = Path(path)
        self._out_dir = None if out_dir is None else Path(out_dir)
        self._settings = RunSettings(concurrency=concurrency, timeout_s=timeout_s)
        self._data = read_benchmark_data(self._path)

    def run_benchmark(self, rag_system: Any, question_type: str | None = None) -> dict[str, Any]:
        """Ask and score every question, or those of one type; return the summary.

        ``rag_system`` is an object with a method ``query(question)``, a function of the
        question, a system of ``assay.systems``, or the name of a system as on the command line.
        The method or function may be async. It returns a string, or a mapping with ``answer``
        and ``citations``, a list of ``{"page", "text"}``. This method may be called inside a
        running event loop. Raises ``RunStopped`` if the run stops early.
        """
        if question_type is not None:
            check_type(question_type)
        return _outside_loop(lambda: self._run(rag_system, question_type))

    def _run(self, rag_system: Any, question_type: str | None) -> dict[str, Any]:
        data = self._data.of_type(question_type)
        with tempfile.TemporaryDirectory(prefix="assay-bench-") as scratch:
            workspace = Workspace(root=Path(scratch))
            context = make_system_context(workspace, None, use_cache=False)
            is_borrowed = False
            if isinstance(rag_system, str):
                system = load_bench_system(rag_system, data.documents, context, workspace)
            elif _is_system(rag_system):
                system, is_borrowed = rag_system, True
            else:
                system = adapt_system(rag_system)
            folder = self._out_dir or workspace.root
            folder.mkdir(parents=True, exist_ok=True)
            name = run_name(self._path, question_type)
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
        _with_parsed_citations(call),
        identity=identity,
        reset=reset if callable(reset) else None,
        prepare=getattr(rag_system, "prepare", None),
    )


def _with_parsed_citations(call: Callable[..., Any]) -> Callable[[str], Any]:
    async def parse_awaited(reply: Any) -> Any:
        return with_citations(await reply)

    if inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
        getattr(call, "__call__", None)  # noqa: B004 - to see whether it is a coroutine function
    ):

        async def ask_async(question: str) -> Any:
            return await parse_awaited(call(question))

        return ask_async

    def ask(question: str) -> Any:
        reply = call(question)
        return parse_awaited(reply) if inspect.isawaitable(reply) else with_citations(reply)

    return ask


def _is_system(candidate: Any) -> bool:
    """Whether ``candidate`` has all methods of the ``System`` protocol."""
    names = [name for name in vars(System) if not name.startswith("_")]
    return all(hasattr(candidate, name) for name in names)


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _outside_loop(function: Callable[[], T]) -> T:
    """Call ``function``, in a new thread if an event loop is running in this one."""
    if not _is_loop_running():
        return function()
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(function())
        except BaseException as error:  # noqa: BLE001 - it is raised in the calling thread
            errors.append(error)

    thread = threading.Thread(target=run, name="assay-bench", daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
