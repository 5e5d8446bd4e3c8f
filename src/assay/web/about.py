"""What a person wrote about a run: title, tags, a note, whether it is archived.

It stands beside the journal in ``NAME.about.json`` and belongs to the name: it stays when a run is
started again with ``--resume fresh``. The files of the run itself are not changed, so that the command
that made it still finds it.
"""

from pathlib import Path
from threading import Lock
from typing import Final

import msgspec
from msgspec.structs import asdict, replace

from assay.data.jsonl import UNREADABLE
from assay.errors import AssayError, JournalCorrupt, UseError
from assay.records import Metric
from assay.report.look import MISSING, real_minus
from assay.runs.read import index_journal
from assay.runs.redaction import follow_run
from assay.runs.summary import set_aside, write_atomically
from assay.runs.write import locked_journal
from assay.study.labelled import Repaired, broken_lines
from assay.web.api import RunAbout
from assay.web.live_api import AboutChange
from assay.words.message import Message, message

LONGEST: Final = {"title": 200, "note": 20_000, "tag": 60}
MOST_TAGS: Final = 30
_writing: Final = Lock()


def about_path(journal: Path) -> Path:
    """The file about the run of a journal."""
    return journal.with_suffix(".about.json")


def read_about(journal: Path) -> RunAbout | None:
    """What was written about a run; ``None`` if nothing was, or if it cannot be read."""
    try:
        return msgspec.json.decode(about_path(journal).read_bytes(), type=RunAbout)
    except (OSError, *UNREADABLE):
        return None


def change_about(journal: Path, change: AboutChange) -> RunAbout:
    """Write what has changed about a run; the rest stays. Returns what is written."""
    given = {name: value for name, value in asdict(change).items() if value is not None}
    if "tags" in given:
        given["tags"] = tuple(dict.fromkeys(tag.strip() for tag in given["tags"] if tag.strip()))
    if "title" in given:
        given["title"] = given["title"].strip()
    _check(given)
    follow_run(journal, is_needed=True)
    with _writing:
        about = replace(read_about(journal) or RunAbout(), **given)
        data = msgspec.json.format(msgspec.json.encode(about), indent=2)
        write_atomically(about_path(journal), data + b"\n")
    return read_about(journal) or about


def _check(given: dict[str, object]) -> None:
    for name in ("title", "note"):
        text = given.get(name)
        if isinstance(text, str) and len(text) > LONGEST[name]:
            raise UseError(f"{name}: has {len(text)} characters, {LONGEST[name]} are allowed")
    tags = given.get("tags", ())
    if isinstance(tags, tuple) and (
        len(tags) > MOST_TAGS or any(len(tag) > LONGEST["tag"] for tag in tags)
    ):
        raise UseError(f"tags: {MOST_TAGS} tags of {LONGEST['tag']} characters are allowed")


def set_run_aside(journal: Path) -> tuple[str, ...]:
    """Take a run off the list: its files are renamed, none is erased. Returns the new names."""
    with locked_journal(journal):  # refused while the run goes on
        moved = set_aside(journal)
    about = about_path(journal)
    if about.exists() and moved:
        target = about.with_name(about.name + moved[0].name.removeprefix(journal.name))
        about.rename(target)
        moved.append(target)
    return tuple(path.name for path in moved)


# Numbers as texts: values and differences of metrics.

_MONEY: Final = frozenset(
    {"USD", "EUR", "CNY", "RMB", "RUB", "GBP", "JPY", "$", "€", "¥", "￥", "₽", "£"}
)


def shown_amount(difference: float, metric: Metric) -> Message:
    """A difference with its sign: in points if the metric is a share, otherwise in its unit.

    >>> str(shown_amount(-0.136, Metric(name="r", field="r")))
    '−13.6 points'
    """
    number = real_minus(f"{difference:+.3f}" if metric.unit else f"{100 * difference:+.1f}")
    if metric.unit:
        return Message("{n} {unit}", {"n": number, "unit": message(metric.unit, "unit")})
    return message("{n} points", n=number)


def shown_value(value: float | None) -> str:
    """A value with three digits; yes and no as 1 and 0.

    >>> shown_value(1.0), shown_value(0.12345), shown_value(None)
    ('1', '0.123', '–')
    """
    if value is None:
        return MISSING
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.3f}" if abs(value) < 100 else f"{value:.1f}"


def metric_kind(metric: Metric) -> str:
    """How the values of a metric are shown: rate, share, time, money or number."""
    if metric.unit in {"s", "ms"}:
        return "time"
    if metric.unit in _MONEY:
        return "money"
    if metric.unit:
        return "number"
    return "rate" if metric.kind == "rate" else "share"


# Runs whose file has lines that are no rows: how many, and what the page says about them.

LARGEST_LISTED: Final = 20_000_000
"""The list of runs looks for broken lines in files up to this size, in bytes."""


def count_broken(journal: Path) -> int:
    """How many lines of a journal are no rows; 0 for a large one, which is looked at when opened."""
    try:
        if journal.stat().st_size > LARGEST_LISTED:
            return 0
        index_journal(journal)
    except JournalCorrupt:
        return len(broken_lines(journal))
    except (AssayError, OSError):
        return 0
    return 0


def broken_note(repaired: Repaired) -> Message:
    """What is left out, for the reader."""
    return message(
        "Not rows, and left out: {n}, in line {lines} of the file. `assay score` and `assay compare` refuse such a file until it is repaired.",
        n=len(repaired.lines),
        lines=repaired.named,
    )
