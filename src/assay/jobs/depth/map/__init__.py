"""The results of a depth test as a map: cells, means, differences and tiles."""

from assay.jobs.depth.map.combined import combined_heatmap
from assay.jobs.depth.map.heatmap import depth_heatmap
from assay.jobs.depth.map.json_data import combined_json, depth_json, novel_json
from assay.jobs.depth.map.mean import DepthMap, depth_map
from assay.jobs.depth.map.novel import novel_heatmap
from assay.jobs.depth.map.question_set import read_question_set
from assay.jobs.depth.map.results import ModelResults, read_cells, refuse_without_depths

__all__ = [
    "DepthMap",
    "ModelResults",
    "combined_heatmap",
    "combined_json",
    "depth_heatmap",
    "depth_json",
    "depth_map",
    "novel_heatmap",
    "novel_json",
    "read_cells",
    "read_question_set",
    "refuse_without_depths",
]
