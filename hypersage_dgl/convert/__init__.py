"""Hypergraphs to and from other forms."""
