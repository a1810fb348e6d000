"""The paper's experiments: plan them, run them, find better recipes."""
