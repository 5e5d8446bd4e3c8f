"""The title of a map, the table below it, and the notes."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from assay.jobs.depth.map.mean import MeanRecall, View
from assay.jobs.depth.map.results import ModelResults
from assay.jobs.depth.map.tile import shown_recall
from assay.report.heatmap import Mean
from assay.report.words import Lang, NotedCount, heat_word, shown_count

Mode: TypeAlias = Literal["depth", "coverage", "accuracy", "combined", "combined_depth"]
MEANS: Final[tuple[Mean, ...]] = ("cells", "questions")


def default_title(models: Sequence[ModelResults], mode: Mode, lang: Lang) -> str:
    """A title that says what the map shows, of which models, on which data set."""
    names = " / ".join(results.model for results in models)
    sets = data_sets(models)
    title = f"{heat_word(f'{mode} map', lang)} · {names}"
    data_set = f"{heat_word('data set', lang)}{heat_word('colon', lang)}{sets}"
    return f"{title} · {data_set}" if sets else title


def data_sets(models: Sequence[ModelResults]) -> str:
    """The names of the data sets, each once."""
    return ", ".join(dict.fromkeys(results.data_set for results in models if results.data_set))


def summary_table(
    models: Sequence[ModelResults], means: Sequence[MeanRecall], view: View, lang: Lang
) -> tuple[tuple[str, ...], ...]:
    """A table with one row for each model: counts of its answers, and both means in ``view``.

    ``means`` are the overall means of the models. The first row has the column titles. Answers of
    results without depths are in no cell: then there is no mean of cells.
    """
    has_cells = any(overall.of_cells is not None for overall in means) or not any(
        overall.n for overall in means
    )
    unjudged = ("answered",) if any(results.answered for results in models) else ()
    heads = ("model", "data set", "answers", "unparsed", *unjudged, "failed", "skipped")
    suffix = heat_word(view, lang)
    rows = [
        (
            *(heat_word(head, lang) for head in heads),
            *(
                f"{heat_word(f'mean of {kind}', lang)} ({suffix})"
                for kind in MEANS
                if has_cells or kind != "cells"
            ),
        )
    ]
    for results, overall in zip(models, means, strict=True):
        counts = (
            len(results.replies),
            results.unparsed,
            *((sum(results.answered.values()),) if unjudged else ()),
            sum(results.failed.values()),
            sum(results.skipped.values()),
        )
        rows.append(
            (
                results.model,
                results.data_set or "–",
                *(shown_count(count, lang) for count in counts),
                *((_mean_of_cells(overall, lang),) if has_cells else ()),
                shown_recall(overall.of_questions, overall.interval, lang),
            )
        )
    return tuple(rows)


def _mean_of_cells(overall: MeanRecall, lang: Lang) -> str:
    is_in_no_cell = overall.of_cells is None and overall.n > 0
    return "–" if is_in_no_cell else shown_recall(overall.of_cells, None, lang)


def result_notes(models: Sequence[ModelResults], lang: Lang) -> list[str]:
    """Notes about rows that were replaced or left out."""
    notes = []
    for results in models:
        if results.unknown_statuses:
            names = ", ".join(results.unknown_statuses)
            notes.append(heat_word("note statuses", lang, model=results.model, names=names))
        for name in ("replaced", "unplaced", "unscored", "contradicted", "outside"):
            count = getattr(results, name)
            if count:
                number = NotedCount(count, lang)
                notes.append(heat_word(f"note {name}", lang, model=results.model, n=number))
        if results.excluded is not None and results.known is None:
            notes.append(heat_word("note unknown", lang, model=results.model))
        elif results.excluded is not None and results.known is not None:
            notes.append(
                heat_word(
                    "note excluded",
                    lang,
                    model=results.model,
                    n=NotedCount(results.excluded, lang),
                    questions=NotedCount(len(results.known), lang),
                )
            )
    return notes
