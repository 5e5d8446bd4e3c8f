"""Tables, charts and heatmaps: this package shows results and computes none of them.

``assay.report.chart`` and ``assay.report.heatmap`` load matplotlib, so they are imported only
where a chart or a heatmap is drawn.
"""
