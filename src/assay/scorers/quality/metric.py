"""The metrics of answers about a PDF."""

from typing import Final

from assay.records import Metric
from assay.scorers.latency import LATENCY

METRICS: Final[tuple[Metric, ...]] = (
    Metric(
        name="score",
        by_check=True,
        field="metrics.score",
        title="Question score, unweighted",
        title_zh="得分",
        title_ru="балл",
        formula="max(0, 0.7 · include_rate + 0.3 · safe_ok − penalty); the penalty is 0.2 if the "
        "question requires a page citation and the answer has none, otherwise 0",
        function="assay.scorers.quality.score:question_score",
    ),
    Metric(
        name="include_rate",
        by_check=True,
        field="metrics.include_rate",
        title="Required phrase rate",
        title_zh="必含短语覆盖率",
        title_ru="названо обязательных фраз",
        formula="required phrases and groups that the answer contains / all of them; 1 if nothing "
        "is required",
        function="assay.scorers.quality.score:include_rate",
    ),
    Metric(
        name="safe_ok",
        by_check=True,
        field="metrics.safe_ok",
        title="Forbidden-free rate",
        title_zh="无禁用短语",
        title_ru="без запретных фраз",
        kind="rate",
        formula="1 if the answer contains no forbidden phrase, otherwise 0",
        function="assay.scorers.quality.score:score_answer",
    ),
    Metric(
        name="citation_ok",
        field="metrics.citation_ok",
        title="Page citation rate",
        title_zh="按要求标注页码",
        title_ru="страница указана, где нужно",
        kind="rate",
        formula="1 if the answer cites a page, otherwise 0",
        undefined="the question does not require a citation",
        function="assay.scorers.quality.score:score_answer",
    ),
    Metric(
        name="citation_page_exists",
        field="metrics.citation_page_exists",
        title="Valid page rate",
        title_zh="所引页码存在",
        title_ru="указанные страницы есть",
        kind="rate",
        formula="1 if every cited page exists in the document, otherwise 0",
        undefined="the answer cites no page",
        function="assay.scorers.quality.citation:pages_exist",
    ),
    Metric(
        name="citation_supported",
        by_check=True,
        field="metrics.citation_supported",
        title="Supported citation rate",
        title_zh="所引页面载有事实",
        title_ru="факты есть на указанных страницах",
        kind="rate",
        formula="1 if every figure, date and required phrase of the answer is on a page that it "
        "cites, otherwise 0",
        undefined="the answer cites no page, abstains, or states nothing that can be looked up",
        function="assay.scorers.quality.citation:unsupported_facts",
    ),
    *LATENCY,
)
"""The columns of the tables, in order; ``score`` is the main one. The weighted score is not
among them: it belongs to the run, not to single answers."""
