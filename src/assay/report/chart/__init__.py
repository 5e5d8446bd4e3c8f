"""Charts for papers; the suffix of the path selects PNG (300 dpi), SVG or PDF.

A name that draws imports matplotlib when it is first asked for.
"""
