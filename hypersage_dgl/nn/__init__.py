"""Layers, aggregators and models."""
