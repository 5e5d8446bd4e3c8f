"""The structs of configuring an experiment.

    GET  /api/v1/configure               ConfigureStart
    POST /api/v1/configure/check         CheckRequest      Checked
    POST /api/v1/configure/try           TryRequest        Tried
    POST /api/v1/configure/save          SaveRequest       ConfigureStart

The text of ``experiments.yaml`` is what counts; a form is a view of one of its experiments. A check
takes the text as it is, or writes a form or a new system into it first, and says everything about
the result: the form, problems at their fields, the questions, the settings of the system, and what
the run would take. Nothing is written to disk except by ``save``.
"""

from typing import Any, Literal

from msgspec import Struct

from assay.words.message import Title

Design = Literal["single", "leave_one_out", "add_one", "factorial"]


class ConfigureStart(Struct, frozen=True, kw_only=True):
    """The file as it is on disk; ``version`` is a hash of it, empty if there is no file."""

    path: str
    text: str
    version: str
    experiments: tuple[str, ...]


class DraftVariable(Struct, frozen=True, kw_only=True):
    """A setting that changes and its values; for a design its values are off and on."""

    name: str
    values: tuple[Any, ...] = ()


class Draft(Struct, frozen=True, kw_only=True):
    """One experiment as a form; empty texts and ``None`` stand for what the file leaves out.

    ``has_variants`` if the file lists variants with names: the form leaves them as they are.
    """

    name: str = ""
    description: str = ""
    system: str = ""
    questions_path: str = ""
    baseline: str = "normal"
    design: Design = "single"
    variables: tuple[DraftVariable, ...] = ()
    primary: str = ""
    question_limit: int | None = None
    top_k: int | None = None
    has_variants: bool = False


class NewSystem(Struct, frozen=True, kw_only=True):
    """A system of the page: an address that answers with JSON, or an OpenAI-type model."""

    name: str
    kind: Literal["http", "openai"]
    url: str
    model: str = ""
    api_key_env: str = ""
    answer: str = "answer"


class CheckRequest(Struct, frozen=True, kw_only=True):
    """A text to check; ``draft`` is written into the experiment first, ``system`` is added."""

    text: str
    experiment: str = ""
    draft: Draft | None = None
    system: NewSystem | None = None


class ConfigureProblem(Struct, frozen=True, kw_only=True):
    """A message of the command line, the field it belongs to, and its line (0 if it has none)."""

    field: str
    message: str
    line: int = 0


class SettingView(Struct, frozen=True, kw_only=True):
    """A setting of the system; ``only_when`` says in words when it has an effect."""

    name: str
    kind: str
    choices: tuple[Any, ...]
    default: Any
    only_when: str
    description: str


class QuestionSet(Struct, frozen=True, kw_only=True):
    """A file of questions: how many, in which languages, and the first of them."""

    path: str
    count: int
    languages: tuple[tuple[str, int], ...]
    preview: tuple[tuple[str, str], ...]


class MetricChoice(Struct, frozen=True, kw_only=True):
    """A metric that can decide."""

    name: str
    title: Title


class DryRun(Struct, frozen=True, kw_only=True):
    """What ``--dry-run`` says; ``None`` is unknown.

    ``is_time_of_earlier_runs`` if the time comes from other runs with the same settings.
    """

    cases: int
    recorded: int
    calls: int | None
    calls_without_sharing: int | None
    prompt_tokens: float | None
    completion_tokens: float | None
    cost: float | None
    seconds: float | None
    variants: tuple[str, ...]
    lines: tuple[str, ...]
    is_time_of_earlier_runs: bool = False


class Checked(Struct, frozen=True, kw_only=True):
    """Everything about a text and one of its experiments."""

    text: str
    experiment: str
    experiments: tuple[str, ...]
    draft: Draft | None
    problems: tuple[ConfigureProblem, ...]
    systems: tuple[str, ...]
    baselines: tuple[str, ...]
    settings: tuple[SettingView, ...] | None
    metrics: tuple[MetricChoice, ...]
    question_files: tuple[str, ...]
    questions: QuestionSet | None
    dry_run: DryRun | None
    command: str


class TryRequest(Struct, frozen=True, kw_only=True):
    """A test question for a system of the text."""

    text: str
    system: str
    question: str


class Tried(Struct, frozen=True, kw_only=True):
    """The answer to a test question, or the message of the command line."""

    answer: str | None
    problem: str | None
    elapsed_s: float | None = None


class SaveRequest(Struct, frozen=True, kw_only=True):
    """A text to write; ``version`` is that of the file that was opened."""

    text: str
    version: str
