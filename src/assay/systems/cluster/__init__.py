"""Systems whose copies answer in the workers of a Ray cluster; the driver keeps everything else.

This room is imported only for ``--on ray``, and Ray itself only when the run begins.
"""
