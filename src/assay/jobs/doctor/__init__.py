"""The checks of ``assay doctor``."""
