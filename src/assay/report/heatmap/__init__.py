"""Heatmaps: as data, as a web page, and as a picture for papers."""

from assay.report.heatmap.grid import Entry
from assay.report.heatmap.grid import Grid
from assay.report.heatmap.grid import Heatmap
from assay.report.heatmap.grid import ListedQuestion
from assay.report.heatmap.grid import ListedReply
from assay.report.heatmap.grid import Listing
from assay.report.heatmap.grid import Margin
from assay.report.heatmap.grid import Mean
from assay.report.heatmap.grid import PaletteName
from assay.report.heatmap.grid import Panel
from assay.report.heatmap.grid import Tile
from assay.report.heatmap.grid import View
from assay.report.heatmap.page import as_html
from assay.report.heatmap.chart import heatmap_chart

__all__ = [
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
]
