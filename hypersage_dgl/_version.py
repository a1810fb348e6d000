"""The version, readable without importing DGL."""

__version__ = "0.2.0"
