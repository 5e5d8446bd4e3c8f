"""Charts for papers; the suffix of the path selects PNG (300 dpi), SVG or PDF.

A name that draws imports matplotlib when it is first asked for.
"""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.report.chart.bar import bar_chart
    from assay.report.chart.bundled_font import font_note
    from assay.report.chart.confusion import confusion_chart
    from assay.report.chart.effect import effect_chart
    from assay.report.chart.line import line_chart
    from assay.report.chart.point import Bar, Difference, LinePoint, Spot, pareto_front
    from assay.report.chart.scatter import scatter_chart
    from assay.report.chart.sequence import SequenceSeries, SequenceStep, sequence_chart
    from assay.report.chart.style import INK, NAME_SIZE, Canvas, Width, canvas
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "Bar": "point",
            "Canvas": "style",
            "Difference": "point",
            "INK": "style",
            "LinePoint": "point",
            "NAME_SIZE": "style",
            "SequenceSeries": "sequence",
            "SequenceStep": "sequence",
            "Spot": "point",
            "Width": "style",
            "bar_chart": "bar",
            "canvas": "style",
            "confusion_chart": "confusion",
            "effect_chart": "effect",
            "font_note": "bundled_font",
            "line_chart": "line",
            "pareto_front": "point",
            "scatter_chart": "scatter",
            "sequence_chart": "sequence",
        },
    )

__all__ = [
    "INK",
    "NAME_SIZE",
    "Bar",
    "Canvas",
    "Difference",
    "LinePoint",
    "SequenceSeries",
    "SequenceStep",
    "Spot",
    "Width",
    "bar_chart",
    "canvas",
    "confusion_chart",
    "effect_chart",
    "font_note",
    "line_chart",
    "pareto_front",
    "scatter_chart",
    "sequence_chart",
]
