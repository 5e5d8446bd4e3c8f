"""The forms of the five jobs: which options of a command the page can set, and to what.

A form has no option that names a program, a Python object or an address. Results go to
``experiments`` or ``eval/runs``, where the page finds them. A system is one that is configured in the
workspace, or that comes with assay or an installed package.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.workspace import Workspace
from assay.errors import AssayError
from assay.records import Metric
from assay.report.label import title_of
from assay.results.job import job_spec
from assay.runs.resume import RESUME
from assay.runs.write import COMPANIONS
from assay.systems.load import SYSTEMS
from assay.web.live_api import FieldKind, StartField, StartForm, StartJob

Group = Literal["data", "system", "method", "limit"]
FieldValue = str | int | float | bool
MOST_FILES: Final = 300
"""How many files of the workspace a field offers."""
_DEEPEST: Final = 4
_WORDS_WITH_REST: Final = frozenset(
    {"python", "command", "replay", "openai", "http", "https", "reader"}
)
"""Words before a colon that name something of the user's: never a choice by themselves."""
_PASSED_OVER: Final = frozenset({"node_modules", "__pycache__"})


class Option(Struct, frozen=True):
    """One option of a command; ``source`` says where its choices come from.

    For metrics, ``job`` is the one that has them.
    """

    name: str
    flag: str
    kind: FieldKind
    group: Group
    choices: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    is_required: bool = False
    source: Literal["", "experiments", "systems", "metrics"] = ""
    job: str = ""


def _count(name: str, group: Group = "limit") -> Option:
    return Option(name, _flag(name), "count", group)


def _file(name: str, *suffixes: str) -> Option:
    return Option(name, _flag(name), "file", "data", suffixes=suffixes)


def _switch(name: str, group: Group) -> Option:
    return Option(name, _flag(name), "switch", group)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


_SYSTEM: Final = Option("system", "--system", "choice", "system", source="systems")


def _primary(job: str) -> Option:
    return Option("primary", "--primary", "choice", "method", source="metrics", job=job)


_OUT_FOLDER: Final = Option("out", "--out", "folder", "limit")


def _out_file(suffix: str) -> Option:
    return Option("out", "--out", "place", "limit", suffixes=(suffix,))


_SETTINGS: Final = Option("set", "--set", "settings", "system")
_LIMITS: Final = (
    Option("max_cost", "--max-cost", "number", "limit"),
    Option("max_minutes", "--max-minutes", "number", "limit"),
    _count("concurrency"),
    Option("timeout", "--timeout", "number", "limit"),
    _count("retries"),
    Option("resume", "--resume", "choice", "limit", choices=RESUME),
)
_TABLES: Final = (".yaml", ".yml", ".json")
_ROWS: Final = (".jsonl", ".json")
FORMS: Final[Mapping[str, tuple[Option, ...]]] = {
    "ablation": (
        Option(
            "experiment",
            "--experiment",
            "choice",
            "data",
            source="experiments",
            is_required=True,
        ),
        _count("limit", "data"),
        _count("top_k", "method"),
        _count("runs", "method"),
        _primary("ablation"),
        _switch("stop_early", "method"),
        _OUT_FOLDER,
        *_LIMITS,
    ),
    "depth": (
        _switch("sample", "data"),
        Option("lang", "--lang", "choice", "data", choices=("en", "zh", "ru")),
        _file("novel", ".txt"),
        _file("questions", *_ROWS),
        _count("limit", "data"),
        _SYSTEM,
        Option(
            "depth_mode", "--depth-mode", "choice", "method", choices=("legacy", "uniform", "fixed")
        ),
        Option("depth", "--depth", "number", "method"),
        Option("context_lengths", "--context-lengths", "text", "method"),
        _count("per_cell", "method"),
        _count("runs", "method"),
        _switch("closed_book", "method"),
        _out_file(".jsonl"),
        *_LIMITS,
    ),
    "quality": (
        _file("pdf", ".pdf"),
        _file("questions", *_ROWS),
        _file("config", *_TABLES),
        _count("limit", "data"),
        _SYSTEM,
        _SETTINGS,
        _count("top_k", "method"),
        _count("runs", "method"),
        _switch("exact_form", "method"),
        _out_file(".json"),
        *_LIMITS,
    ),
    "review": (
        _switch("sample", "data"),
        _file("data", *_ROWS),
        _file("config", *_TABLES),
        _count("limit", "data"),
        _SYSTEM,
        _file("rules", *_TABLES),
        _file("laws", ".sqlite", ".db", ".csv", *_ROWS),
        _file("costs", *_TABLES),
        Option("threshold", "--threshold", "number", "method"),
        _count("runs", "method"),
        _primary("review"),
        _OUT_FOLDER,
        *_LIMITS,
    ),
    "bench": (
        _switch("sample", "data"),
        Option("path", "", "file", "data", suffixes=_ROWS),
        Option(
            "type",
            "--type",
            "choice",
            "data",
            choices=("fact_exact", "evidence_set", "conflict_gap"),
        ),
        _count("limit", "data"),
        _SYSTEM,
        _SETTINGS,
        _count("top_k", "method"),
        _count("runs", "method"),
        Option("name", "--name", "text", "limit"),
        _OUT_FOLDER,
        *_LIMITS,
    ),
}
"""The options of each job that the page can set, in the order of its form."""
_OLD_FIELDS: Final = {
    "out_dir": "out", "output": "out", "max_questions": "limit", "data_set": "questions",
}  # fmt: skip


