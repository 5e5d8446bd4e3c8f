"""What a record leaves out: times, versions, paths of this machine. And how it is laid out.

Data and words are kept separate: ``split_json``, ``split_markdown`` and their kin return the data
first and the prose second, so that a reworded message changes no record of data.
"""

import hashlib
import json
import re
from typing import Any
from xml.etree import ElementTree as ET

LONGEST_TEXT = 400
WIDTH = 110
SHORT = 50
PROSE = "<prose>"

_TIMES = {"ts", "started_at", "completed_at", "tested_at"}
_VERSIONS = {"assay_version", "python_version"}
_PROSE_KEYS = {
    "description", "error", "faults", "message", "note", "notes", "problem", "reason", "reasons",
    "unread", "what", "why",
}  # fmt: skip
_LATENCY = re.compile(r"elapsed_s|latency")
_OWN_TIMES = frozenset({"elapsed_s", "stretches"})  # of a run, which no scenario sets
_STAMP = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?|\d{8}T\d{6}Z?|\d{4}-\d\d-\d\d \d\d:\d\d"
)
_SPENT = (
    (re.compile(r"elapsed=[\d.]+s"), "elapsed=*s"),
    (re.compile(r"(elapsed_s +)[\d.]+"), r"\1*"),
    (re.compile(r"ETA~[\d.]+m"), "ETA~*m"),
    (
        re.compile(r"\b(in|about|after) \d+(?:\.\d+)? (?:ms|s|min|h)\b(?: \d+ (?:s|min)\b)?"),
        r"\1 *",
    ),
    (re.compile(r"(用时|约) (?:\d+ (?:秒|分|小时) ?)+"), r"\1 *"),
    (re.compile(r"\b(за|около) (?:\d+ (?:с|мин|ч)\b ?)+"), r"\1 *"),
)
_SHOWN_LATENCY = "p50_latency_s"
_NUMBER = re.compile(r"\d+\.\d+\**")
# What doctor says of the machine and of installed packages.
_MACHINE = re.compile(
    r"^(?:ok|note) +(?:assay \d|[a-z\d-]+ \d[\w.]*$|(?:the )?extra ).*\n?", re.MULTILINE
)
# What is said only where something takes long.
_SLOW = re.compile(r"^[\d,]+ of [\d,]+ (?:documents read in .*|passages embedded)\n?", re.MULTILINE)
# What matplotlib says depends on the fonts of the machine, and on whether it listed them before.
_FONTS = re.compile(
    r"^(findfont:|Matplotlib is building the font cache|(?:note )?charts show \?|ok   charts have fonts).*\n?",
    re.MULTILINE,
)


def plain_text(text: str, paths: dict[str, str]) -> str:
    """Text without folders of this machine, moments in time and words about its fonts."""
    for path, name in paths.items():
        text = re.sub(path, name, text)
    return _FONTS.sub("", _STAMP.sub("<time>", text))


def message_text(text: str) -> str:
    """A command's messages without the time that anything took."""
    text = _without_latency(_SLOW.sub("", _MACHINE.sub("", text)))
    for pattern, instead in _SPENT:
        text = pattern.sub(instead, text)
    return text


def _without_latency(text: str) -> str:
    """A table of a terminal without its latencies, which are beside or below their name."""
    lines, column = [], None
    for line in text.split("\n"):
        name = line.find(_SHOWN_LATENCY)
        if name >= 0:
            end = name + len(_SHOWN_LATENCY)
            column = None if _NUMBER.search(line, end) else slice(name, end)
            lines.append(line[:end] + _NUMBER.sub(_stars, line[end:]))
        elif column is not None and len(line) > column.start:
            lines.append(
                line[: column.start] + _NUMBER.sub(_stars, line[column]) + line[column.stop :]
            )
        else:
            column = None
            lines.append(line)
    return "\n".join(lines)


def _stars(number: re.Match[str]) -> str:
    return "*".rjust(len(number.group()))


def split_json(value: Any, *, timed: bool = False) -> tuple[str, str]:
    """A JSON value laid out for reading, and the texts of its prose fields."""
    if isinstance(value, list) and all("started_at" in item for item in value):
        value = sorted(value, key=lambda run: str(run["name"]))  # they may start within a second
    prose: list[str] = []
    return layout(_normal(value, prose, timed=timed)) + "\n", _told(prose)


