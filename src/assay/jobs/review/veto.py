"""What the rules object to where a model has checked the quotations.

The score of the model against the threshold is the seed's check, and its rate keeps the seed's
name. The rules (numbers, dates, negation, names and so on) may refuse what the model accepts; the
rate after this veto stands beside it, and every such quotation is listed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from assay.jobs.review.report_row import ReportRow
from assay.report.table import Column, Row, Table, TableCell
from assay.report.words import Lang, metric_title, word
from assay.scorers.risk import AFTER_VETO, CORPUS, share_after_veto
from assay.stats import Interval, wilson


class Disagreement(Struct, frozen=True, kw_only=True):
    """A quotation that the model accepts and the rules refuse."""

    question_id: str
    quotation: str
    score: float | None
    veto: tuple[str, ...]


class VetoOutcome(Struct, frozen=True, kw_only=True):
    """The quotations of a variant that a model has checked.

    ``invalid`` were refused by the model; ``disagreements`` were accepted by it and refused by
    the rules.
    """

    quotations: int
    invalid: int
    disagreements: tuple[Disagreement, ...]

    @property
    def rate(self) -> float:
        """The share of quotations that the model or the rules refuse."""
        return share_after_veto(self.invalid, len(self.disagreements), self.quotations)

    @property
    def interval(self) -> Interval | None:
        """Wilson's interval of the rate."""
        return wilson(self.invalid + len(self.disagreements), self.quotations)

    def fields(self) -> dict[str, Any]:
        """The outcome as fields of the summary."""
        return {
            AFTER_VETO.name: self.rate,
            "clause_vetoed": len(self.disagreements),
            "verifier_disagreements": [
                {
                    "question_id": item.question_id,
                    "quotation": item.quotation,
                    "score": item.score,
                    "veto": list(item.veto),
                }
                for item in self.disagreements
            ],
        }


def veto_outcome(rows: Iterable[ReportRow]) -> VetoOutcome | None:
    """The outcome of a variant; ``None`` if no model has checked its quotations."""
    checked = [
        (row, quotation) for row in rows for quotation in row.evidence if quotation.veto is not None
    ]
    if not checked:
        return None
    return VetoOutcome(
        quotations=len(checked),
        invalid=sum(not quotation.valid for _, quotation in checked),
        disagreements=tuple(
            Disagreement(
                question_id=row.question_id,
                quotation=quotation.text,
                score=quotation.score,
                veto=quotation.veto or (),
            )
            for row, quotation in checked
            if quotation.valid and quotation.veto
        ),
    )


def veto_tables(
    outcomes: Mapping[str, VetoOutcome | None], rates: Mapping[str, TableCell], lang: Lang
) -> list[Table]:
    """The two rates beside each other and the disagreements; no table without a model.

    ``rates`` are the cells of ``clause_hallucination_rate``.
    """
    checked = {name: outcome for name, outcome in outcomes.items() if outcome is not None}
    if not checked:
        return []
    seed = next(metric for metric in CORPUS if metric.name == "clause_hallucination_rate")
    rate_table = Table(
        title=word("veto", lang),
        columns=(
            Column(key=seed.name, title=metric_title(seed, lang), better="lower"),
            Column(key=AFTER_VETO.name, title=metric_title(AFTER_VETO, lang), better="lower"),
            Column(key="clause_vetoed", title=word("vetoed", lang)),
            Column(key="quotations", title=word("quotations", lang)),
        ),
        rows=tuple(
            Row(
                label=name,
                cells=(
                    rates[name],
                    TableCell(value=outcome.rate, interval=outcome.interval),
                    TableCell(value=len(outcome.disagreements)),
                    TableCell(value=outcome.quotations),
                ),
            )
            for name, outcome in checked.items()
        ),
        notes=(word("veto note", lang),),
    )
    rows = [
        Row(
            label=f"{name}: {item.question_id}",
            cells=(
                TableCell(value=item.quotation),
                TableCell(value=item.score),
                TableCell(value="; ".join(item.veto)),
            ),
        )
        for name, outcome in checked.items()
        for item in outcome.disagreements
    ]
    return [rate_table, _listing(rows, lang)] if rows else [rate_table]


def _listing(rows: Sequence[Row], lang: Lang) -> Table:
    return Table(
        title=word("disagreements", lang),
        label_title=word("variant: clause", lang),
        columns=(
            Column(key="quotation", title=word("quotation", lang), align="left"),
            Column(key="score", title=word("model score", lang)),
            Column(key="veto", title=word("objections", lang), align="left"),
        ),
        rows=tuple(rows),
    )
