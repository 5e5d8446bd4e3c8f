import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.table.latex import as_latex, escape_latex
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn, with_marks
from assay.stats.interval import Interval
from assay.words.language import Lang


def bare(text: str) -> str:
    """The text without commands and escaped characters."""
    return re.sub(r"\\(?:[a-zA-Z]+|.)", "", text)


def balance(text: str) -> int:
    """The number of braces that are not closed; fails if one is closed before it is opened."""
    depth = 0
    for character in bare(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0, text
    return depth


@given(st.text())
def test_no_character_keeps_its_meaning(text: str):
    """Escaped text has balanced braces and no character that LaTeX would interpret."""
    shown = escape_latex(text)
    assert balance(shown) == 0
    assert not set(bare(shown)) & set("%&#$_~^\\<>|`")
    assert "--" not in shown.replace("{--}", "")
    assert "''" not in shown


def assert_whole(text: str) -> None:
    """Every row of each tabular has as many cells as the tabular has columns."""
    for tabular in text.split(r"\begin{tabular}{")[1:]:
        columns = tabular.partition("}")[0]
        lines = (line.removesuffix("[-2pt]") for line in tabular.splitlines())
        rows = [line for line in lines if line.endswith(r"\\")]
        assert len(rows) > 1
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(columns) - 1}


@given(st.text(), st.text(), st.text())
def test_a_whole_table_stays_balanced(label: str, value: str, title: str):
    """For any text, braces are balanced and every row has the right number of columns."""
    table = Table(
        title=title,
        columns=(TableColumn(key="a", title=value), TableColumn(key="b")),
        rows=(LabelledRow(label=label, cells=(TableCell(value=value), TableCell(value=-0.5))),),
        notes=(title,),
    )
    text = as_latex(table)
    assert balance("\n".join(line for line in text.splitlines() if not line.startswith("%"))) == 0
    assert_whole(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a_b & 50% #1 $x$", r"a\_b \& 50\% \#1 \$x\$"),
        ("\\{~^}", r"\textbackslash{}\{\textasciitilde{}\textasciicircum{}\}"),
        ("x < y > z | `", r"x \textless{} y \textgreater{} z \textbar{} \textasciigrave{}"),
        ("pre-trained, don't", "pre-trained, don't"),
        ("a--b ''q''", "a-{}-b '{}'q'{}'"),
        ("第三条 и статья", "第三条 и статья"),
        ("[opt] *", "{[}opt{]} {*}"),
    ],
)
def test_escapes(text: str, shown: str):
    """LaTeX prints each special character literally and does not join hyphens or quotes."""
    assert escape_latex(text) == shown


EXPECTED = r"""% Needs \usepackage{booktabs} in the preamble.
\begin{table}
  \centering
  \caption{Effect of HyDE}
  \begin{tabular}{lr}
    \toprule
    variant & difference \\
    \midrule
    hyde\_on & \textbf{+0.062}\textsuperscript{*} [$-$0.010, +0.130] \\
    {[}x{]} & \textit{$-$0.500} \\
    none & -- \\
    \bottomrule
  \end{tabular}
  \par\smallskip
  {\footnotesize
    In brackets: 95\% interval.\par
    Bold: best of the column. Italic: worst.\par
    Against the baseline, corrected: {*} p \textless{} 0.05, {*}{*} p \textless{} 0.01, {*}{*}{*} p \textless{} 0.001.\par
    {--}: undefined, not zero.\par
  }
\end{table}
"""


def test_a_table_reads_as_expected():
    """A table has booktabs rules, a caption, bold and italic values, minus signs and a legend."""
    table = with_marks(
        Table(
            title="Effect of HyDE",
            columns=(TableColumn(key="d", title="difference", better="higher", signed=True),),
            rows=(
                LabelledRow(
                    label="hyde_on",
                    cells=(
                        TableCell(
                            value=0.062,
                            interval=Interval(low=-0.01, high=0.13, method="bca"),
                            significance="*",
                        ),
                    ),
                ),
                LabelledRow(label="[x]", cells=(TableCell(value=-0.5),)),
                LabelledRow(label="none", cells=(TableCell(),)),
            ),
        )
    )
    assert as_latex(table) == EXPECTED


@pytest.mark.parametrize(
    ("label", "package"), [("变体", "ctex"), ("вариант", "T2A"), ("variant", "booktabs")]
)
def test_packages_are_named_for_the_script(label: str, package: str):
    """The comments name only the packages that the document needs."""
    table = Table(
        columns=(TableColumn(key="a"),), rows=(LabelledRow(label=label, cells=(TableCell(),)),)
    )
    notes = [line for line in as_latex(table).splitlines() if line.startswith("%")]
    assert package in notes[-1]
    assert len(notes) == (1 if package == "booktabs" else 2)


