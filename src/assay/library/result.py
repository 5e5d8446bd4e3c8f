"""``Run``: what was recorded of a run, as tables, rows, figures, and as a notebook shows it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from assay.checks.own_scorer import declarations
from assay.errors import RunStopped, UseError
from assay.library.case_list import CaseList
from assay.library.frame import FrameLibrary, frame_of, write_parquet
from assay.library.notebook import run_html, run_text
from assay.records import Metric, Tally
from assay.registry import nearest
from assay.report.table.table import Table
from assay.results.job import job_spec_of
from assay.runs.read import last_row_fields
from assay.runs.summary import Summary, read_summary
from assay.runs.write import summary_path
from assay.study.recorded import RecordedRun
from assay.words.language import language
from assay.words.message import text_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from assay.results.run_cases import RunCases
    from assay.study.finding import RunFindings

StrPath: TypeAlias = str | PathLike[str]
Kind = Literal["profile", "bar", "effect", "latency", "line", "sequence"]
_DOTS_PER_INCH: Final = 192
_SHOWN_PER_INCH: Final = 110
_FAILED: Final = ("question_id", "config", "error", "question")
_LOOKED_AT: Final = ("question_id", "config", "question", "answer")
_TABLE: Final = ("variant", "metric", "title", "value", "low", "high", "n", "unsure", "better")
_DIFFERENCES: Final = (
    "variant", "baseline", "metric", "difference", "low", "high", "n", "p", "p_adjusted", "verdict",
)  # fmt: skip


class Run:
    """A run that is recorded: what ``run``, ``ablate``, ``evaluate`` and ``open`` return.

    ``path`` is the file of its rows. ``stopped`` says why it ended before its last case; ``None`` if
    it did not, or if it was opened. ``notes`` are what there was to say about the questions and the
    system. The rows are read when they are first needed; a run that is still being recorded by another
    process is opened again to see more of it.
    """

    def __init__(
        self,
        path: Path,
        *,
        recorded: RecordedRun | None = None,
        stopped: RunStopped | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.path = path
        self.stopped = stopped
        self.notes = tuple(notes)
        self._recorded = recorded

    @property
    def name(self) -> str:
        """The name of the run: that of its file, as ``assay report`` takes it."""
        return self.path.stem

    @property
    def summary(self) -> Summary:
        """What ``NAME.json`` says: what was run on what, how far it is, its results and its cost."""
        found = read_summary(summary_path(self.path))
        if found is None:
            raise UseError(f"{summary_path(self.path)}: the run has no summary")
        return found

    @property
    def tally(self) -> Tally:
        """How many cases are scored, answered but not judged, failed and skipped."""
        return self.summary.tally

    @property
    def is_complete(self) -> bool:
        """Whether every case is scored or skipped."""
        return self.summary.state == "complete"

    @property
    def cost(self) -> float | None:
        """What the run has cost so far, with its judges; ``None`` if no price is known."""
        return self.summary.paid

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants that have rows, the baseline among them."""
        return tuple(variant.name for variant in self.findings.analysis.variants)

    @cached_property
    def findings(self) -> "RunFindings":
        """The analysis behind all tables, for programs that need more than these."""
        from assay.library.report import analysed  # noqa: PLC0415 - NumPy is slow to import
        from assay.study.labelled import analyse_labelled  # noqa: PLC0415 - as above

        if self._recorded is not None:
            return analyse_labelled(self._recorded.results)
        return analysed(self.path)[0]

    def table(
        self,
        by: str | Sequence[str] = (),
        *,
        metric: str | None = None,
        frame: FrameLibrary | None = None,
    ) -> Any:
        """The metrics as a DataFrame: value, interval and number of questions, for each variant.

        ``by`` are fields of the questions: then it is one metric by their groups. ``metric`` limits the
        table to one. ``frame`` is the library, by default the one that there is.
        """
        if by:
            from assay.library.report import part_groups  # noqa: PLC0415 - NumPy is slow to import
            from assay.study.subgroup import asked_fields  # noqa: PLC0415 - as above

            fields = asked_fields([by] if isinstance(by, str) else by)
            groups, _ = part_groups({"": self.path}, fields, metric, "en", flat=True)
            return frame_of(_table_columns(groups[0]), frame)
        chosen = self.findings.metrics if metric is None else (self.metric(metric),)
        rows: list[dict[str, Any]] = []
        for variant in self.findings.analysis.variants:
            for each in chosen:
                cell = variant.cells[each.name]
                rows.append(
                    {
                        "variant": variant.name,
                        "metric": each.name,
                        "title": each.title,
                        "value": cell.value,
                        "low": cell.interval.low if cell.interval else None,
                        "high": cell.interval.high if cell.interval else None,
                        "n": cell.n,
                        "unsure": cell.unsure,
                        "better": each.better,
                    }
                )
        return frame_of(_columns(rows, _TABLE), frame)

    def differences(self, *, metric: str | None = None, frame: FrameLibrary | None = None) -> Any:
        """The variants against the baseline as a DataFrame: difference, interval, test and verdict."""
        names = None if metric is None else {self.metric(metric).name}
        rows = [
            {
                "variant": effect.variant,
                "baseline": effect.baseline,
                "metric": effect.metric,
                "difference": effect.difference,
                "low": effect.interval.low if effect.interval else None,
                "high": effect.interval.high if effect.interval else None,
                "n": effect.n,
                "p": effect.p_value,
                "p_adjusted": effect.p_adjusted,
                "verdict": effect.verdict,
            }
            for effect in self.findings.analysis.effects
            if effect.n and (names is None or effect.metric in names)
        ]
        return frame_of(_columns(rows, _DIFFERENCES), frame)

    def rows(self, *, flat: bool = True, frame: FrameLibrary | None = None) -> Any:
        """The rows as a DataFrame, one for each case, with scores as columns.

        Columns have the names of the fields of a row; what is nested has dots, such as
        ``usage.calls``. Passages, stages and bookkeeping are left out; without ``flat`` there is every
        field as it is recorded.
        """
        return frame_of(self._row_columns(flat=flat), frame)

    def to_parquet(self, path: StrPath) -> Path:
        """Write the rows, as ``rows()`` has them, into a Parquet file; return its path."""
        written = Path(path)
        write_parquet(self._row_columns(flat=True), written)
        return written

    def plot(self, kind: Kind | None = None, *, metric: str | None = None) -> "Figure":
        """A chart as a figure of matplotlib.

        ``profile``: the metrics of one variant. ``bar``: a metric of each variant. ``effect``: the
        differences to the baseline. ``latency``: seconds against the metric. ``line``: along a
        variable with an order. ``sequence``: how a run that stops early came to its decisions. By
        default it is the profile of one variant, or the effects of several.

        Raises:
            UseError: there is no such chart, or the run has nothing to draw in it.
        """
        from assay.study.chart import KINDS, figure  # noqa: PLC0415 - matplotlib is slow to import

        kind = kind or ("effect" if len(self.variants) > 1 else "profile")
        if kind not in KINDS:
            raise UseError(f"there is no chart {kind!r}{nearest(kind, list(KINDS))}")
        drawn = figure(self.findings, self.metric(metric), kind, language())
        if drawn is None:
            raise UseError(f"{self.name}: the run has nothing to draw in a chart of kind {kind!r}")
        _show_as_picture(drawn)
        return drawn

    def metric(self, name: str | None = None) -> Metric:
        """The metric of this name or title; by default the one that decides."""
        return self.findings.job.metric(name or self.findings.analysis.primary)

    @cached_property
    def failures(self) -> CaseList:
        """The cases without an answer, with the error of each; running again asks them again."""
        failed = [row for row in self._last_rows if row.get("status") == "failed"]
        return CaseList(({name: row.get(name) for name in _FAILED} for row in failed), _FAILED)

    @property
    def unsure(self) -> CaseList:
        """The answers that the check is unsure of: a person or a judge should look at them."""
        return self._faults(unsure=True)

    @property
    def wrong(self) -> CaseList:
        """The answers that are not right, as far as that is known, with the reason."""
        return self._faults(unsure=False)

    def _faults(self, *, unsure: bool) -> CaseList:
        # imported here because it loads what asks, and a comparison asks nothing
        from assay.jobs.answers.failed_question import faulty_rows, is_unsure  # noqa: PLC0415

        lang = language()
        return CaseList(
            (
                {**{name: row.get(name) for name in _LOOKED_AT}, "reason": text_of(reason, lang)}
                for row, reason in faulty_rows(self._last_rows, self.metric())
                if is_unsure(reason) == unsure and row.get("status") != "failed"
            ),
            (*_LOOKED_AT, "reason"),
        )

    @cached_property
    def _last_rows(self) -> list[dict[str, Any]]:
        """The last row of each case of the run, with all its fields."""
        cases = self._cases()
        return [row for key, row in last_row_fields(self.path).items() if key in cases]

    def _row_columns(self, *, flat: bool) -> dict[str, list[Any]]:
        from assay.library.judging import judge_columns  # noqa: PLC0415 - NumPy is slow to import
        from assay.results.flat_row import read_columns  # noqa: PLC0415 - as above

        summary = read_summary(summary_path(self.path))
        own = declarations(summary.extra) if summary is not None else {}
        columns = read_columns(self.path, self._cases(), flat=flat, own=own)
        for name, scores in judge_columns(self.path):
            columns[name] = [scores.get(key) for key in columns["key"]]
        return columns

    def _cases(self) -> "RunCases":
        from assay.results.run_cases import read_run_cases  # noqa: PLC0415 - as above

        summary = read_summary(summary_path(self.path))
        return read_run_cases(self.path, summary, job_spec_of(summary))

    def __repr__(self) -> str:
        return run_text(self)

    def _repr_html_(self) -> str:
        return run_html(self)


def _columns(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in names}


def _table_columns(table: Table) -> dict[str, list[Any]]:
    """A table as columns; one with intervals is followed by those of their ends, as in CSV."""
    columns: dict[str, list[Any]] = {table.label_key: [row.label for row in table.rows]}
    for number, column in enumerate(table.columns):
        cells = [row.cells[number] for row in table.rows]
        columns[column.key] = [cell.value for cell in cells]
        if any(cell.interval for cell in cells):
            for end in ("low", "high"):
                columns[f"{column.key}_{end}"] = [
                    getattr(cell.interval, end, None) for cell in cells
                ]
    return columns


def _show_as_picture(figure: "Figure") -> None:
    """Let a notebook show the figure, which no window of matplotlib manages."""

    def picture() -> tuple[bytes, dict[str, float]]:
        data = BytesIO()
        figure.savefig(data, format="png", dpi=_DOTS_PER_INCH)
        width, height = figure.get_size_inches() * _SHOWN_PER_INCH
        return data.getvalue(), {"width": float(width), "height": float(height)}

    figure._repr_png_ = picture  # type: ignore[attr-defined]
