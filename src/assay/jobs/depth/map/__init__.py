"""The results of a depth test as a map: cells, means, differences and tiles."""
