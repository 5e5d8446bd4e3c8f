"""A run as one HTML file with its data inside, which needs no network and no other file.

``web/EMBEDDED.md`` describes the layout. The data are base64 and escaped JSON, so that nothing in
them can end its element. A policy allows only the script and the style of the file, by their
hashes, and forbids every request.
"""

import base64
import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from assay import __version__
from assay.errors import AssayError, JournalWriteFailed, UseError
from assay.mask import mask_json, mask_text
from assay.registry import install_command
from assay.runs.summary import write_atomically
from assay.web.api import RunCard, Workspace
from assay.web.group_view import group_view
from assay.web.item import item_views
from assay.web.item_api import ItemView
from assay.web.judge.read import flags, run_judges
from assay.web.language import Cleaner
from assay.web.query import Columns, without_gold
from assay.web.run_index import RunIndex, open_run
from assay.web.run_view import run_card, run_view
from assay.words.language import language
from assay.words.message import Said

# The bundle of the page: the script and the style that ``npm run build`` made from ``web/``.

NAMES: Final = ("app.js", "app.css")
REMEDY: Final = (
    "the page is not built: its script is made from the folder web/ with npm. In a clone, run "
    f"make page; otherwise install a wheel that contains it: {install_command(again=True)}"
)


def bundle_file(name: str) -> bytes:
    """A file of the bundle; raises ``UseError`` with the remedy if it was not built."""
    try:
        return (files("assay.web") / "bundle" / name).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise UseError(REMEDY) from None


def is_built() -> bool:
    """Whether the bundle exists."""
    return all((files("assay.web") / "bundle" / name).is_file() for name in NAMES)


FORMAT: Final = 1
PER_BLOCK: Final = 100
"""How many items share a block of details."""
_STATUSES: Final = ("scored", "answered", "failed", "skipped", "unparsed", "absent", "spared")
_ESCAPES: Final = (
    (b"&", b"\\u0026"),
    (b"<", b"\\u003c"),
    (b">", b"\\u003e"),
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
)
_PAGE: Final = """<!doctype html>
<html lang="{lang}" data-language="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{script_hash}'; \
style-src '{style_hash}'; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="assay-head">{head}</script>
{blocks}<script>{script}</script>
</body>
</html>
"""


class Blocks:
    """The compressed data of a file; a block is named by its number."""

    def __init__(self) -> None:
        self._texts: list[bytes] = []
        self.clean = Cleaner()

    def add(self, value: Any) -> int:
        """Add a value without secrets and folders; returns the number of its block."""
        encoded = mask_json(msgspec.json.encode(self.clean.encoded(value)))
        packed = gzip.compress(encoded, 6, mtime=0)
        self._texts.append(base64.b64encode(packed))
        return len(self._texts) - 1

    def elements(self) -> str:
        """All blocks as elements of the page."""
        return "".join(
            f'<script type="text/plain" id="assay-{number}">{text.decode()}</script>\n'
            for number, text in enumerate(self._texts)
        )


class LinkedRun(Struct, frozen=True, kw_only=True):
    """A run that has a file of its own, in the index of a folder."""

    card: RunCard
    href: str


def run_page(
    name: str, runs: Iterable[tuple[RunCard, RunIndex]], fields: Sequence[str] = ()
) -> bytes:
    """A file with these runs inside; the first of ``fields`` is that of the groups shown first."""
    blocks = Blocks()
    listed = list(runs)
    entries = [_entry(blocks, card, index, fields) for card, index in listed]
    return _page(name, [card for card, _ in listed], entries, blocks)


def map_page(name: str, view: Any, runs: Iterable[tuple[RunCard, RunIndex]]) -> bytes:
    """A file that opens at the maps of depth results (``web/depth_map.py``), with their runs inside."""
    blocks = Blocks()
    listed = list(runs)
    entries = [_entry(blocks, card, index) for card, index in listed]
    blocks.clean = Cleaner()
    cards = [card for card, _ in listed]
    return _page(name, cards, entries, blocks, {"map": blocks.add(view)})


def index_page(name: str, runs: Iterable[LinkedRun]) -> bytes:
    """A file with the list of runs only; each of them has its own file beside it."""
    listed = list(runs)
    entries = [{"id": run.card.id, "href": run.href} for run in listed]
    return _page(name, [run.card for run in listed], entries, Blocks())


