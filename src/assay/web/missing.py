"""What was asked for and is not there."""

from assay.errors import UseError


class Missing(UseError):
    """There is no such run, item, variant or text; the server answers 404."""
