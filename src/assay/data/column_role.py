"""Which column of a question set has which role, by its name (``question_column.toml``).

Most tools call the expected answer by a name of its own, such as ``ground_truth``, and then ``answer``
is what a system said. Only without such a name is ``answer`` the expected answer.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay.data.foreign_value import as_number
from assay.errors import UseError

_LIKE: Final = 0.8
"""How like a known name another one is that is taken for a misspelling of it."""
ROLES: Final = ("id", "question", "answer", "source", "gold", "context", "answerable")
RECORDED_ROLES: Final = ("response", "passages", "system")
"""Roles of columns with what a system said and retrieved, and which, besides those of a question."""
SHEET: Final = "sheet"
"""Not a column, but named with them: the sheet of a workbook."""
MEASURED_ROLES: Final = (
    "error", "status", "latency_s", "latency_ms", "cost", "rating",
)  # fmt: skip
"""Roles of columns of a log with what was measured beside an answer."""
_UNIQUE_ROLES: Final = ("response", "passages")
"""Those of them that no two columns of the same name can have."""
_SECRET_ROLES: Final = ("answer", "gold", "context", "answerable")
_KINDS: Final = {
    "answer": ("expected", "answer", "weak"),
    "answerable": ("answerable", "unanswerable"),
}
"""The lists of names of roles that have several, the best first."""
_NUMBER: Final = re.compile(r"[2-9]|[1-9]\d")
_ASSERTED: Final = re.compile(r"__expected(?:_?\d{1,2})?")


class ColumnRoles(Struct, frozen=True, kw_only=True):
    """The columns of a set. ``roles`` has that of each role.

    ``further`` are the columns with more accepted answers; ``asserted`` those with assertions of
    promptfoo. ``response`` is the column with the answer of a system, ``passages`` that with what it
    retrieved, ``system`` that with its name, ``latency`` that with the time it took; they are empty if there is
    none.
    """

    roles: Mapping[str, str]
    further: tuple[str, ...] = ()
    asserted: tuple[str, ...] = ()
    response: str = ""
    passages: str = ""
    system: str = ""
    latency: str = ""

    @property
    def recorded(self) -> frozenset[str]:
        """The columns with what a system said, and the names under which they are kept."""
        if not self.response:
            return frozenset()
        names = {self.response, self.passages, self.system, self.latency} - {""}
        return frozenset(names | {f"{name} (column)" for name in names})

    @property
    def said(self) -> str:
        """The column with answers of a system, if the file is asked for these; empty if none can be."""
        answer = self.roles.get("answer", "")
        return self.response or (answer if column_key(answer) in _keys("answer") else "")

    @property
    def has_doubtful_name(self) -> bool:
        """Whether the answer of a system has a name that elsewhere means the expected one."""
        return column_key(self.response) in _keys("answer") and "answer" in self.roles


@cache
def column_words() -> dict[str, Any]:
    """The words of the data file."""
    text = files("assay.data").joinpath("question_column.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def known_names() -> dict[str, list[str]]:
    """The names by which each role is known (``column_key``), the best first."""
    names = {role: _keys(role) for role in ROLES}
    kinds = {role: [key for kind in kinds for key in _keys(kind)] for role, kinds in _KINDS.items()}
    return {**names, **kinds}


def written_names(role: str) -> list[str]:
    """The names by which a role is known, as people write them."""
    return [name for kind in _KINDS.get(role, (role,)) for name in column_words()[kind]]


@cache
def _keys(kind: str) -> list[str]:
    return [column_key(name) for name in column_words()[kind]]


def column_key(name: str) -> str:
    """The name of a column as it is compared with known names."""
    return re.sub(r"[\s_\-]+", "", name).lower()


def has_role(name: str) -> bool:
    """Whether a column of this name has a role."""
    recorded = (key for role in _UNIQUE_ROLES for key in _keys(role))
    return column_key(name) in {
        *recorded,
        *(key for keys in known_names().values() for key in keys),
    }


def gives_answer(name: str) -> bool:
    """Whether a column of this name has answers, expected ones or those of a system."""
    return column_key(name) in {*known_names()["answer"], *_keys("response")}


def gives_passages(name: str) -> bool:
    """Whether a column of this name has what a system retrieved."""
    return column_key(name) in _keys("passages")


def seconds_of(name: str, value: Any) -> float | None:
    """The latency in a column of this name, whose unit the name says; ``None`` if it is none.

    >>> seconds_of("latencyMs", 120), seconds_of("latency_s", "1.5"), seconds_of("latency_s", "-")
    (0.12, 1.5, None)
    """
    number = as_number(value)
    if number is None or number < 0:
        return None
    return number / 1000 if column_key(name) in _keys("latency_ms") else number


def is_inverted_name(name: str) -> bool:
    """Whether a column says the opposite of ``answerable``, as ``is_impossible`` does."""
    return column_key(name) in _keys("unanswerable")


def is_expected_name(name: str) -> bool:
    """Whether a name means the expected answer, whatever other names there are.

    >>> is_expected_name("Ground-Truth"), is_expected_name("answer")
    (True, False)
    """
    return column_key(name) in _keys("expected") or bool(_ASSERTED.fullmatch(name))


def is_secret_name(name: str, columns: ColumnRoles) -> bool:
    """Whether a column says what the right answer is or is based on: no system may see it."""
    secret = {key for role in _SECRET_ROLES for key in known_names()[role]} - {*_keys("weak")}
    return column_key(name) in secret or name in (*columns.further, *columns.asserted)


def _refuse_unknown_role(role: str, name: str, known: Sequence[str]) -> None:
    if role not in known:
        raise UseError(f"--column {role}={name}: not one of {', '.join(known)}")


def named_columns(names: Sequence[str], chosen: Mapping[str, str], path: Path) -> ColumnRoles:
    """The columns of a set with these names; ``chosen`` are those that the user named by role.

    A column with what a system said or retrieved may be one of another file.

    Raises:
        UseError: a named column of a question does not exist.
    """
    chosen = {role: name for role, name in chosen.items() if role != SHEET}
    for role, name in chosen.items():
        _refuse_unknown_role(role, name, (*ROLES, *RECORDED_ROLES))
        if name not in names and role in ROLES:
            raise UseError(f"{path}: there is no column {name!r}; there are: {', '.join(names)}")
    asserted = [name for name in names if _ASSERTED.fullmatch(name)]
    found = {role: _first(known_names()[role], names) for role in ROLES}
    if asserted:
        found["answer"] = asserted[0]
    recorded = {role: chosen[role] for role in RECORDED_ROLES if chosen.get(role) in names}
    own = {role: name for role, name in chosen.items() if role in ROLES}
    free = {role: name for role, name in found.items() if name not in recorded.values()}
    roles = {role: name for role, name in {**free, **own}.items() if name}
    answer = roles.get("answer", "")
    rest = [name for name in names if name not in roles.values()]
    said = recorded.get("response") or _first(_keys("response"), rest)
    if not said and answer and column_key(answer) not in _keys("answer"):
        said = _first(_keys("answer"), rest)
    return ColumnRoles(
        roles=roles,
        further=tuple(_further(answer, rest)) if answer and answer not in asserted else (),
        asserted=tuple(asserted) if answer in asserted else (),
        response=said or "",
        passages=recorded.get("passages") or _first(_keys("passages"), rest) or "",
        system=recorded.get("system") or _first(_keys("system"), rest) or "",
        latency=_first([*_keys("latency_s"), *_keys("latency_ms")], rest) or "",
    )


class MeasuredColumns(Struct, frozen=True, kw_only=True):
    """The columns of a log with what was measured beside its answers; empty if there is none.

    ``unit`` is the role of the ``latency`` that the user named, ``chosen`` are all roles that he named.
    """

    errors: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    cost: str = ""
    rating: str = ""
    latency: str = ""
    unit: str = ""
    chosen: frozenset[str] = frozenset()

    def by_role(self) -> dict[str, str]:
        """The column of each role, those of errors and states together."""
        return {
            "error": ", ".join((*self.errors, *self.statuses)),
            "cost": self.cost,
            "rating": self.rating,
            **({"latency": self.latency} if self.latency else {}),
        }

    @property
    def taken(self) -> frozenset[str]:
        """The columns that have no other role: those that the user named, and of errors and ratings."""
        return frozenset(
            {*self.errors, *self.statuses, self.rating, self.latency, self.cost} - {""}
        )


def measured_columns(
    names: Sequence[str], chosen: Mapping[str, str], path: Path
) -> MeasuredColumns:
    """The columns of a log with what was measured.

    Raises:
        UseError: a role is unknown, or a named column does not exist.
    """
    for role, name in chosen.items():
        _refuse_unknown_role(role, name, (*ROLES, *RECORDED_ROLES, *MEASURED_ROLES))
    own = {role: name for role, name in chosen.items() if role in MEASURED_ROLES}
    for name in own.values():
        if name not in names:
            raise UseError(f"{path}: there is no column {name!r}; there are: {', '.join(names)}")
    free = [name for name in names if name not in chosen.values()]
    words = column_words()["measured"]

    def found(role: str) -> tuple[str, ...]:
        keys = set(map(column_key, words[role]))
        return (own[role],) if role in own else tuple(n for n in free if column_key(n) in keys)

    unit = next((role for role in ("latency_s", "latency_ms") if role in own), "")
    single = ("cost", "rating")
    return MeasuredColumns(
        errors=found("error"),
        statuses=found("status"),
        **{role: next(iter(found(role)), "") for role in single},
        latency=own.get(unit, ""),
        unit=unit,
        chosen=frozenset(own),
    )


def seconds_in(role: str, value: Any) -> float | None:
    """The seconds in a column that the user named as ``latency_s`` or ``latency_ms``.

    >>> seconds_in("latency_ms", "120"), seconds_in("", "120") is None
    (0.12, True)
    """
    return seconds_of(role, value) if role else None


def _first(known: Iterable[str], names: Iterable[str]) -> str | None:
    """The column whose name comes first among the known names."""
    by_key = {column_key(name): name for name in reversed(list(names))}
    return next((by_key[key] for key in known if key in by_key), None)


def _further(answer: str, names: Iterable[str]) -> list[str]:
    """The columns ``answer_2``, ``answer_3`` and so on, in their order."""
    key = column_key(answer)
    numbers = {
        int(rest): name
        for name in names
        if column_key(name).startswith(key)
        and _NUMBER.fullmatch(rest := column_key(name).removeprefix(key))
    }
    return [numbers[number] for number in sorted(numbers)]


def near_question_name(names: Iterable[str]) -> str:
    """The column whose name is that of questions with a slip of the pen; empty if there is none.

    >>> near_question_name(["id", "qestion", "expected"]), near_question_name(["id", "note"])
    ('qestion', '')
    """
    known = list(known_names()["question"])
    near = (name for name in names if get_close_matches(column_key(name), known, 1, _LIKE))
    return next(near, "")


def near_answer_names(names: Iterable[str], columns: ColumnRoles) -> list[str]:
    """The columns that may hold the expected answers although no known name says so.

    >>> near_answer_names(["question", "answer text", "note"], ColumnRoles(roles={"question": "question"}))
    ['answer text']
    """
    if "answer" in columns.roles:
        return []
    known = {key for keys in known_names().values() for key in keys}
    other = {*known, *_keys("response"), *_keys("passages")}
    parts = [column_key(part) for part in column_words()["near_answer"]]
    return [
        name
        for name in names
        if column_key(name) not in other and any(part in column_key(name) for part in parts)
    ]
