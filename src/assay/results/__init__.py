"""What a run has recorded, in columns: what statistics, tables and comparisons are made from."""
