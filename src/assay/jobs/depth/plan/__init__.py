"""Deciding which question is asked at which context length and depth."""

from assay.jobs.depth.plan.case import case_plan, held_against
from assay.jobs.depth.plan.option import LayoutOptions, layout_of
from assay.jobs.depth.plan.plan import evidence_span, plan_depth
from assay.jobs.depth.plan.slot import DepthPlan, Layout, Slot, depth_label, nearest_depth

__all__ = [
    "DepthPlan",
    "Layout",
    "LayoutOptions",
    "Slot",
    "case_plan",
    "depth_label",
    "evidence_span",
    "held_against",
    "layout_of",
    "nearest_depth",
    "plan_depth",
]
