"""Every check of the repository finds the fault that it is there for, and names its place."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tools.check.example import unknown_words
from tools.check.repository import Finding, Repository
from tools.check_repository import CHECKS, main

PROJECT = """[project]
dependencies = ["numpy>=1"]

[tool.importlinter]
contracts = [{ layers = ["cli", "jobs", "text"] }]
"""
DRAWING = "# A\n\n## Layers\n\n```\n"
README = (
    '[zh](README.zh.md) [ru](README.ru.md) [en](README.md)\n<img src="a.png"> <img src="b.png">\n'
)
LOCALE = "src/assay/words/locale"


class Fault(NamedTuple):
    """The files of a small repository, and the findings that begin with one of these texts."""

    files: Mapping[str, str]
    findings: tuple[str, ...]


OTHER = "assay"
"""The package of somebody else: written in pieces, or this file would have findings itself."""
FAULTS = {
    "other_package": Fault(
        {
            "docs/page.md": (
                f"{OTHER}\npip install {OTHER}-eval\n{OTHER}-eval[ray]\npip install {OTHER}\n"
                f"- run: pip install --quiet {OTHER} # first\npipx install {OTHER}\nuvx {OTHER} demo\nan image with `{OTHER}[ray]`\n"
                f'dependencies = ["{OTHER}"]\n"{OTHER} >= 0.2"\n'
            ),
            "web/node_modules/a.md": f"pip install {OTHER}\n",
        },
        tuple(f"docs/page.md:{line}: names the package" for line in range(4, 11)),
    ),
    "written_hints": Fault(
        {f"src/assay/{name}.py": "hint = 'pip install x'\n" for name in ("registry", "other")},
        ("src/assay/other.py:1: writes how to install",),
    ),
    "prefixes": Fault(
        {
            **{f"src/assay/{n}.py": "" for n in ("a_1", "a_2", "a_3", "a", "b_1", "b_2", "b_3")},
            **{f"src/assay/checks/catalogue/a_{n}.py": "" for n in range(4)},
        },
        ("src/assay:1: 4 files begin with a;",),
    ),
    "layers": Fault(
        {
            "pyproject.toml": PROJECT,
            "ARCHITECTURE.md": f"{DRAWING}cli     commands\n    ignored\ntext    pure\n```\n",
        },
        ("ARCHITECTURE.md:8: draws text where the contract in pyproject.toml has jobs",),
    ),
    "screen": Fault(
        {"ARCHITECTURE.md": DRAWING + "layer\n" * 41 + "```\n"},
        ("ARCHITECTURE.md:6: the drawing has 41 lines",),
    ),
    "links": Fault(
        {
            "README.md": "[good](docs/a.md#a-title)\n```\n[no](link.md)\n```\n[bad](docs/b.md)\n",
            "docs/a.md": '# A title\n[out](https://127.0.0.1/)\n\n[bad](#other)\n<img src="c.png">\n',
        },
        (
            "README.md:5: links to docs/b.md, which does not exist",
            "docs/a.md:4: links to #other, and a.md has no such heading",
            "docs/a.md:5: links to c.png, which does not exist",
        ),
    ),
    "index": Fault(
        {"docs/index.md": "[a](a.md)\n", "docs/a.md": "", "docs/b.md": ""},
        ("docs/b.md:1: no link in docs/index.md leads here",),
    ),
    "translated_readmes": Fault(
        {
            "README.md": f"{README}| 1,000 | `a` |\n```bash\nassay demo\n```\n",
            "README.zh.md": f"{README}| 1 000 | `a` |\n```bash\nassay demo\n```\n",
            "README.ru.md": "(README.md)\n\n| 2.000 | `a` |\n```bash\nassay list\n```\n## More\n",
        },
        (
            "README.ru.md:1: does not link to README.zh.md",
            "README.ru.md:1: has other blocks than README.md",
            "README.ru.md:1: has other sections than README.md",
            "README.ru.md:3: this row of a table has other figures",
        ),
    ),
    "pictures": Fault(
        {"README.md": README, "README.zh.md": README, "README.ru.md": '<img src="a.png">'},
        ("README.ru.md:1: shows 1 pictures instead of 2",),
    ),
    "dependencies": Fault(
        {"pyproject.toml": PROJECT, "docs/decisions/0002-dependencies.md": "msgspec: it is fast"},
        ("docs/decisions/0002-dependencies.md:1: has no reason for numpy",),
    ),
    "excuses": Fault(
        {"docs/a.md": "A.\n\n<!-- not run: slow -->\n```bash\nassay demo\n```\n"},
        ("docs/a.md:4: this block is not run and does not say why", "docs:1: 1 of 1 blocks"),
    ),
    "marks": Fault(
        {"docs/a.md": "```bash\nassay demo\n```\n\n```\nassay demo\n```\n"},
        ("docs/a.md:5: this block begins with a command",),
    ),
    "data": Fault(
        {
            "docs/a.md": "```yaml\na: [1\n```\n```json\n{1}\n```\n```python\nawait f()\n1 +\n```\n",
            "docs/b.md": "```yaml\na: [1]\n```\n```jsonl\n{}\n[]\n```\n```python\nawait f()\n```\n",
            "docs/c.md": "```yaml\nexperiments:\n  - nmae: a\n```\n",
        },
        (
            "docs/a.md:1: this block is not valid yaml",
            "docs/a.md:4: this block is not valid json",
            "docs/a.md:7: this block is not valid python",
            "docs/c.md:1: this block is not valid yaml",
        ),
    ),
    "commands": Fault(
        {
            "Makefile": "demo:\n\tassay demo\n",
            "docs/a.md": "Try `assay\nlist --jsn`.\n\n```bash\nmake demo && make tea\n```\n",
        },
        (
            "docs/a.md:1: assay list --jsn: there is no such command",
            "docs/a.md:4: make tea: there is no such command",
        ),
    ),
    "missing_texts": Fault(
        {
            "src/assay/jobs/run.py": (
                'say("Good.")\nsay("Well" if x else "Bad.")\nsay_n("{n} row", "{n} rows", 2)\n'
                'message("Well", "state")\n'
            ),
            "web/src/App.tsx": 't("Good.");\ntn("{n} hour", "{n} hours", n);\ntx("state", "Well");\n',
            f"{LOCALE}/zh.po": (
                'msgid "Good."\nmsgstr "好。"\n\nmsgid "Well"\nmsgstr "好"\n\n'
                'msgid "Bad."\nmsgstr "坏。"\n\nmsgid "{n} row"\nmsgid_plural "{n} rows"\n'
                'msgstr[0] "{n} 行"\n\nmsgid "{n} hour"\nmsgid_plural "{n} hours"\n'
                'msgstr[0] "{n} 小时"\n\nmsgctxt "state"\nmsgid "Well"\nmsgstr "好"\n'
            ),
            f"{LOCALE}/ru.po": (
                'msgid "Good."\nmsgstr "Да."\n\nmsgid "Well"\nmsgstr "Да"\n\n'
                'msgid "{n} row"\nmsgstr "строк: {n}"\n'
            ),
        },
        (
            "src/assay/jobs/run.py:2: 'Bad.' is not in ru.po",
            "src/assay/jobs/run.py:3: '{n} row' is not in ru.po",
            "src/assay/jobs/run.py:4: 'Well' is not in ru.po",
            "web/src/App.tsx:2: '{n} hour' is not in ru.po",
            "web/src/App.tsx:3: 'Well' is not in ru.po",
        ),
    ),
    "translations": Fault(
        {
            f"{LOCALE}/zh.po": (
                'msgid "a row"\nmsgstr "row"\n\nmsgid "hours of {n}"\nmsgstr ""\n\n'
                'msgid "row {n}"\nmsgstr "行"\n\nmsgid "{n} hour"\nmsgid_plural "{n} hours"\n'
                'msgstr[0] "{m} 小时"\n'
            ),
            f"{LOCALE}/ru.po": 'msgid "a row"\nmsgstr "строка"\n',
        },
        (
            f"{LOCALE}/zh.po:1: 'a row' is not translated",
            f"{LOCALE}/zh.po:10: '{{n}} hour' and its translation have other fields",
            f"{LOCALE}/zh.po:4: 'hours of {{n}}' has no translation",
            f"{LOCALE}/zh.po:7: 'row {{n}}' and its translation have other fields",
        ),
    ),
    "unused_texts": Fault(
        {
            "src/assay/jobs/run.py": 'say("Good.")\nKINDS = {"file": "by file"}\n',
            f"{LOCALE}/zh.po": 'msgid "Good."\nmsgstr "好。"\n\nmsgid "by file"\nmsgstr "按文件"\n',
            f"{LOCALE}/ru.po": 'msgid "Good."\nmsgstr "Да."\n\nmsgid "Bad."\nmsgstr "Нет."\n',
        },
        (f"{LOCALE}/ru.po:4: 'Bad.' is said nowhere",),
    ),
    "english_sentences": Fault(
        {
            "src/assay/cli/run.py": (
                '"""Prints a sentence."""\nraise UseError("no such file")\n'
                'echo("a known line")\necho(f"an unknown line {n}")\n'
            ),
            f"{LOCALE}/ru.po": 'msgid "a known line"\nmsgstr "известная строка"\n',
        },
        ("src/assay/cli/run.py:4: 'an unknown line {}' is printed in English only",),
    ),
    "printing": Fault(
        {
            "src/assay/cli/output.py": "print(1)\n",
            "src/assay/cli/run.py": "import typer\ntyper.echo(f'assay {__version__}')\nprint(1)\n",
        },
        ("src/assay/cli/run.py:3: calls print; use",),
    ),
}


def planted(folder: Path, files: Mapping[str, str]) -> Repository:
    """A repository with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Repository(folder)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_check_finds_what_is_planted(
    check: Callable[[Repository], Iterator[Finding]], tmp_path: Path
):
    """The findings have the file and the line of each fault, and nothing else is found."""
    fault = FAULTS[check.__name__]
    found = sorted(map(str, check(planted(tmp_path, fault.files))))
    assert len(found) == len(fault.findings), found
    for line, beginning in zip(found, sorted(fault.findings), strict=True):
        assert line.startswith(beginning)


def test_all_findings_are_printed_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The program prints the findings of the checks that are named, and ends with 1."""
    planted(tmp_path, FAULTS["index"].files | FAULTS["other_package"].files)
    assert main(tmp_path, ["index", "other_package"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("docs/b.md:1: ")
    assert len(lines) == 10
    assert lines[-1] == "2 checks of the repository, 9 findings"


def test_a_repository_without_faults_ends_with_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Nothing but the count is printed."""
    planted(tmp_path, {"docs/index.md": "[a](a.md)\n", "docs/a.md": ""})
    assert main(tmp_path, ["index"]) == 0
    assert capsys.readouterr().out == "1 checks of the repository, 0 findings\n"


def test_a_check_that_does_not_exist_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A misspelt name does not pass for a check without findings."""
    assert main(tmp_path, ["indx"]) == 2
    assert capsys.readouterr().out == "no such check: indx\n"


def test_commands_are_cut_apart_like_in_a_shell():
    """Each command of a line is looked at, without what is set for it."""
    assert unknown_words("assay list --jsn && make demo", {"demo"}) == ["assay list --jsn"]
    assert unknown_words("A=1 assay paint | cat; make tea", {"demo"}) == ["assay paint", "make tea"]
