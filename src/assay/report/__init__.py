"""Tables and charts. Nothing here asks, scores or reads results; it only shows them.

Charts live in ``assay.report.chart``, which is imported where one is drawn: it loads
matplotlib.
"""
