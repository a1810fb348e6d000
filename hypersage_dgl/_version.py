"""The version, readable without importing DGL."""

__version__ = "0.1.0"
