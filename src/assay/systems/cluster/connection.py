"""The connection of the driver to a Ray cluster: made quietly, checked, and ended."""

import atexit
import logging
import math
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TextIO, cast

from msgspec import Struct

from assay.config.experiment import Defaults
from assay.config.system import ClusterOptions, ModelConfig, SystemConfig
from assay.errors import AssayError, SystemLoadError
from assay.mask import MaskedStream, read_environment, redactor, set_redactor
from assay.models.foreign_error import describe
from assay.redact.pseudonym import Forgotten
from assay.redact.redaction import Redaction
from assay.registry import load_object, optional_library
from assay.systems.cluster import probe
from assay.systems.load import SystemContext
from assay.systems.protocol import System
from assay.text.width import counted
from assay.words.say import say, say_n

_OBJECT_STORE_BYTES: Final = 100_000_000
"""The object store of a cluster on this machine: questions and answers are small."""
_PROBE_S: Final = 120.0
_NOT_UPLOADED: Final = (
    ".git", ".venv", "venv", "node_modules", ".env", ".assay", "**/__pycache__", "experiments/*.jsonl*",
)  # fmt: skip
"""What workers do not need; ``.env`` has keys, which stay with the driver."""


class Connection(Struct, frozen=True, kw_only=True):
    """An open connection. ``base`` is the folder that was uploaded; None: the folders are shared."""

    ray: Any
    workers: int
    where: str
    log_folder: str
    base: Path | None
    is_ours: bool

    def close(self) -> None:
        """Leave the cluster; one on this machine ends with this."""
        with suppress(Exception), _same_signals():
            self.ray.shutdown()

    def abandon(self) -> None:
        """Forget a cluster that does not answer: leaving it properly would wait for ever."""
        inside: Any = getattr(getattr(self.ray, "_private", None), "worker", None)
        if hasattr(inside, "shutdown"):
            atexit.unregister(inside.shutdown)


