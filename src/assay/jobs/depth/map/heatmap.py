"""The results as a heatmap by context length and depth, for one or several models."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from assay.jobs.depth.map.difference import DifferenceMap, difference_map
from assay.jobs.depth.map.mean import VIEWS, DepthMap, MeanRecall, View, depth_map
from assay.jobs.depth.map.page import (
    Entry,
    Grid,
    GridView,
    Heatmap,
    ListedQuestion,
    ListedReply,
    Listing,
    Margin,
    Mean,
    PaletteName,
    Panel,
    Tile,
)
from assay.jobs.depth.map.results import AskedQuestion, ModelResults, Reply, depth_order
from assay.jobs.depth.map.tile import (
    cell_tile,
    difference_tile,
    mean_tile,
    position_facts,
    shown_recall,
)
from assay.jobs.depth.map.words import (
    heat_word,
    length_labels,
    shown_count,
    shown_percent,
)
from assay.words.language import Lang
from assay.words.say import say_n_in

# The title of a map, the table below it, and the notes.

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
                number = count
                notes.append(heat_word(f"note {name}", lang, model=results.model, n=number))
        if results.excluded is not None and results.known is None:
            notes.append(heat_word("note unknown", lang, model=results.model))
        elif results.excluded is not None and results.known is not None:
            notes.append(
                heat_word(
                    "note excluded",
                    lang,
                    model=results.model,
                    n=results.excluded,
                    questions=say_n_in(lang, "{n} question", "{n} questions", len(results.known)),
                )
            )
    return notes


# The questions behind each tile, limited in number so that the page does not become too large.
#
# In each listing, answers that are not fully right come first; in a listing of pairs, answers that
# changed come first. Beyond the limit, the rest is only counted.

MOST_LISTED: Final = 6_000
"""The maximum number of questions listed on a page, in all its tiles together."""

MOST_IN_TILE: Final = 120
FEWEST_IN_TILE: Final = 8


class Listings:
    """Collects the listings of a page; a question that several models answered is stored once."""

    def __init__(self, lang: Lang, tiles: int) -> None:
        self._lang: Lang = lang
        self._most = max(FEWEST_IN_TILE, min(MOST_IN_TILE, MOST_LISTED // max(1, tiles)))
        self._numbers: dict[AskedQuestion, int] = {}
        self.questions: list[ListedQuestion] = []
        self.listings: list[Listing] = []

    def add_cell(self, title: str, results: ModelResults, replies: Sequence[Reply]) -> int:
        """Add a listing of one model's answers and return the listing's number."""
        ordered = sorted(replies, key=lambda reply: (reply.score == 1.0, reply.score))
        entries = [self._entry(results, [(results, reply)]) for reply in ordered[: self._most]]
        rest = ordered[self._most :]
        parsed = [reply for reply in rest if reply.parsed]
        more: dict[GridView, str] = {}
        for view, left in (("all", rest), ("parsed", parsed)):
            if left:
                right = sum(reply.score == 1.0 for reply in left)
                more[view] = self._word(  # type: ignore[index]  # one of the two above
                    "more", n=len(left), right=right, wrong=len(left) - right
                )
        return self._add(title, (results.model,), entries, more)

    def add_pairs(
        self,
        title: str,
        results: ModelResults,
        baseline: ModelResults,
        pairs: Sequence[tuple[Reply, Reply]],
    ) -> int:
        """Add a listing of the paired answers of two models and return the listing's number."""
        ordered = sorted(pairs, key=lambda pair: -abs(pair[0].score - pair[1].score))
        entries = [
            self._entry(baseline, [(results, reply), (baseline, baseline_reply)])
            for reply, baseline_reply in ordered[: self._most]
        ]
        rest = ordered[self._most :]
        readable = [pair for pair in rest if pair[0].parsed and pair[1].parsed]
        more: dict[GridView, str] = {}
        for view, left in (("all", rest), ("parsed", readable)):
            if left:
                changed = sum(reply.score != other.score for reply, other in left)
                more[view] = self._word(  # type: ignore[index]  # one of the two above
                    "more pairs", n=len(left), changed=changed
                )
        return self._add(title, (results.model, baseline.model), entries, more)

    def _add(
        self,
        title: str,
        models: tuple[str, ...],
        entries: Sequence[Entry],
        more: dict[GridView, str],
    ) -> int:
        self.listings.append(Listing(title=title, models=models, entries=tuple(entries), more=more))
        return len(self.listings) - 1

    def _entry(self, source: ModelResults, replies: Sequence[tuple[ModelResults, Reply]]) -> Entry:
        return Entry(
            question=self._question(source.questions[replies[-1][1].question]),
            replies=tuple(
                ListedReply(
                    answer=reply.answer,
                    score=reply.score,
                    parsed=reply.parsed,
                    facts=self._facts(reply),
                )
                for _, reply in replies
            ),
        )

    def _question(self, question: AskedQuestion) -> int:
        """The number of a question on the page; adds the question if it is new."""
        number = self._numbers.get(question)
        if number is None:
            number = self._numbers[question] = len(self.questions)
            letters = {letter for letter, _ in question.choices}
            right = tuple(part for part in question.correct.split(", ") if part in letters)
            self.questions.append(
                ListedQuestion(
                    text=question.text,
                    choices=question.choices,
                    correct=question.correct,
                    right=right,
                    facts=self._position(question),
                )
            )
        return number

    def _position(self, question: AskedQuestion) -> str:
        if question.position is None:
            return ""
        start, end = (shown_count(token, self._lang) for token in question.position)
        return heat_word("at tokens", self._lang, start=start, end=end)

    def _facts(self, reply: Reply) -> str:
        if reply.depth is None:
            return ""
        return heat_word(
            "at depth", self._lang, depth=shown_percent(reply.depth, self._lang, digits=1)
        )

    def _word(self, key: str, **counts: int) -> str:
        fields = {name: shown_count(count, self._lang) for name, count in counts.items()}
        return heat_word(key, self._lang, **fields)