def current_fields(options: Mapping[str, FieldValue]) -> dict[str, FieldValue]:
    """The values by the names of today: a run that the page of assay 0.1 started can go on."""
    named = {_OLD_FIELDS.get(name, name): value for name, value in options.items()}
    if named.pop("fresh", False):
        named["resume"] = "fresh"
    return named


COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "ablation": ("ablate",),
    "depth": ("depth",),
    "quality": ("quality",),
    "review": ("review",),
    "bench": ("bench", "run"),
}


class Choices:
    """What can be chosen in a workspace now."""

    def __init__(self, root: Path) -> None:
        self.problem: str | None = None
        workspace = Workspace(root=root)
        document: ConfigDocument[ExperimentFile] | None = None
        if workspace.experiments_file.is_file():
            try:
                document = workspace.load_experiments()
            except AssayError as error:
                self.problem = str(error)
        file = document.value if document else ExperimentFile()
        self.experiments = tuple(experiment.name for experiment in file.experiments)
        own = [name for name in SYSTEMS.names() if name not in _WORDS_WITH_REST]
        self.systems = tuple(dict.fromkeys([*file.systems, *own]))
        self._files = tuple(_files(root, root, 0))

    def of(self, option: Option) -> tuple[str, ...]:
        """The choices of an option; for a file, those in the workspace that have its endings."""
        if option.source == "metrics":
            return tuple(metric.name for metric in _metrics(option))
        if option.source:
            named: tuple[str, ...] = getattr(self, option.source)
            return named
        if option.kind == "file":
            fitting = (name for name in self._files if name.lower().endswith(option.suffixes))
            return tuple(fitting)[:MOST_FILES]
        return option.choices


def _metrics(option: Option) -> list[Metric]:
    """The metrics that an option can name; none for other options."""
    if option.source != "metrics":
        return []
    return [metric for metric in job_spec(option.job).metrics if metric.better is not None]


def _files(folder: Path, root: Path, depth: int) -> Iterator[str]:
    """The files below a folder by their paths from the workspace; links are not followed."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir():
            if depth < _DEEPEST and entry.name not in _PASSED_OVER:
                yield from _files(entry, root, depth + 1)
        elif entry.is_file() and not _is_result(entry):
            yield entry.relative_to(root).as_posix()


def _is_result(path: Path) -> bool:
    """Whether a file belongs to a run, so that nobody takes it for data."""
    return (
        path.parent.name == "experiments" and path.suffix in {".json", ".jsonl"}
    ) or path.name.endswith((*COMPANIONS, ".rows.jsonl", ".old"))


def start_form(root: Path) -> StartForm:
    """The forms of all jobs for a workspace."""
    choices = Choices(root)
    jobs = [
        StartJob(
            job=job,
            fields=tuple(
                StartField(
                    name=option.name,
                    kind=option.kind,
                    group=option.group,
                    choices=choices.of(option),
                    titles=tuple(map(title_of, _metrics(option))),
                    is_required=option.is_required,
                )
                for option in options
            ),
        )
        for job, options in FORMS.items()
    ]
    return StartForm(jobs=tuple(jobs), problem=choices.problem)
