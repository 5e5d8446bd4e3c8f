import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.table import Column, Row, Table, TableCell, with_marks
from assay.report.table.latex import as_latex, escape_latex
from assay.stats.interval import Interval


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


@given(st.text(), st.text(), st.text())
def test_a_whole_table_stays_balanced(label: str, value: str, title: str):
    """For any text, braces are balanced and every row has the right number of columns."""
    table = Table(
        title=title,
        columns=(Column(key="a", title=value), Column(key="b")),
        rows=(Row(label=label, cells=(TableCell(value=value), TableCell(value=-0.5))),),
        notes=(title,),
    )
    text = as_latex(table)
    assert balance("\n".join(line for line in text.splitlines() if not line.startswith("%"))) == 0
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [2, 2]


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
            columns=(Column(key="d", title="difference", better="higher", signed=True),),
            rows=(
                Row(
                    label="hyde_on",
                    cells=(
                        TableCell(
                            value=0.062,
                            interval=Interval(low=-0.01, high=0.13, method="bca"),
                            significance="*",
                        ),
                    ),
                ),
                Row(label="[x]", cells=(TableCell(value=-0.5),)),
                Row(label="none", cells=(TableCell(),)),
            ),
        )
    )
    assert as_latex(table) == EXPECTED


@pytest.mark.parametrize(
    ("label", "package"), [("变体", "ctex"), ("вариант", "T2A"), ("variant", "booktabs")]
)
def test_packages_are_named_for_the_script(label: str, package: str):
    """The comments name only the packages that the document needs."""
    table = Table(columns=(Column(key="a"),), rows=(Row(label=label, cells=(TableCell(),)),))
    notes = [line for line in as_latex(table).splitlines() if line.startswith("%")]
    assert package in notes[-1]
    assert len(notes) == (1 if package == "booktabs" else 2)
