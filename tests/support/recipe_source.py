"""What someone who follows the shorter recipes would write: a scorer, a system, a chart, a log line."""

SCORER = '''\
"""How long an answer is."""

from assay.checks.scorer import Scorer, Subject


def answer_length(subject: Subject) -> int | None:
    """The number of characters; ``None`` if the answer is empty.

    >>> answer_length(Subject(job="ablation", question_id="q", question="?", answer="forty"))
    5
    """
    return len(subject.answer) or None


SCORER = Scorer(
    name="answer_length",
    title="Length of the answer",
    title_zh="回答长度",
    title_ru="длина ответа",
    better="lower",
    unit="characters",
    formula="the number of characters of the answer",
    undefined="nothing is answered",
    function=answer_length,
)
'''
SCORER_TEST = '''\
from assay.checks.catalogue.answer_length import answer_length
from assay.checks.scorer import Subject


def test_an_empty_answer_has_no_length():
    """Its length is undefined, not zero."""
    assert answer_length(Subject(job="ablation", question_id="q", question="?", answer="")) is None
'''

METRIC = """\
    *LATENCY,
    Metric(
        name="no_page_rate",
        field="metrics.no_page",
        title="No page",
        title_zh="未引用页码",
        title_ru="без страницы",
        kind="rate",
        better="lower",
        formula="1 if no number of a page is in a citation, otherwise 0",
        undefined="the answer cites nothing",
    ),
)"""

SYSTEM = '''\
"""A system that repeats the question."""

from collections.abc import Mapping
from typing import Any

from assay.records import Answer, Question
from assay.systems.load import SystemContext
from assay.systems.protocol import Setting


class Parrot:
    """Answers with the question and a fixed ending."""

    settings: Mapping[str, Setting] | None = None
    max_concurrency: int | None = None

    def __init__(self, ending: str) -> None:
        self._ending = ending

    @property
    def identity(self) -> str:
        """The ending is part of every answer."""
        return f"parrot-1:{self._ending}"

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Repeat the question."""
        return Answer(text=question.text + self._ending)

    async def close(self) -> None:
        """Nothing to release."""


def load_parrot(rest: str, context: SystemContext) -> Parrot:  # noqa: ARG001 - not needed here
    """The system for ``--system parrot:ENDING``."""
    return Parrot(rest)
'''

CHART = '''\
"""Dot charts: the values of a metric, one dot for each variant."""

from collections.abc import Sequence
from pathlib import Path

from assay.report.chart.scatter import Bar
from assay.report.chart.style import canvas
from assay.report.look import BLUE
from assay.words.language import Lang


def dot_chart(bars: Sequence[Bar], path: Path, *, label: str, lang: Lang = "en") -> Path:
    """Draw a dot for each defined value, and return ``path``."""
    with canvas([label, *(bar.name for bar in bars)], path, lang=lang, width="single") as drawing:
        for bar in bars:
            if bar.value is not None:
                drawing.axes.plot([bar.value], [bar.name], "o", color=BLUE)
        drawing.label_axis(drawing.axes.xaxis, label)
    return path
'''
CHART_CALL = """\
def _dots(findings: RunFindings, metric: Metric, folder: Path, suffix: str, lang: Lang) -> Path:
    return dot_chart(
        [Bar(name=name, value=cell.value) for name, cell in _cells(findings, metric).items()],
        folder / f"dot-{metric.name}.{suffix}",
        label=metric_label(metric, lang),
        lang=lang,
    )


def _profile("""

WHERE = '''\
    def where(self, row: Row) -> str:
        """The variant and the quay."""
        return f"{super().where(row)} quay={row.source}"

    def result('''
