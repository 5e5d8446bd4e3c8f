"""Charts for papers: PNG at 300 dpi, SVG or PDF, as the path's suffix says.

Importing this module loads matplotlib; import it where a chart is drawn.
"""

from assay.report.bar import bar_chart
from assay.report.confusion import confusion_chart
from assay.report.effect import effect_chart
from assay.report.font import font_note
from assay.report.line import line_chart
from assay.report.point import Bar, Difference, LinePoint, Spot, pareto_front
from assay.report.scatter import scatter_chart

__all__ = [
    "Bar",
    "Difference",
    "LinePoint",
    "Spot",
    "bar_chart",
    "confusion_chart",
    "effect_chart",
    "font_note",
    "line_chart",
    "pareto_front",
    "scatter_chart",
]
