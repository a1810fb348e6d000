"""What things cost, beside others in the same run.

Not installed: from the top of the repository, ``python -m benchmarks --help``. A benchmark is a
file of one idea: its docstring says what is measured, ``comparisons`` or ``rows`` measures it.

- ``measure`` times cases in turns and weighs each in its own process; ``peers`` are the others;
- ``layer``, ``loading``, ``training``, ``sampling``, ``inference``, ``arrivals``, ``neighbors``
  and ``checks`` compare; ``scaling`` grows; ``distributed`` counts what two machines send;
- ``cost`` is the model that predicts the last two, ``predictions`` holds it against them;
- ``report``, with ``curves``, makes docs/performance.md of ``results``, and what docs/scaling.md
  says of them.
"""

import hypersage_dgl  # noqa: F401  (before DGL, which it loads)
