"""The words of tables, charts and heatmaps in English, Chinese and Russian."""

from assay.report.words.label import Lang
from assay.report.words.heatmap import heat_word
from assay.report.words.heatmap import length_labels
from assay.report.words.label import metric_title
from assay.report.words.heatmap import short_percent
from assay.report.words.heatmap import shown_count
from assay.report.words.heatmap import shown_decimal
from assay.report.words.heatmap import shown_percent
from assay.report.words.label import value_word
from assay.report.words.heatmap import whole_percent
from assay.report.words.label import word

__all__ = [
    "Lang",
    "heat_word",
    "length_labels",
    "metric_title",
    "short_percent",
    "shown_count",
    "shown_decimal",
    "shown_percent",
    "value_word",
    "whole_percent",
    "word",
]