def wide_table() -> Table:
    """Nine metrics with intervals and long titles, for four variants."""
    interval = Interval(low=0.4361, high=0.9723, level=0.95, method="wilson")
    columns = tuple(
        TableColumn(
            key=f"m{number}", title=f"Abstained although answerable {number}", better="higher"
        )
        for number in range(9)
    )
    rows = tuple(
        LabelledRow(
            label=f"fast_dim_{number}",
            cells=tuple(TableCell(value=number / 10, interval=interval) for _ in columns),
        )
        for number in range(4)
    )
    return with_marks(Table(title="Quality", columns=columns, rows=rows))


def test_a_wide_table_is_split_to_fit_a_page():
    """All columns are there once, in parts that repeat the labels, in small letters."""
    text = as_latex(wide_table())
    assert_whole(text)
    parts = text.split(r"\begin{tabular}{")[1:]
    assert len(parts) > 1
    assert r"\small" in text
    assert all(part.partition("}")[0].count("r") <= 5 for part in parts)
    assert sum(part.partition("}")[0].count("r") for part in parts) == 9
    assert text.count(r"fast\_dim\_3 &") == len(parts)
    assert text.count("[0.436, 0.972]") == 36


TITLES: dict[Lang, tuple[str, ...]] = {
    "en": ("Abstained although answerable", "Recall@10", "p50 latency, s"),
    "ru": ("взвешенная доля верных уровней риска", "полнота@10", "медиана задержки, с"),
    "zh": ("有答案却拒答的比例（加权）", "召回率@10", "延迟中位数（秒）"),
}
TEXTS: dict[Lang, str] = {
    "en": "too few to say (6 must differ)",
    "ru": "слишком мало данных (нужно 6 различий)",
    "zh": "样本过少（需要 6 个有差异的问题才能判定）",
}


def large_table(lang: Lang) -> Table:
    """Twelve metrics with intervals and a column of texts, for 30 variants."""
    interval = Interval(low=-0.4361, high=0.9723, level=0.95, method="wilson")
    titles = TITLES[lang]
    columns = (
        *(TableColumn(key=f"m{n}", title=titles[n % 3], better="higher") for n in range(12)),
        TableColumn(key="verdict", title="verdict", align="left"),
    )
    rows = tuple(
        LabelledRow(
            label=f"fast_dim_{number}",
            cells=(
                *(
                    TableCell(value=number / 30 - 0.5, interval=interval, significance="***")
                    for _ in range(12)
                ),
                TableCell(value=TEXTS[lang]),
            ),
        )
        for number in range(30)
    )
    return with_marks(Table(title=TEXTS[lang], columns=columns, rows=rows, notes=(titles[0],) * 3))


@pytest.mark.parametrize("lang", TITLES)
def test_a_table_that_is_higher_than_a_page_continues(lang: Lang):
    """Every value is there once, in floats that say which of them they are; one has the legend."""
    text = as_latex(large_table(lang), lang)
    assert_whole(text)
    floats = text.count(r"\begin{table}")
    assert floats > 3
    assert [f"({number}/{floats})" in text for number in range(1, floats + 1)] == [True] * floats
    assert text.count("0.436") == 30 * 12
    assert text.count(r"\footnotesize") == 1


PREAMBLES: dict[Lang, tuple[str, str]] = {
    "en": ("pdflatex", r"\usepackage{booktabs}"),
    "ru": (
        "pdflatex",
        r"\usepackage{booktabs}\usepackage[T2A]{fontenc}\usepackage[russian]{babel}",
    ),
    "zh": ("xelatex", r"\usepackage{booktabs}\usepackage{ctex}"),
}
"""The program and the packages that the comments above a table name."""
NEEDED = {"en": "booktabs.sty", "ru": "t2aenc.def", "zh": "ctex.sty"}


def has_tex(lang: Lang) -> bool:
    """Whether the program and the packages for a language are installed."""
    if not shutil.which(PREAMBLES[lang][0]) or not shutil.which("kpsewhich"):
        return False
    found = subprocess.run(["kpsewhich", NEEDED[lang]], capture_output=True, check=False)
    return found.returncode == 0


@pytest.mark.parametrize("lang", TITLES)
def test_tables_compile_and_fit(lang: Lang, tmp_path: Path):
    """LaTeX reports nothing that is too wide or too high for a page."""
    if not has_tex(lang):
        pytest.skip("TeX is not installed")
    program, preamble = PREAMBLES[lang]
    tables = "\n".join(as_latex(table, lang) for table in (wide_table(), large_table(lang)))
    document = (
        f"\\documentclass{{article}}{preamble}\\begin{{document}}\n{tables}\\end{{document}}\n"
    )
    (tmp_path / "table.tex").write_text(document, encoding="utf-8")
    ran = subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", "table.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout
    assert "Overfull" not in ran.stdout
    assert "too large" not in ran.stdout
