"""Data sets as ``dgl.data.DGLDataset``: benchmarks, an embedded real set, a generator."""
