"""Which question is asked at which context length and depth."""

from assay.jobs.depth.plan.slot import DepthPlan
from assay.jobs.depth.plan.slot import Layout
from assay.jobs.depth.plan.option import LayoutOptions
from assay.jobs.depth.plan.slot import Slot
from assay.jobs.depth.plan.case import case_plan
from assay.jobs.depth.plan.slot import depth_label
from assay.jobs.depth.plan.plan import evidence_span
from assay.jobs.depth.plan.option import layout_of
from assay.jobs.depth.plan.slot import nearest_depth
from assay.jobs.depth.plan.plan import plan_depth

__all__ = [
    "DepthPlan",
    "Layout",
    "LayoutOptions",
    "Slot",
    "case_plan",
    "depth_label",
    "evidence_span",
    "layout_of",
    "nearest_depth",
    "plan_depth",
]
