"""Charts for papers; the suffix of the path selects PNG (300 dpi), SVG or PDF.

Importing this package loads matplotlib, so import it only where a chart is drawn.
"""

from assay.report.chart.bar import bar_chart
from assay.report.chart.confusion import confusion_chart
from assay.report.chart.effect import effect_chart
from assay.report.chart.font import font_note
from assay.report.chart.line import line_chart
from assay.report.chart.point import Bar, Difference, LinePoint, Spot, pareto_front
from assay.report.chart.scatter import scatter_chart
from assay.report.chart.sequence import SequenceSeries, SequenceStep, sequence_chart
from assay.report.chart.style import INK, NAME_SIZE, Canvas, Width, canvas

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