def _page(
    name: str,
    cards: Sequence[RunCard],
    entries: Sequence[Mapping[str, Any]],
    blocks: Blocks,
    more: Mapping[str, int] = {},
) -> bytes:
    workspace = Workspace(name=name, version=__version__, runs=tuple(cards), is_static=True)
    head = {"format": FORMAT, "workspace": workspace, "runs": entries, "compares": [], **more}
    # the only text that could end the element of a script; in JavaScript both mean the same
    script = bundle_file("app.js").decode().replace("</script", "<\\/script")
    style = bundle_file("app.css").decode().replace("</style", "<\\/style")
    return _PAGE.format(
        lang=language(),
        title=escape(mask_text(blocks.clean.text(f"{name} · assay"))),
        script=script,
        script_hash=_hash(script),
        style=style,
        style_hash=_hash(style),
        head=escaped_json(blocks.clean.encoded(head)),
        blocks=blocks.elements(),
    ).encode()


def escaped_json(value: Any) -> str:
    r"""JSON that can stand inside any element.

    >>> escaped_json("</script><!--")
    '"\\u003c/script\\u003e\\u003c!--"'
    """
    encoded = mask_json(msgspec.json.encode(value))
    for character, code in _ESCAPES:
        encoded = encoded.replace(character, code)
    return encoded.decode()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _entry(
    blocks: Blocks, card: RunCard, index: RunIndex, fields: Sequence[str] = ()
) -> dict[str, Any]:
    """Put a run into blocks; returns its entry in the head."""
    blocks.clean = Cleaner(index.path)
    for name in fields:  # refuses one that makes no groups
        index.fields.grouping(name, index.findings.results.scores.items)
    shown = run_view(index, card, next(iter(fields), ""))
    view = blocks.add(shown)
    groups = {each.name: blocks.add(group_view(index, each.name)) for each in shown.fields}
    details = Details(index, blocks.clean)
    detail_blocks = [blocks.add(batch) for batch in details.batches()]
    return {
        "id": card.id,
        "view": view,
        "groups": groups,
        "items": blocks.add(_items(index, details.questions)),
        "answers": blocks.add(details.answers),
        "texts": blocks.add(
            {
                "passages": list(details.passages),
                "reasons": details.reasons,
                "titles": details.titles,
            }
        ),
        "details": detail_blocks,
        "per": PER_BLOCK,
    }


class Details:
    """What the views of items have besides the columns, with every text stored once."""

    def __init__(self, index: RunIndex, clean: Cleaner) -> None:
        self._index = index
        self._clean = clean
        self.questions: list[str] = []
        variants = index.findings.results.scores.variants
        self.answers: list[list[str | None]] = [[] for _ in variants]
        self.passages: dict[str, int] = {}
        self.reasons: list[Said] = []
        self._numbers: dict[bytes, int] = {}
        self.titles: dict[str, Said] = {}

    def batches(self) -> Iterator[list[dict[str, Any]]]:
        """The details of the items in order, ``PER_BLOCK`` at a time."""
        count = self._index.findings.items
        for start in range(0, count, PER_BLOCK):
            items = range(start, min(start + PER_BLOCK, count))
            yield [self._detail(view) for view in item_views(self._index, items)]

    def _detail(self, view: ItemView) -> dict[str, Any]:
        self.questions.append(view.question)
        for texts, answer in zip(self.answers, view.answers, strict=True):
            texts.append(answer.answer)
        return {
            "expected": view.expected,
            "gold": [self._passage(each) for each in view.gold],
            "is_cut": view.is_cut,
            "answers": [
                {
                    "error": answer.error,
                    "passages": None
                    if answer.passages is None
                    else [self._passage(passage) for passage in answer.passages],
                    "stages": answer.stages,
                    "scores": [self._score(score) for score in answer.scores],
                    "elapsed_s": answer.elapsed_s,
                    "is_first_in_flight": answer.is_first_in_flight,
                    "cost": answer.cost,
                    "tokens": answer.tokens,
                    "attempts": answer.attempts,
                    "is_cut": answer.is_cut,
                    "verdicts": answer.verdicts,
                }
                for answer in view.answers
            ],
        }

    def _passage(self, passage: Any) -> dict[str, Any]:
        fields = msgspec.structs.asdict(passage)
        if passage.text is not None:
            fields["text"] = self.passages.setdefault(passage.text, len(self.passages))
            if fields.get("spans") and self._clean.text(passage.text) != passage.text:
                fields["spans"] = ()  # the places of the cited stretches have moved
        return fields

    def _score(self, score: Any) -> tuple[str, str, int, int]:
        """The name, the value, and the numbers of the reason and of the doubt; -1 if there is none."""
        self.titles.setdefault(score.name, score.title)
        said = (score.reason, score.unsure)
        reason, unsure = (-1 if text is None else self._number(text) for text in said)
        return score.name, score.value, reason, unsure

    def _number(self, reason: Said) -> int:
        number = self._numbers.setdefault(msgspec.json.encode(reason), len(self.reasons))
        if number == len(self.reasons):
            self.reasons.append(reason)
        return number


