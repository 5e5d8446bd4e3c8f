"""The table of differences of a study, and what their intervals are about."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import UNSET

from assay.jobs.study.finding import RunFindings
from assay.report.table import Column, Row, Table, TableCell, shown_interval, significance
from assay.report.words import Lang, metric_title, value_word, word
from assay.stats import Effect

Basis: TypeAlias = Literal["questions", "documents"]


def effect_table(
    findings: RunFindings, effects: Sequence[Effect], lang: Lang = "en", title: str = "effects"
) -> Table:
    """Every comparison: difference, interval, test, corrected p-value, verdict."""
    titles = {metric.name: metric_title(metric, lang) for metric in findings.job.metrics}
    compared = [effect for effect in effects if effect.n]
    corrected, plain = _interval_titles(compared, lang)
    columns = (
        Column(key="metric", title=word("metric", lang), align="left"),
        Column(key="n", title=word("pairs", lang)),
        Column(key="difference", title=corrected, signed=True),
        Column(key="plain", title=plain, signed=True, align="left"),
        Column(key="gained", title=word("gained", lang)),
        Column(key="lost", title=word("lost", lang)),
        Column(key="test", title=word("test", lang), align="left"),
        Column(key="p", title="p", digits=4, never_zero=True),
        Column(key="p_adjusted", title=word("p adjusted", lang), digits=4, never_zero=True),
        Column(key="family", title=word("family", lang), align="left"),
        Column(key="detectable", title=word("detectable", lang)),
        Column(key="verdict", title=word("verdict", lang), align="left"),
    )
    rows = tuple(
        Row(
            label=effect.variant,
            cells=(
                TableCell(value=titles.get(effect.metric, effect.metric), name=effect.metric),
                TableCell(value=effect.n),
                TableCell(value=effect.difference, interval=effect.interval),
                TableCell(value=_plain(effect)),
                TableCell(value=effect.gained),
                TableCell(value=effect.lost),
                TableCell(value=value_word("test", effect.test, lang)),
                TableCell(value=effect.p_value),
                TableCell(value=effect.p_adjusted, significance=significance(effect.p_adjusted)),
                TableCell(value=word(f"family {effect.family}", lang)),
                TableCell(value=effect.detectable),
                TableCell(value=_verdict(effect, lang)),
            ),
        )
        for effect in compared
    )
    left_out = dict.fromkeys(
        titles.get(effect.metric, effect.metric) for effect in effects if not effect.n
    )
    notes = [word("no pairs note", lang).format(metrics=", ".join(left_out))] if left_out else []
    return Table(
        title=word(title, lang),
        columns=columns,
        rows=rows,
        notes=(*notes, *_family_notes(compared, lang)),
    )


def interval_bases(effect: Effect) -> tuple[Basis, Basis]:
    """What the corrected and the plain interval are about: new questions, or new documents."""
    plain = effect.plain_interval
    is_clustered = effect.test == "cluster-permutation"
    # a percentile of questions that were asked often is about questions, and so named as well
    is_of_questions = effect.questions is not UNSET and not effect.test
    is_plain_clustered = plain is not None and plain.method.startswith("cluster")
    is_plain_clustered = is_plain_clustered and not is_of_questions
    return (
        "documents" if is_clustered else "questions",
        "documents" if is_plain_clustered else "questions",
    )


def _interval_titles(effects: Sequence[Effect], lang: Lang) -> list[str]:
    """The titles of the two columns with an interval; they say what it is about where that differs."""
    titles = [word("difference title", lang), word("plain interval", lang)]
    bases = {interval_bases(effect) for effect in effects if effect.test}
    if all(first == second for first, second in bases):
        return titles
    return [
        f"{title} ({' / '.join(word(f'interval {basis}', lang) for basis in sorted(set(about)))})"
        for title, about in zip(titles, zip(*bases, strict=True), strict=True)
    ]


def _plain(effect: Effect) -> str | None:
    """The plain interval as text; ``None`` if it is unknown or there is no other one."""
    interval = effect.plain_interval
    if interval is None or not effect.test:
        return None
    return shown_interval(interval, Column(key="", signed=True))


def _family_notes(effects: Sequence[Effect], lang: Lang) -> Iterable[str]:
    """What is corrected together, and what each of the two intervals says."""
    tested = Counter(effect.family for effect in effects if effect.p_value is not None)
    for family in ("primary", "quality", "latency"):
        if tested[family] > 1:
            title = word(f"family {family}", lang)
            yield word("family note", lang).format(family=title, n=tested[family])
    if tested:
        yield word("both intervals note", lang)
    if any(len(set(interval_bases(effect))) > 1 for effect in effects if effect.test):
        yield word("interval bases note", lang)


def _verdict(effect: Effect, lang: Lang) -> str | None:
    """The verdict as a word; ``None`` if nothing was tested."""
    if effect.verdict == "unclear" and not effect.test:
        return None
    verdict = word(f"verdict {effect.verdict}", lang)
    if effect.verdict == "too few" and effect.needed is not None:
        verdict += word("verdict needed", lang).format(n=effect.needed)
    return verdict
