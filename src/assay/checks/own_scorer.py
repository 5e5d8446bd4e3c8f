"""Scorers that users write as plain functions, and what a run keeps of them.

A package registers a ``Scorer`` for every run. A function of a user's own file belongs to the runs for which
it is named: its declaration is in their summary, so that they can be read without the file.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar, overload

import msgspec
from msgspec import Struct, structs

from assay.checks.scorer import Graded, Scorer, Subject, Value
from assay.errors import UseError
from assay.records import Metric, RunHeader, digest
from assay.registry import load_object, nearest

FIELD: Final = "scorers"
"""Where the summary of a run has the declarations, in ``extra``."""
OFFERED: Final = ("answer", "question", "passages", "expected")
"""What a function may take, by the names of its parameters."""
OPTIONAL: Final = {
    "citation_precision": "assay.checks.citation_support:PRECISION",
    "citation_recall": "assay.checks.citation_support:RECALL",
}
"""Scorers of assay that score a run only if they are named; declared like those of users."""
_EXPECTED: Final = ("expected_answer", "expected", "correct_answer", "ground_truth")
"""The fields in which the rows of the jobs have what is expected."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_BOOLEAN: Final = (bool, "bool", bool | None, "bool | None")
_OPTIONS: Final = "__assay_scorer__"

Better = Literal["higher", "lower"] | None
Kind = Literal["rate", "mean", "p50", "p95"]
Function = TypeVar("Function", bound=Callable[..., Any])


class _Options(Struct, frozen=True, kw_only=True):
    title: str = ""
    better: Better = "higher"
    kind: Kind | None = None
    unit: str = ""


class Declaration(Struct, frozen=True, kw_only=True):
    """What the summary of a run says about a scorer of a user.

    ``version`` changes with its source; it is empty while the recorded answers are not all scored by
    the same one.
    """

    name: str
    title: str
    better: Better = "higher"
    kind: Kind = "mean"
    unit: str = ""
    version: str = ""

    @property
    def metric(self) -> Metric:
        """The metric that tables, comparisons and the page show."""
        if self.name in OPTIONAL:
            return optional_scorer(self.name)
        return Metric(
            name=self.name,
            field=f"scores.{self.name}",
            title=self.title,
            title_zh=self.title,
            title_ru=self.title,
            better=self.better,
            kind=self.kind,
            unit=self.unit,
            formula=f"what the function {self.name} returned",
        )


def optional_scorer(name: str) -> Scorer:
    """The scorer of assay with this name in ``OPTIONAL``."""
    scorer: Scorer = load_object(OPTIONAL[name])
    return scorer


class OwnScorer(Scorer, frozen=True, kw_only=True):
    """A scorer of a user; ``version`` is a digest of its source and of how it is declared."""

    version: str

    @property
    def declaration(self) -> Declaration:
        """What the summary of a run keeps of it."""
        return Declaration(
            name=self.name,
            title=self.title,
            better=self.better,
            kind=self.kind,
            unit=self.unit,
            version=self.version,
        )


@overload
def scorer(function: Function, /) -> Function: ...


@overload
def scorer(
    *, title: str = "", better: Better = "higher", kind: Kind | None = None, unit: str = ""
) -> Callable[[Function], Function]: ...


def scorer(
    function: Function | None = None,
    /,
    *,
    title: str = "",
    better: Better = "higher",
    kind: Kind | None = None,
    unit: str = "",
) -> Any:
    """Declare that a function scores an answer; the function itself stays as it is.

    It takes any of ``answer``, ``question``, ``expected`` (texts) and ``passages`` (with ``text``, ``id``,
    ``page``) by these names, and returns a number, a truth value, or ``None`` if the score is undefined. It
    is not called for an answer of which it needs something that is unknown. A number beyond 0 to 1 needs
    a ``unit``. ``kind`` is ``rate`` for a function that is annotated to return ``bool``, otherwise ``mean``.

    >>> @scorer(better="lower", unit="words")
    ... def length(answer):
    ...     return len(answer.split())
    >>> length("Thirty days.")
    2
    """
    options = _Options(title=title, better=better, kind=kind, unit=unit)
    try:
        msgspec.convert(structs.asdict(options), _Options)
    except msgspec.ValidationError as error:
        raise UseError(f"@assay.scorer: {error}") from None

    def declare(declared: Function) -> Function:
        setattr(declared, _OPTIONS, options)
        return declared

    return declare if function is None else declare(function)


def is_declared(value: object) -> bool:
    """Whether ``@assay.scorer`` stands above this function."""
    return isinstance(getattr(value, _OPTIONS, None), _Options) and callable(value)