def depth_heatmap(
    models: Sequence[ModelResults],
    *,
    lang: Lang = "en",
    title: str = "",
    view: View = "all",
    mean: Mean = "cells",
    palette: PaletteName = "green-red",
) -> Heatmap:
    """A map of each model on a shared grid, and the difference of each other model to the first."""
    lengths, bins = shared_grid(models)
    grid_tiles = len(lengths) * len(bins) * (2 * len(models) - 1)
    listings = Listings(lang, grid_tiles)
    maps = [
        {
            map_view: depth_map(results, map_view, lengths=lengths, depth_bins=bins)
            for map_view in VIEWS
        }
        for results in models
    ]
    panels = [
        _model_panel(results, model_maps, listings, lang)
        for results, model_maps in zip(models, maps, strict=True)
    ]
    notes = result_notes(models, lang)
    for results in models[1:]:
        differences = {
            map_view: difference_map(results, models[0], map_view, lengths=lengths, depth_bins=bins)
            for map_view in VIEWS
        }
        if differences["all"].pairs:
            panels.append(_difference_panel(results, models[0], differences, listings, lang))
        else:
            notes.append(
                heat_word("note unpaired", lang, model=results.model, baseline=models[0].model)
            )
    return Heatmap(
        title=title or default_title(models, "depth", lang),
        lang=lang,
        rows=length_labels(lengths),
        columns=bins,
        row_title=heat_word("context length", lang),
        column_title=heat_word("depth", lang),
        panels=tuple(panels),
        summary=summary_table(
            models, [model_maps[view].overall for model_maps in maps], view, lang
        ),
        notes=tuple(notes),
        questions=tuple(listings.questions),
        listings=tuple(listings.listings),
        view=view,
        mean=mean,
        palette=palette,
    )


