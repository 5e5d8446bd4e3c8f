"""Bring the catalogues up to date with the texts in the code.

    python -m tools.words

writes ``src/assay/words/locale/*.po`` again: texts that the code has and a catalogue has not are added
without a translation, and those that nothing says any more are removed. Translations stay.
"""

import ast
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from assay.checks.own_scorer import OPTIONAL, optional_scorer
from assay.checks.registered import SCORERS
from assay.results.job import JOBS
from assay.study.labelled import LABEL_METRIC
from tools.check.repository import Repository

ROOT = Path(__file__).parent.parent
LOCALE = "src/assay/words/locale"
LANGUAGES = {"zh": "Chinese", "ru": "Russian"}
HELP = "src/assay/cli/main.py"
"""The place that is given for the help of all commands."""
RECORDS = "src/assay/records.py"
"""The place that is given for what metrics declare."""
HEADER = """\
# {name}: all that assay says. `make words` brings the list of texts up to date.
msgid ""
msgstr ""
"Language: {lang}\\n"
"Plural-Forms: {plural}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
PLURALS = {
    "zh": "nplurals=1; plural=0;",
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
    "n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
}
ONE = {"say": 0, "message": 0, "marked": 0, "say_in": 1}
"""The functions that take a text, by the number of the argument that is the text."""
MANY = {"say_n": 0, "message_n": 0, "say_n_in": 1}
"""Those that take two forms of a text."""
LABELS = {"label_line", "file_line"}
"""Those that say their first argument as it is."""
_STRING = r'\s*("(?:[^"\\\n]|\\.)*")\s*'
_SCRIPT = re.compile(
    rf"(?<![\w.])(?:t\({_STRING}[,)]|tn\({_STRING},{_STRING},|tx\({_STRING},{_STRING}[,)])"
)


class Key(NamedTuple):
    """A text of the catalogues; the context tells equal texts with two translations apart."""

    text: str
    context: str | None = None


class Use(NamedTuple):
    """A text in the code."""

    key: Key
    plural: str | None
    where: str
    line: int


def uses(repository: Repository, help_texts: Iterable[str]) -> Iterator[Use]:
    """Every text that the code says."""
    for text in sorted(help_texts):
        yield Use(Key(text), None, HELP, 1)
    if repository.root == ROOT:
        yield from _declared()
    for module in repository.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.Call):
                for key, plural in _call(node):
                    yield Use(key, plural, module.where, node.lineno)
    yield from _of_page(repository.root)


def _of_page(root: Path) -> Iterator[Use]:
    """What the page says itself."""
    for path in sorted((root / "web" / "src").rglob("*.ts*")):
        where = path.relative_to(root).as_posix()
        content = path.read_text(encoding="utf-8")
        for found in _SCRIPT.finditer(content):
            plain, one, many, context, text = (part and json.loads(part) for part in found.groups())
            key = Key(text, context) if context else Key(plain or one)
            yield Use(key, many, where, content.count("\n", 0, found.start()) + 1)


def _declared() -> Iterator[Use]:
    """When the metrics of all jobs and scorers are undefined, and their units."""
    metrics = [metric for name in JOBS.own for metric in JOBS.get_own(name).metrics]
    metrics += [LABEL_METRIC, *(SCORERS.get_own(name) for name in SCORERS.own)]
    metrics += map(optional_scorer, OPTIONAL)
    for metric in metrics:
        for context in ("undefined", "unit"):
            if text := getattr(metric, context):
                yield Use(Key(text, context), None, RECORDS, 1)


def _call(node: ast.Call) -> Iterator[tuple[Key, str | None]]:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name in LABELS:
        yield from ((Key(text), None) for text in _strings(node.args[0]))
    if name in ONE and len(node.args) > ONE[name]:
        rest = node.args[ONE[name] + 1 :]
        contexts = [word.value for word in node.keywords if word.arg == "context"] or rest[:1]
        context = (_strings(contexts[0]) or [None])[0] if contexts else None
        yield from ((Key(text, context), None) for text in _strings(node.args[ONE[name]]))
    if name in MANY and len(node.args) > MANY[name] + 1:
        one, many = node.args[MANY[name] : MANY[name] + 2]
        contexts = [word.value for word in node.keywords if word.arg == "context"]
        context = (_strings(contexts[0]) or [None])[0] if contexts else None
        for text, plural in zip(_strings(one), _strings(many), strict=True):
            yield Key(text, context), plural


def _strings(node: ast.expr) -> list[str]:
    """The text of a literal, or both of a conditional expression."""
    if isinstance(node, ast.IfExp):
        return [*_strings(node.body), *_strings(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def read_catalogue(content: bytes, lang: str) -> Catalog:
    """A catalogue as it is written."""
    return read_po(io.BytesIO(content), locale=lang, abort_invalid=True)


def key_of(entry: Any) -> Key:
    """The text of an entry, in the form for one if it has a plural."""
    return Key(entry.id[0] if entry.pluralizable else entry.id, entry.context)


def literals(repository: Repository) -> Mapping[str, set[str]]:
    """Every string in the code with the files that have it: a text may be said by a variable."""
    found: dict[str, set[str]] = {}
    for module in repository.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.setdefault(node.value, set()).add(module.where)
    return found


def updated(
    catalogue: Catalog, lang: str, used: Iterable[Use], strings: Mapping[str, set[str]]
) -> str:
    """The text of a catalogue with all texts that are used, and no others."""
    places: dict[Key, tuple[str | None, list[str]]] = {}
    for use in used:
        plural, where = places.setdefault(use.key, (use.plural, []))
        where.append(use.where)
        if use.plural and not plural:
            places[use.key] = (use.plural, where)
    known = {key_of(entry): entry for entry in catalogue if entry.id}
    for key, entry in known.items():
        if key not in places and key.text in strings:
            places[key] = (entry.id[1] if entry.pluralizable else None, [*strings[key.text]])
    new = Catalog(locale=lang)
    for key, (plural, where) in sorted(
        places.items(), key=lambda each: (min(each[1][1]), each[0].text, each[0].context or "")
    ):
        entry = known.get(key)
        is_same = entry is not None and bool(entry.pluralizable) == (plural is not None)
        added = new.add(
            (key.text, plural) if plural else key.text,
            entry.string if is_same and entry is not None else None,
            locations=[(place, None) for place in sorted(set(where))],
            user_comments=entry.user_comments if entry is not None else (),
            context=key.context,
        )
        added.flags -= {"python-format"}  # a percent sign is only that
    content = io.BytesIO()
    write_po(content, new, width=100, omit_header=True, include_lineno=False)
    header = HEADER.format(name=LANGUAGES[lang], lang=lang, plural=PLURALS[lang])
    return header + content.getvalue().decode()


def main() -> None:
    """Write the catalogues."""
    from tools.check.message import help_texts  # noqa: PLC0415 - it imports this module

    repository = Repository(ROOT)
    used = list(uses(repository, help_texts()))
    strings = literals(repository)
    for lang in LANGUAGES:
        path = ROOT / LOCALE / f"{lang}.po"
        catalogue = read_catalogue(path.read_bytes(), lang)
        content = updated(catalogue, lang, used, strings)
        path.write_text(content, encoding="utf-8")
        missing = sum(
            1 for entry in read_catalogue(content.encode(), lang) if entry.id and not entry.string
        )
        print(f"{path.relative_to(ROOT)}: {missing} texts without a translation")


if __name__ == "__main__":
    sys.exit(main())
