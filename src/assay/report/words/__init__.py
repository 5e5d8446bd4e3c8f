"""The words of tables, charts and heatmaps in English, Chinese and Russian."""

from assay.report.words.heatmap import (
    NotedCount,
    heat_word,
    length_labels,
    short_percent,
    shown_count,
    shown_decimal,
    shown_percent,
    whole_percent,
)
from assay.report.words.label import (
    metric_label,
    metric_title,
    page_word,
    page_words,
    value_templates,
    value_word,
    word,
)
from assay.report.words.retold import retold
from assay.report.words.said import said
from assay.words import Lang

__all__ = [
    "Lang",
    "NotedCount",
    "heat_word",
    "length_labels",
    "metric_label",
    "metric_title",
    "page_word",
    "page_words",
    "retold",
    "said",
    "short_percent",
    "shown_count",
    "shown_decimal",
    "shown_percent",
    "value_templates",
    "value_word",
    "whole_percent",
    "word",
]
