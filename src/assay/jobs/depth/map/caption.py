"""What stands around a map: its title, the table below it, and the notes."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from assay.jobs.depth.map.mean import MeanRecall, View
from assay.jobs.depth.map.results import ModelResults
from assay.jobs.depth.map.tile import shown_recall
from assay.report.heatmap import Mean
from assay.report.words import Lang, heat_word, shown_count

Mode: TypeAlias = Literal["depth", "coverage", "accuracy"]
MEANS: Final[tuple[Mean, ...]] = ("cells", "questions")


def default_title(found: Sequence[ModelResults], mode: Mode, lang: Lang) -> str:
    """What the map shows, of which models, on which data set."""
    models = " / ".join(results.model for results in found)
    sets = data_sets(found)
    head = f"{heat_word(f'{mode} map', lang)} · {models}"
    named = f"{heat_word('data set', lang)}{heat_word('colon', lang)}{sets}"
    return f"{head} · {named}" if sets else head


def data_sets(found: Sequence[ModelResults]) -> str:
    """The names of the data sets, each once."""
    return ", ".join(dict.fromkeys(results.data_set for results in found if results.data_set))


def summary_table(
    found: Sequence[ModelResults], means: Sequence[MeanRecall], view: View, lang: Lang
) -> tuple[tuple[str, ...], ...]:
    """A row a model: how its answers ended, and both means in the view the map opens with."""
    heads = ("model", "data set", "answers", "unparsed", "failed", "skipped")
    suffix = heat_word(view, lang)
    rows = [
        (
            *(heat_word(head, lang) for head in heads),
            *(f"{heat_word(f'mean of {kind}', lang)} ({suffix})" for kind in MEANS),
        )
    ]
    for results, overall in zip(found, means, strict=True):
        counts = (
            len(results.replies),
            results.unparsed,
            sum(results.failed.values()),
            sum(results.skipped.values()),
        )
        rows.append(
            (
                results.model,
                results.data_set or "–",
                *(shown_count(count, lang) for count in counts),
                shown_recall(overall.of_cells, None, lang),
                shown_recall(overall.of_questions, overall.interval, lang),
            )
        )
    return tuple(rows)


def result_notes(found: Sequence[ModelResults], lang: Lang) -> list[str]:
    """What a reader must know of how the rows were taken."""
    notes = []
    for results in found:
        for name in ("replaced", "unplaced", "unscored"):
            count = getattr(results, name)
            if count:
                number = shown_count(count, lang)
                notes.append(heat_word(f"note {name}", lang, model=results.model, n=number))
        if results.excluded is not None and results.known is None:
            notes.append(heat_word("note unknown", lang, model=results.model))
        elif results.excluded is not None and results.known is not None:
            notes.append(
                heat_word(
                    "note excluded",
                    lang,
                    model=results.model,
                    n=shown_count(results.excluded, lang),
                    questions=shown_count(len(results.known), lang),
                )
            )
    return notes