def _items(index: RunIndex, questions: Sequence[str]) -> dict[str, Any]:
    """The columns of the list of items."""
    scores = index.findings.results.scores
    columns = Columns(index)
    cells = [
        [_STATUSES.index(columns.cell_status(variant, item)) for item in range(len(scores.items))]
        for variant in range(len(scores.variants))
    ]
    listed = index.listed
    return {
        "ids": list(scores.items),
        "questions": questions,
        "sources": listed.sources.values(),
        "source": listed.sources.numbers(),
        "tags": listed.tags.values(),
        "tag": listed.tags.numbers(),
        "order": index.order.tolist(),
        "has_gold": (~without_gold(index)).astype(int).tolist(),
        "statuses": _STATUSES,
        "status": cells,
        "abstained": [
            [None if value < 0 else int(value) for value in row]
            for row in listed.abstained.tolist()
        ],
        "unsure": columns.unsure.astype(int).tolist(),
        "judged": flags(run_judges(index)),
        "values": {
            metric.name: _numbers(Columns(index, metric.name).values)
            for metric in index.findings.metrics
        },
    }


def _numbers(values: Any) -> list[list[float | None]]:
    return [
        [None if known else value for value, known in zip(row, missing, strict=True)]
        for row, missing in zip(
            np.round(values.astype(float), 12).tolist(), np.isnan(values).tolist(), strict=True
        )
    ]


# Runs as files that can be sent to others: one file, or a folder with an index.


def write_page(journal: Path, out: Path, fields: Sequence[str] = ()) -> Path:
    """Write a run as one HTML file; ``fields`` as in ``run_page``."""
    name = journal.stem
    card = run_card(name, journal)
    index = open_run(journal)
    try:
        _write(out, run_page(name, [(card, index)], fields))
    finally:
        index.close()
    return out


MOST_EMBEDDED: Final = 20_000
"""A run with more cases is not put into the file of its map, which lists questions of each tile."""


@contextmanager
def opened_runs(results: Iterable[Path]) -> Iterator[dict[Path, tuple[RunCard, RunIndex]]]:
    """Those of the files that are runs of assay, opened."""
    taken: set[str] = set()
    with ExitStack() as stack:
        found = {}
        for path in dict.fromkeys(results):
            try:
                card = run_card(path.stem, path)
                if not 0 < card.counts.scored <= MOST_EMBEDDED:
                    continue
                index = open_run(path)
            except AssayError:
                continue  # of another tool, or damaged: the map has what can be read
            stack.callback(index.close)
            found[path] = replace(card, id=_file_name(path.stem, taken)), index
        yield found


def write_map(out: Path, view: Any, runs: Iterable[tuple[RunCard, RunIndex]]) -> None:
    """Write maps and their runs as one HTML file that opens at the maps."""
    write_atomically(out, map_page(out.stem, view, runs), is_masked=True)


def write_site(journals: Sequence[Path], folder: Path) -> Path:
    """Write a folder with a file for each run and an index; returns the path of the index."""
    linked = []
    files = site_files(journals, folder)
    index = files.pop(None)
    for journal, page in files.items():
        assert journal is not None
        write_page(journal, page)
        linked.append(LinkedRun(card=run_card(journal.stem, journal), href=page.name))
    _write(index, index_page(folder.resolve().name, linked))
    return index


def site_files(journals: Sequence[Path], folder: Path) -> dict[Path | None, Path]:
    """The file of each run in a folder of pages, and that of the index under ``None``."""
    taken: set[str] = {"index"}
    pages: dict[Path | None, Path] = {
        journal: folder / f"{_file_name(journal.stem, taken)}.html" for journal in journals
    }
    return pages | {None: folder / "index.html"}


def _file_name(name: str, taken: set[str]) -> str:
    """A name for a file and an address that is not taken; it is added to ``taken``."""
    stem = unique = re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".") or "run"
    number = 1
    while unique.lower() in taken:
        number += 1
        unique = f"{stem}_{number}"
    taken.add(unique.lower())
    return unique


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content, is_masked=True)  # its data are; the script must not change
    except OSError as error:
        raise UseError(f"{path}: cannot be written: {error.strerror}") from None
    except JournalWriteFailed as error:
        raise UseError(str(error)) from None


def shown_size(paths: Iterable[Path]) -> str:
    """The size of files for people.

    >>> shown_size([])
    '0.0 MB'
    """
    return f"{sum(path.stat().st_size for path in paths) / 1e6:.1f} MB"