class Link:
    """The connection that the systems of a command share: made when the first one needs it.

    ``systems`` counts those that are in use; they share the workers. ``is_lost`` says that the
    cluster does not answer any more.
    """

    def __init__(self, options: ClusterOptions) -> None:
        self.options = options
        self.systems = 0
        self.is_lost = False
        self._connection: Connection | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()

    @property
    def workers(self) -> int | None:
        """How many workers each system has; None if that is not known yet."""
        all_workers = self.options.workers
        if self._connection is not None:
            all_workers = self._connection.workers
        elif all_workers is None and is_local(self.options):
            all_workers = max(1, int((os.cpu_count() or 1) / self.options.cpus))
        return None if all_workers is None else max(1, all_workers // max(self.systems, 1))

    def open(self, root: Path, folder: Path) -> Connection:
        """The connection; this blocks while it is made."""
        with self._lock:
            if self._connection is None:
                self._connection = self._connect(root, folder)
            return self._connection

    def _connect(self, root: Path, folder: Path) -> Connection:
        """Connect in a thread of its own, which lives until the end of the connection.

        On Linux the processes of a cluster on this machine end with the thread that started them.
        """
        made: Future[Connection] = Future()

        def run() -> None:
            try:
                made.set_result(connect(self.options, root, folder))
            except BaseException as error:  # noqa: BLE001 - it is raised in the thread that waits
                made.set_exception(error)
            else:
                self._ended.wait()

        self._ended.clear()
        threading.Thread(target=run, name="assay-ray", daemon=True).start()
        return made.result()

    def close(self) -> None:
        """End the connection. It is safe to call this twice."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is None:
            return
        if self.is_lost:
            connection.abandon()
        else:
            connection.close()
        self._ended.set()


def is_local(options: ClusterOptions) -> bool:
    """Whether the cluster is on this machine and lasts as long as the command."""
    return options.address is None and not os.environ.get("RAY_ADDRESS")


def connect(options: ClusterOptions, root: Path, folder: Path) -> Connection:
    """Connect to the cluster of the options, and check its machines; this blocks.

    Raises:
        UseError: Ray is not installed here.
        SystemLoadError: The cluster cannot be reached or is too small, or a machine has other
            versions.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # otherwise the driver keeps the history of up to 100,000 calls for Ray's dashboard, 2 KB each
    os.environ.setdefault("RAY_task_events_report_interval_ms", "0")
    ray = optional_library("ray", "ray", "--on ray")
    is_ours = is_local(options)
    try:
        _init(ray, options, is_ours=is_ours)
        facts = _machines(ray, probe.file_stamps([root, folder]))
        base = _base(root, folder) if _needs_upload(options, facts) else None
        if base is not None:
            ray.shutdown()
            excludes = list(_NOT_UPLOADED)
            uploaded = {"working_dir": str(base), "excludes": excludes}
            _init(ray, options, is_ours=is_ours, runtime_env=uploaded)
        return Connection(
            ray=ray,
            workers=_worker_count(ray, options),
            where=_where(options, facts, is_ours=is_ours),
            log_folder=_log_folder(ray),
            base=base,
            is_ours=is_ours,
        )
    except BaseException:
        with suppress(Exception):
            ray.shutdown()
        raise


def _init(
    ray: Any, options: ClusterOptions, *, is_ours: bool, runtime_env: dict[str, Any] | None = None
) -> None:
    words: dict[str, Any] = {
        "log_to_driver": False,
        "logging_level": logging.CRITICAL,
        "runtime_env": runtime_env,
    }
    if is_ours:
        processors = math.ceil((options.workers or os.cpu_count() or 1) * options.cpus)
        words |= {
            "address": "local",
            "num_cpus": max(processors, 1),
            "include_dashboard": False,
            "object_store_memory": _OBJECT_STORE_BYTES,
        }
        if options.gpus and options.workers:
            words["num_gpus"] = math.ceil(options.gpus * options.workers)
    else:
        words["address"] = options.address  # None: RAY_ADDRESS
    where = options.address or os.environ.get("RAY_ADDRESS") or "on this machine"
    _silence(ray)
    try:
        with _same_signals():
            ray.init(**words)
    except AssayError:
        raise
    except Exception as error:  # noqa: BLE001 - Ray raises many kinds
        text = describe(error)
        if "Version mismatch" in str(error):
            text = " ".join(str(error).split())
            raise SystemLoadError(
                f"the Ray cluster {where} has other versions than the driver: {text[:300]}; use "
                "the same Python and the same Ray on both"
            ) from None
        raise SystemLoadError(
            f"the Ray cluster {where} cannot be used: {text[:400]}; check it with `ray status`"
        ) from None


def _silence(ray: Any) -> None:
    """Keep Ray's messages about lost workers off the terminal; they are in its logs as well.

    Ray has no option for this. If a version of it prints in another way, the messages are shown.
    """
    inside: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(inside, "print_to_stdstream"):
        inside.print_to_stdstream = lambda *_, **__: None


@contextmanager
def _same_signals() -> Iterator[None]:
    """Keep our handlers of Ctrl+C and SIGTERM: Ray sets its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _machines(ray: Any, files: list[probe.FileStamp]) -> list[dict[str, object]]:
    """What each machine has. Raises ``SystemLoadError`` if one cannot work."""
    ray.cloudpickle.register_pickle_by_value(probe)  # the machine may have no assay
    nodes = [node for node in ray.nodes() if node["Alive"]]
    place = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
    look = ray.remote(probe.machine_facts)
    asked = [
        look.options(num_cpus=0, scheduling_strategy=place(node["NodeID"], soft=True)).remote(files)
        for node in nodes
    ]
    try:
        facts: list[dict[str, object]] = ray.get(asked, timeout=_PROBE_S)
    except Exception as error:  # noqa: BLE001 - Ray raises many kinds
        raise SystemLoadError(
            f"a machine of the Ray cluster does not answer: {describe(error)}; check it with "
            "`ray status`"
        ) from None
    finally:
        ray.cloudpickle.unregister_pickle_by_value(probe)
    driver = probe.machine_facts(())
    for each in facts:
        problem = probe.difference(driver, each)
        if problem:
            raise SystemLoadError(f"a machine of the cluster cannot work: {problem}")
    return facts


def _needs_upload(options: ClusterOptions, facts: list[dict[str, object]]) -> bool:
    if options.files == "auto":
        return not all(each["sees_files"] for each in facts)
    return options.files == "upload"


def _base(root: Path, folder: Path) -> Path:
    """The folder to upload: it has the workspace, and the folder that modules are imported from."""
    if root.is_relative_to(folder):
        return folder
    if folder.is_relative_to(root):
        return root
    raise SystemLoadError(
        f"the workers see no shared folder, and the workspace {root} is not in the current folder "
        f"{folder}: start the command in the workspace, or in a folder above it"
    )


def _worker_count(ray: Any, options: ClusterOptions) -> int:
    """The number of workers; ``SystemLoadError`` if the cluster has no room for them."""
    resources = ray.cluster_resources()
    room = [
        (int(resources.get(kind, 0.0) / each + 1e-9), kind, resources.get(kind, 0.0))
        for kind, each in (("CPU", options.cpus), ("GPU", options.gpus))
        if each
    ]
    fit, kind, has = min(room, default=(os.cpu_count() or 1, "CPU", 0.0))
    wanted = options.workers or fit
    if wanted > fit or not wanted:
        each = options.cpus if kind == "CPU" else options.gpus
        raise SystemLoadError(
            f"{counted(max(wanted, 1), 'worker')} of {each:g} {kind} do not fit into the cluster, "
            f"which has {has:g} {kind}: use --workers {max(fit, 1)} or a smaller "
            f"--worker-{kind.lower()}s"
        )
    return wanted


def _where(options: ClusterOptions, facts: list[dict[str, object]], *, is_ours: bool) -> str:
    if is_ours:
        return say("this machine")
    hosts = len({each["host"] for each in facts})
    address = options.address or os.environ.get("RAY_ADDRESS")
    return say_n("{address} ({n} machine)", "{address} ({n} machines)", hosts, address=address)


def _log_folder(ray: Any) -> str:
    """Where Ray writes its logs, on each machine."""
    node = getattr(getattr(ray, "_private", None), "worker", None)
    node = getattr(node, "_global_node", None)
    return node.get_logs_dir_path() if node is not None else "/tmp/ray/session_latest/logs"  # noqa: S108


# How a worker makes its copy of the system: from its specification, not from the object.


class Recipe(Struct, frozen=True, kw_only=True):
    """What makes the system: ``factory`` (``package.module:function``) with these arguments.

    The folders are those of the driver, and modules are found by its ``search_path``; ``base`` is
    the folder that was uploaded, and None if the worker sees the folders of the driver itself.
    """

    factory: str
    arguments: tuple[Any, ...]
    root: Path
    folder: Path
    search_path: tuple[str, ...]
    base: Path | None
    models: Mapping[str, ModelConfig]
    systems: Mapping[str, SystemConfig]
    defaults: Defaults
    redact: Any = None
    known_models: Mapping[str, tuple[ModelConfig, str]] = {}

    def place(self, folder: Path) -> Path:
        """Where a folder of the driver is on this machine."""
        if self.base is None:
            return folder
        uploaded = Path(os.environ.get("ASSAY_UPLOADED") or Path.cwd())
        os.environ["ASSAY_UPLOADED"] = str(uploaded)
        return uploaded / folder.relative_to(self.base)

    def make(self, context: SystemContext) -> System:
        """The system."""
        factory = load_object(self.factory)
        system: System = factory(*self.arguments, context)
        return system

    def enter(self) -> Path:
        """Make this process work in the folder of the driver; return the workspace."""
        root, folder = self.place(self.root), self.place(self.folder)
        os.chdir(folder)
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        if self.base is None:  # the driver may have a PYTHONPATH of its own
            sys.path += [each for each in self.search_path if each and each not in sys.path]
        read_environment()
        if self.redact is not None:
            # without the key: what is masked here is never turned back
            set_redactor(Redaction(self.redact, Forgotten()))
            null = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for the process
            sys.stdout = sys.stderr = null
        elif not isinstance(sys.stdout, MaskedStream):
            # Ray writes what is printed to its own log files
            sys.stdout, sys.stderr = (
                cast("TextIO", MaskedStream(stream)) for stream in (sys.stdout, sys.stderr)
            )
        return root


def make_recipe(context: SystemContext, factory: str, arguments: tuple[Any, ...]) -> Recipe:
    """The recipe for a system that the driver has made in this context."""
    active = redactor()
    return Recipe(
        factory=factory,
        arguments=arguments,
        root=context.root.resolve(),
        folder=Path.cwd(),
        search_path=tuple(sys.path),
        base=None,
        models=context.models,
        systems=context.systems,
        defaults=context.defaults,
        redact=None if active is None else active.mode,
        known_models={
            name: (client.config, client.identity) for name, client in context.clients.items()
        },
    )


# The places of a pool of workers, and the questions that their workers are asked.


class SentQuestion:
    """A question, and the places whose workers were lost while they answered it."""

    def __init__(self) -> None:
        self.losses = 0
        self.lost_at: set[Member] = set()


class Member:
    """One place in the pool, and the worker that fills it at the moment."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.actor: Any = None
        self.host = ""
        self.asked: set[SentQuestion] = set()
        self.deaths = 0
        self.is_aside = False

    @property
    def has_suspect(self) -> bool:
        """Whether it is asked a question that has cost a worker before."""
        return any(question.losses for question in self.asked)

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"worker {self.number}" + (f" on {self.host}" if self.host else "")
