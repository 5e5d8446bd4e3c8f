"""The legal benchmark from Python: facts, evidence sets, and gaps that must not be filled in.

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
    """Puts a benchmark's questions to a system and scores the answers.

    ``path`` is a benchmark file or a folder of them; ``DatasetError`` names every problem in
    it. With ``out_dir`` the answers are recorded there and not asked for again; without it
    nothing is kept. ``concurrency`` is how many questions are asked at once: a system that is
    not made for more than one need not fear any.
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
        self._material = read_benchmark_data(self._path)

    def run_benchmark(self, rag_system: Any, question_type: str | None = None) -> dict[str, Any]:
        """Ask and score every question, or those of one type; returns the summary.

        ``rag_system`` is an object with ``query(question)``, a function of the question, a
        system of ``assay.systems``, or the word that names one on the command line. Either of
        the first two may be async, and returns a string or a mapping with ``answer`` and
        ``citations``, a list of ``{"page", "text"}``. May be called inside a running event
        loop. ``RunStopped`` is raised where the run could not go on to its end.
        """
        if question_type is not None:
            check_type(question_type)
        return _outside_loop(lambda: self._run(rag_system, question_type))

    def _run(self, rag_system: Any, question_type: str | None) -> dict[str, Any]:
        material = self._material.of_type(question_type)
        with tempfile.TemporaryDirectory(prefix="assay-bench-") as scratch:
            workspace = Workspace(root=Path(scratch))
            context = make_system_context(workspace, None, use_cache=False)
            borrowed = False
            if isinstance(rag_system, str):
                system = load_bench_system(rag_system, material.documents, context, workspace)
            elif _is_system(rag_system):
                system, borrowed = rag_system, True
            else:
                system = adapted(rag_system)
            folder = self._out_dir or workspace.root
            folder.mkdir(parents=True, exist_ok=True)
            name = run_name(self._path, question_type)
            bench = prepare_with_system(
                name, material, system, folder / f"{name}.jsonl", borrowed=borrowed
            )
            result = run_prepared(bench.run, settings=self._settings)
            if result.stopped is not None:
                raise result.stopped
            return summarise_results(bench)


def adapted(rag_system: Any) -> PythonSystem:
    """A ``query`` method or a function as a system; the object itself stays its owner's.

    Its ``reset()``, where it has one, is called before each question.
    """
    query = getattr(rag_system, "query", None)
    call = query if callable(query) else rag_system
    if inspect.isclass(rag_system) and inspect.isfunction(
        inspect.getattr_static(rag_system, "query", None)
    ):
        name = rag_system.__name__
        raise SystemLoadError(f"{name} is a class: give an object of it, such as {name}()")
    if not callable(call) or inspect.isclass(call):
        raise SystemLoadError(
            f"{rag_system!r} is neither a function nor an object with a 'query' method"
        )
    identity = PythonSystem(rag_system).identity  # its VERSION, where it has one
    reset = getattr(rag_system, "reset", None)
    return PythonSystem(_citing(call), identity=identity, reset=reset if callable(reset) else None)


def _citing(call: Callable[..., Any]) -> Callable[[str], Any]:
    async def finished(reply: Any) -> Any:
        return with_citations(await reply)

    if inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
        getattr(call, "__call__", None)  # noqa: B004 - its coroutine-ness is asked for
    ):

        async def ask_async(question: str) -> Any:
            return await finished(call(question))

        return ask_async

    def ask(question: str) -> Any:
        reply = call(question)
        return finished(reply) if inspect.isawaitable(reply) else with_citations(reply)

    return ask


def _is_system(candidate: Any) -> bool:
    """Whether it speaks assay's own protocol."""
    names = [name for name in vars(System) if not name.startswith("_")]
    return all(hasattr(candidate, name) for name in names)


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _outside_loop(function: Callable[[], T]) -> T:
    """What ``function`` returns; in a thread of its own where a loop runs in this one."""
    if not _is_loop_running():
        return function()
    done: list[T] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            done.append(function())
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
            failed.append(error)

    thread = threading.Thread(target=work, name="assay-bench", daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
