"""The legend of several lines, under the axes."""

from collections.abc import Sequence

from matplotlib.lines import Line2D

from assay.report.chart.style import Canvas


def add_legend(drawing: Canvas, names: Sequence[str], handles: Sequence[Line2D]) -> None:
    """Add a legend with as many columns as fit."""
    texts = drawing.names(list(names), 0.8)
    columns = drawing.columns(texts, beside=40)
    legend = drawing.figure.legend(
        handles, ["x"] * len(handles), loc="outside lower center", ncols=columns
    )
    # the names are set afterwards: matplotlib omits a name that begins with an underscore
    for entry, text in zip(legend.get_texts(), texts, strict=True):
        entry.set_text(text)
    lines = sum(1 + text.count("\n") for text in texts)
    drawing.set_height(drawing.axes_inches, legend_lines=lines)
