"""Settings shared by all tests."""

import torch
from hypothesis import HealthCheck, Phase, settings

# The tensors here are small: threads only wait for one another, and DGL repeats only with one.
torch.set_num_threads(1)

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None}
# A run repeats and a failure is reported at once. For other examples in each run, and small ones
# on failure: --hypothesis-profile=explore
settings.register_profile(
    "repeatable",
    max_examples=25,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    **COMMON,
)
settings.register_profile("explore", max_examples=100, **COMMON)
settings.load_profile("repeatable")
