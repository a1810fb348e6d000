"""Settings shared by all tests."""

from hypothesis import HealthCheck, settings

# Derandomized: a run repeats. `--hypothesis-profile=explore` draws other examples each time.
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None}
settings.register_profile("repeatable", max_examples=25, derandomize=True, **COMMON)
settings.register_profile("explore", max_examples=100, **COMMON)
settings.load_profile("repeatable")