def own_scorer(function: Callable[..., Any], version: str) -> OwnScorer:
    """The scorer that calls a function of the user; ``version`` is that of its source.

    Raises:
        UseError: It cannot be called with what is offered, or its name cannot be that of a score.
    """
    name = str(getattr(function, "__name__", type(function).__name__))
    options: _Options = getattr(function, _OPTIONS, _Options())
    if not _NAME.fullmatch(name):
        raise UseError(
            f"the scorer {name}: write a function whose name has small letters, digits and underscores"
        )
    if name in OPTIONAL:
        raise UseError(
            f"the scorer {name} has the name of one of assay; give the function another name"
        )
    if inspect.iscoroutinefunction(function):
        raise UseError(f"the scorer {name} is async; a scorer is an ordinary function")
    taken = _taken(name, function)
    returned = inspect.signature(function).return_annotation
    kind = options.kind or ("rate" if returned in _BOOLEAN else "mean")
    title = options.title or name.replace("_", " ").capitalize()
    return OwnScorer(
        name=name,
        function=_scoring(function, taken, options.better),
        title=title,
        title_zh=title,
        title_ru=title,
        better=options.better,
        kind=kind,
        unit=options.unit,
        formula=f"what the function {name} returns",
        undefined="the function returns None, or something that it needs is not known",
        version=digest([version, options.better, kind, options.unit]),
    )


def _taken(name: str, function: Callable[..., Any]) -> Mapping[str, bool]:
    """The offered arguments that a function takes, and whether it needs them."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise UseError(f"the scorer {name} does not say what it takes; write a function") from None
    taken = {}
    for parameter in parameters:
        is_needed = parameter.default is parameter.empty
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.name in OFFERED and parameter.kind is not parameter.POSITIONAL_ONLY:
            taken[parameter.name] = is_needed
        elif is_needed:
            raise UseError(
                f"the scorer {name}: nothing is given for its parameter {parameter.name!r}"
                f"{nearest(parameter.name, OFFERED)}"
            )
    if not taken:
        raise UseError(f"the scorer {name} takes none of {', '.join(OFFERED)}")
    return taken


def _scoring(
    function: Callable[..., Any], taken: Mapping[str, bool], better: Better
) -> Callable[[Subject], Value | Graded]:
    """The function with what it takes; of several accepted answers, the best score counts."""

    def score(subject: Subject) -> Any:
        known: dict[str, Any] = {"answer": subject.answer, "question": subject.question}
        if subject.row.get("passages") is not None:
            known["passages"] = list(subject.passages)
        given = {name: known[name] for name in taken if name in known}
        expected = _expected(subject.row) if "expected" in taken else ()
        if any(
            needed and name not in {*given, *(["expected"] if expected else [])}
            for name, needed in taken.items()
        ):
            return None
        if not expected:
            return function(**given)
        values = [function(**given, expected=each) for each in expected]
        if len(values) == 1:
            return values[0]
        defined = [value for value in values if value is not None]
        if better is None or not defined:
            return defined[0] if defined else None
        return max(defined) if better == "higher" else min(defined)

    return score


def _expected(row: Mapping[str, Any]) -> Sequence[str]:
    """The accepted answers in a row; the jobs have them in fields of their own."""
    found = next((row[name] for name in _EXPECTED if row.get(name)), ())
    return [found] if isinstance(found, str) else [each for each in found if isinstance(each, str)]


def declarations(extra: Mapping[str, Any]) -> dict[str, Declaration]:
    """The scorers of users that a summary names; what is not a declaration is passed over."""
    try:
        found = msgspec.convert(extra.get(FIELD) or [], list[Declaration])
    except msgspec.ValidationError:
        return {}
    return {each.name: each for each in found if _NAME.fullmatch(each.name)}


def with_declarations(
    extra: Mapping[str, Any],
    earlier: RunHeader | None,
    scorers: Sequence[OwnScorer],
    *,
    is_one: bool = True,
    is_done: bool = True,
) -> dict[str, Any]:
    """The facts of a header with its scorers: those that it is given, and those of an earlier one.

    Without ``is_one``, the recorded answers are not all scored by the ones that are given; unless the run
    ``is_done``, it has answers that the earlier ones do not score.
    """
    recorded = declarations(earlier.extra if earlier else {})
    if not is_done:
        recorded = {name: structs.replace(each, version="") for name, each in recorded.items()}
    kept = {**recorded, **declarations(extra)}
    for each in scorers:
        kept[each.name] = structs.replace(each.declaration, **({} if is_one else {"version": ""}))
    found = [structs.asdict(each) for each in kept.values()]
    return {**extra, FIELD: found} if found else dict(extra)