def split_rows(text: str, *, timed: bool = False) -> tuple[str, str]:
    """Rows in the order of their keys, each laid out for reading, and their prose.

    The fields of a row are sorted: their order in the file has no meaning.
    """
    rows = [dict(sorted(json.loads(line).items())) for line in text.split("\n") if line]
    rows.sort(key=lambda row: str(row.get("key", "")))
    prose: list[str] = []
    laid_out = [layout(_normal(row, prose, timed=timed)) for row in rows]
    return "\n".join(laid_out) + "\n", _told(prose)


def _normal(value: Any, prose: list[str], *, timed: bool) -> Any:
    if isinstance(value, dict):
        if not timed and _LATENCY.search(str(value.get("metric", ""))):
            return {
                key: value[key] for key in ("variant", "baseline", "metric", "n") if key in value
            }
        is_summary = "tally" in value and "state" in value
        return {
            key: _field(key, inner, prose, timed=timed and not (is_summary and key in _OWN_TIMES))
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_normal(inner, prose, timed=timed) for inner in value]
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        digest = hashlib.sha256(value.encode(errors="surrogatepass")).hexdigest()[:16]
        return f"<{len(value)} characters, sha256 {digest}>"
    return value


def _field(key: str, value: Any, prose: list[str], *, timed: bool) -> Any:
    if key in _TIMES and value is not None:
        return "<time>"
    if key in _VERSIONS and value is not None:
        return "<version>"
    if key == "versions" and isinstance(value, dict):
        return dict.fromkeys(value, "<version>")
    if key in _PROSE_KEYS and value:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        prose.append(f"{key}: {text}")
        return PROSE
    if _LATENCY.search(key) and not timed:
        return _masked(value)
    return _normal(value, prose, timed=timed)


def _masked(value: Any) -> Any:
    """The same shape, every number but a count of cases left out."""
    if isinstance(value, dict):
        return {key: _masked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner) for inner in value]
    return "<s>" if isinstance(value, float) else value


def _told(prose: list[str]) -> str:
    """Each text once, in the order of first use, with how often it is there."""
    counts: dict[str, int] = {}
    for text in prose:
        counts[text] = counts.get(text, 0) + 1
    return "".join(f"{count} × {text}\n" for text, count in counts.items())


def layout(value: Any, indent: int = 0) -> str:
    """JSON that opens an object or a list only where it does not fit on a line.

    Short members of an open object or list share lines; a long one has its own.
    """
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inner = indent + 1
    if isinstance(value, dict):
        members = [
            f"{json.dumps(key, ensure_ascii=False)}: {layout(one, inner)}"
            for key, one in value.items()
        ]
    else:
        members = [layout(one, inner) for one in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{opening}\n{_filled(members, ' ' * inner)}\n{' ' * indent}{closing}"


def _filled(members: list[str], pad: str) -> str:
    """The members with commas between; short ones as many on a line as fit."""
    lines: list[str] = []
    is_open = False  # whether the last line takes more
    for number, member in enumerate(members):
        word = member + ("," if number + 1 < len(members) else "")
        is_short = len(member) <= SHORT
        if is_open and is_short and len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(pad + word)
        is_open = is_short
    return "\n".join(lines)


def split_markdown(text: str) -> tuple[str, str]:
    """The tables of a page, and the page with a mark where each of them was."""
    tables: list[list[str]] = []
    prose: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("|"):
            if not inside:
                tables.append([])
                prose.append(f"<table {len(tables)}>")
            tables[-1].append(line)
        else:
            prose.append(line)
        inside = line.startswith("|")
    return "\n\n".join("\n".join(table) for table in tables) + "\n", "\n".join(prose) + "\n"


def split_latex(text: str) -> tuple[str, str]:
    """The lines that make the tables, and the others: captions and notes."""
    is_table = re.compile(r"&|\\(begin|end|toprule|midrule|bottomrule|centering)")
    data, prose = "", ""
    for line in text.splitlines(keepends=True):
        if is_table.search(line):
            data += line
        else:
            prose += line
    return data, prose


def split_junit(text: str) -> tuple[str, str]:
    """Suites and cases with their outcome; the messages separately."""
    data: list[str] = []
    prose: list[str] = []
    marked = re.sub(r"<(time|folder|samples)>", r"(\1)", text)
    for element in ET.fromstring(marked.encode()).iter():
        told = {key: element.attrib[key] for key in sorted(element.attrib)}
        told.pop("time", None)
        message = told.pop("message", None)
        data.append(" ".join([element.tag, *(f"{key}={told[key]}" for key in told)]))
        prose += [part for part in (message, (element.text or "").strip()) if part]
    return "\n".join(data) + "\n", "".join(f"{part}\n" for part in prose)