def shared_grid(models: Sequence[ModelResults]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """All context lengths and depths that occur in any of the results."""
    lengths = sorted({length for results in models for length in results.lengths})
    bins = sorted({label for results in models for label in results.depth_bins}, key=depth_order)
    return tuple(lengths), tuple(bins)


def _model_panel(
    results: ModelResults, maps: Mapping[View, DepthMap], listings: Listings, lang: Lang
) -> Panel:
    replies: dict[tuple[int, str], list[Reply]] = {}
    for reply in results.replies:
        replies.setdefault((reply.length, reply.depth_bin), []).append(reply)
    lengths, bins = tuple(maps["all"].by_length), tuple(maps["all"].by_depth)
    labels = dict(zip(lengths, length_labels(lengths), strict=True))
    listing_numbers = {
        (length, depth_bin): listings.add_cell(
            f"{results.model} · {labels[length]} · {depth_bin}", results, cell_replies
        )
        for (length, depth_bin), cell_replies in sorted(replies.items())
    }
    grids = {}
    for view, recall_map in maps.items():
        cells = iter(recall_map.cells)
        tiles = tuple(
            tuple(
                cell_tile(next(cells), lang, listing_numbers.get((length, label))) for label in bins
            )
            for length in lengths
        )
        margins = {kind: _margin(recall_map, kind, lang) for kind in MEANS}
        grids[view] = Grid(tiles=tiles, margins=margins)
    return Panel(name=results.model, grids=grids)


def _margin(recall_map: DepthMap, kind: Mean, lang: Lang) -> Margin:
    return Margin(
        rows=tuple(
            mean_tile(mean, kind, position_facts(lang, length=length), lang)
            for length, mean in recall_map.by_length.items()
        ),
        columns=tuple(
            mean_tile(mean, kind, position_facts(lang, depth_bin=label), lang)
            for label, mean in recall_map.by_depth.items()
        ),
        corner=mean_tile(recall_map.overall, kind, [], lang),
    )


def _difference_panel(
    results: ModelResults,
    baseline: ModelResults,
    maps: dict[View, DifferenceMap],
    listings: Listings,
    lang: Lang,
) -> Panel:
    name = heat_word("difference of", lang, model=results.model, baseline=baseline.model)
    labels = length_labels(tuple(maps["all"].by_length))
    label_of = dict(zip(maps["all"].by_length, labels, strict=True))
    listing_numbers = {
        (length, depth_bin): listings.add_pairs(
            f"{name} · {label_of[length]} · {depth_bin}", results, baseline, pairs
        )
        for (length, depth_bin), pairs in sorted(maps["all"].pairs.items())
    }
    grids = {
        view: _difference_grid(differences, listing_numbers, lang)
        for view, differences in maps.items()
    }
    largest = max(
        abs(cell.difference)
        for differences in maps.values()
        for cell in differences.cells.values()
        if cell.difference is not None
    )
    note = heat_word(
        "note difference",
        lang,
        cells=str(maps["all"].tested),
        n=maps["all"].fewest_changes,
    )
    return Panel(name=name, scale="difference", reach=_round_reach(largest), grids=grids, note=note)


def _difference_grid(
    differences: DifferenceMap, listing_numbers: dict[tuple[int, str], int], lang: Lang
) -> Grid:
    bins = list(differences.by_depth)
    tiles: tuple[tuple[Tile, ...], ...] = tuple(
        tuple(
            difference_tile(
                differences.cells[length, label],
                position_facts(lang, length, label),
                lang,
                listing_numbers.get((length, label)),
            )
            for label in bins
        )
        for length in differences.by_length
    )
    margin = Margin(
        rows=tuple(
            difference_tile(row, position_facts(lang, length=length), lang)
            for length, row in differences.by_length.items()
        ),
        columns=tuple(
            difference_tile(column, position_facts(lang, depth_bin=label), lang)
            for label, column in differences.by_depth.items()
        ),
        corner=difference_tile(differences.overall, [], lang),
    )
    return Grid(tiles=tiles, margins=dict.fromkeys(MEANS, margin))


def _round_reach(largest: float) -> float:
    """The end of the colour scale: the largest difference rounded up to 0.1, at least 0.2."""
    return max(0.2, min(1.0, -(-round(largest * 1000) // 100) / 10))
