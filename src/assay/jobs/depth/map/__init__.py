"""The results of a depth test as a map: cells, means, differences and tiles."""

from assay.jobs.depth.map.heatmap import depth_heatmap
from assay.jobs.depth.map.json_data import depth_json, novel_json
from assay.jobs.depth.map.mean import DepthMap, depth_map
from assay.jobs.depth.map.novel import novel_heatmap
from assay.jobs.depth.map.results import ModelResults, read_cells

__all__ = [
    "DepthMap",
    "ModelResults",
    "depth_heatmap",
    "depth_json",
    "depth_map",
    "novel_heatmap",
    "novel_json",
    "read_cells",
]
