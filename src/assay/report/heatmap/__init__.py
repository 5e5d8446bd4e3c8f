"""Heatmaps as data, as a web page and as a picture for papers.

Importing this package loads matplotlib, so import it only where a heatmap is drawn.
"""

from assay.report.heatmap.chart import heatmap_chart
from assay.report.heatmap.grid import (
    Axes,
    Entry,
    Grid,
    Heatmap,
    ListedQuestion,
    ListedReply,
    Listing,
    Margin,
    Mean,
    PaletteName,
    Panel,
    Tile,
    View,
)
from assay.report.heatmap.merge import merged
from assay.report.heatmap.page import as_html

__all__ = [
    "Axes",
    "Entry",
    "Grid",
    "Heatmap",
    "ListedQuestion",
    "ListedReply",
    "Listing",
    "Margin",
    "Mean",
    "PaletteName",
    "Panel",
    "Tile",
    "View",
    "as_html",
    "heatmap_chart",
    "merged",
]
